/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.match;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.signetmq.policy.internal.match.AddressPattern.AddressWords;
import org.signetmq.policy.internal.match.AddressPattern.Wildcards;
import org.signetmq.policy.text.Quoted;

/**
 * The variables of a pattern. Each is a whole word such as {@code {t}}, and stands for one word of an address as the
 * wildcard of a single word does. Immutable.
 */
public final class PatternVariables {
    /** No variables. */
    public static final PatternVariables NONE = new PatternVariables('.', Map.of());

    /** The most variables of one pattern. */
    public static final int MOST = 4;

    private final char delimiter;
    /** The index of the word of each variable. */
    private final Map<String, Integer> places;

    private PatternVariables(char delimiter, Map<String, Integer> places) {
        this.delimiter = delimiter;
        this.places = places;
    }

    /** Returns the variables of this pattern. */
    public static PatternVariables of(String pattern, Wildcards syntax) {
        if (!mayHaveAny(pattern, syntax)) {
            return NONE;
        }
        Map<String, Integer> places = new LinkedHashMap<>();
        List<String> words = AddressWords.DIVIDED.of(pattern, syntax.delimiter());
        for (int i = 0; i < words.size(); i++) {
            if (Variables.isOne(words.get(i))) {
                places.putIfAbsent(words.get(i), i);
            }
        }
        return places.isEmpty() ? NONE : new PatternVariables(syntax.delimiter(), places);
    }

    /** A brace that is a wildcard or the delimiter itself makes no variable. */
    private static boolean mayHaveAny(String pattern, Wildcards syntax) {
        if (pattern.indexOf('{') < 0) {
            return false;
        }
        String characters = "" + syntax.delimiter() + syntax.anyWords() + syntax.singleWord();
        return characters.indexOf('{') < 0 && characters.indexOf('}') < 0;
    }

    /** Returns the pattern with the wildcard of a single word in place of each variable. */
    public static String plain(String pattern, Wildcards syntax) {
        if (!mayHaveAny(pattern, syntax)) {
            return pattern;
        }
        String single = String.valueOf(syntax.singleWord());
        return String.join(
                String.valueOf(syntax.delimiter()),
                AddressWords.DIVIDED.of(pattern, syntax.delimiter()).stream()
                        .map(word -> Variables.isOne(word) ? single : word)
                        .toList());
    }

    /** Returns the reason why a pattern cannot have its words in braces; empty if it can. */
    public static Optional<String> problemWith(String pattern, Wildcards syntax) {
        if (!mayHaveAny(pattern, syntax)) {
            return Optional.empty();
        }
        Map<String, Integer> seen = new HashMap<>();
        List<String> words = AddressWords.DIVIDED.of(pattern, syntax.delimiter());
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (Variables.isOne(word)) {
                if (seen.putIfAbsent(word, i) != null) {
                    return Optional.of("the variable " + word + " twice, found " + Quoted.text(pattern)
                            + "; give each word a variable of its own");
                }
            } else if (word.startsWith("{") && word.endsWith("}")) {
                return Optional.of(Quoted.text(word) + " is no variable, found " + Quoted.text(pattern)
                        + "; write a lower-case letter and at most 15 more or digits, as in {t}");
            }
        }
        return seen.size() > MOST
                ? Optional.of("more than " + MOST + " variables, found " + Quoted.text(pattern) + "; put \""
                        + syntax.singleWord() + "\" in place of some")
                : Optional.empty();
    }

    public boolean areNone() {
        return places.isEmpty();
    }

    /** Returns the variables, with their braces. */
    public Set<String> names() {
        return places.keySet();
    }

    /**
     * Returns the values that a matching address gives. The value is empty where the word cannot be part of a name, and
     * where the {@linkplain AddressWords divisions} of the address give two words.
     */
    public Map<String, String> values(String address) {
        Map<String, String> values = new HashMap<>();
        places.forEach((variable, index) -> {
            String word = word(address, index, AddressWords.DIVIDED);
            boolean isValue = Variables.isValue(word) && word.equals(word(address, index, AddressWords.ESCAPED));
            values.put(variable, isValue ? word : "");
        });
        return Map.copyOf(values);
    }

    /** Returns a word of an address; an empty text if there is none, or none of a length that a value has. */
    private String word(String address, int index, AddressWords division) {
        int start = 0;
        for (int i = 0; i < index; i++) {
            start = division.end(address, start, delimiter) + 1;
            if (start > address.length()) {
                return "";
            }
        }
        int end = division.end(address, start, delimiter);
        return end - start > Variables.LONGEST_VALUE ? "" : address.substring(start, end);
    }

    /** The variables in names of recipients and signers, such as {@code {t}} in {@code {t}-archive}. */
    public static final class Variables {
        /** The most names of a list where the pattern has variables, because each address gets a list of its own. */
        public static final int MOST_NAMES = 32;

        /** The longest name with variables, before and after their values came in, in characters. */
        public static final int LONGEST_NAME = 256;

        /** The longest value, in characters. */
        public static final int LONGEST_VALUE = 64;

        /**
         * Stands before a name that an address does not complete. No name of a file, distinguished name or key
         * identifier begins with it, so such a name never finds a certificate.
         */
        public static final char INCOMPLETE = '/';

        /** A variable with its braces. */
        static final String FORM = "\\{[a-z][a-z0-9]{0,15}\\}";

        private static final Pattern VARIABLE = Pattern.compile(FORM);

        /** The words that may become part of a name: those that a file of a certificate may have as its name. */
        private static final String VALUE = "[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}";

        private static final Pattern VALUES = Pattern.compile(VALUE);

        private Variables() {}

        /** Tells whether this text is one variable. */
        public static boolean isOne(String word) {
            return word.startsWith("{") && VARIABLE.matcher(word).matches();
        }

        /** Tells whether a word of an address may become part of a name. */
        public static boolean isValue(String word) {
            return VALUES.matcher(word).matches();
        }

        /** Returns a test for the names that values can make of a name. */
        public static Predicate<String> namesOf(String name) {
            StringBuilder form = new StringBuilder();
            Matcher variables = VARIABLE.matcher(name);
            int end = 0;
            while (variables.find()) {
                form.append(Pattern.quote(name.substring(end, variables.start())))
                        .append(VALUE);
                end = variables.end();
            }
            return Pattern.compile(
                            form.append(Pattern.quote(name.substring(end))).toString())
                    .asMatchPredicate();
        }

        /** Tells whether a name contains a variable. */
        public static boolean areIn(String name) {
            return name.indexOf('{') >= 0 && VARIABLE.matcher(name).find();
        }

        /** Returns the variables of a name, with their braces. */
        private static Set<String> in(String name) {
            Set<String> found = new LinkedHashSet<>();
            Matcher matcher = VARIABLE.matcher(name);
            while (matcher.find()) {
                found.add(matcher.group());
            }
            return found;
        }

        /**
         * Returns a name with the values of its variables. A name without a value for one of them, or too long with
         * them, stays as it is, behind {@link #INCOMPLETE}. So does a distinguished name or key identifier with a value
         * that has capital letters: their case does not count there, and two addresses must not have one key.
         *
         * @param values by the variable with its braces; empty for none
         */
        public static String filled(String name, Map<String, String> values) {
            if (!areIn(name)) {
                return name;
            }
            if (in(name).stream().anyMatch(variable -> value(variable, values).isEmpty())
                    || (ignoresCase(name) && hasCapital(in(name), values))) {
                return INCOMPLETE + name;
            }
            // a value contains no brace, so one pass is enough
            String filled =
                    VARIABLE.matcher(name).replaceAll(found -> Matcher.quoteReplacement(value(found.group(), values)));
            return filled.length() > LONGEST_NAME ? INCOMPLETE + name : filled;
        }

        private static boolean ignoresCase(String name) {
            return name.indexOf('=') >= 0 || name.regionMatches(true, 0, "ski:", 0, 4);
        }

        private static boolean hasCapital(Set<String> variables, Map<String, String> values) {
            return variables.stream()
                    .anyMatch(variable -> value(variable, values).chars().anyMatch(c -> c >= 'A' && c <= 'Z'));
        }

        private static String value(String variable, Map<String, String> values) {
            return values.getOrDefault(variable, "");
        }

        /**
         * Returns the reason why a policy cannot have this list of names; empty if it can.
         *
         * @param known the variables of its pattern, with their braces
         */
        public static Optional<String> problemWith(List<String> names, Collection<String> known) {
            for (String name : names) {
                Optional<String> problem = areIn(name) ? problemWith(name, known) : Optional.empty();
                if (problem.isPresent()) {
                    return problem;
                }
            }
            return !known.isEmpty() && names.size() > MOST_NAMES
                    ? Optional.of("more than " + MOST_NAMES + " names of a pattern with variables, found "
                            + names.size() + "; name fewer")
                    : Optional.empty();
        }

        private static Optional<String> problemWith(String name, Collection<String> known) {
            if (name.length() > LONGEST_NAME) {
                return Optional.of("a name with variables of more than " + LONGEST_NAME + " characters, found "
                        + Quoted.text(name) + "; write a shorter one");
            }
            Optional<String> unknown = in(name).stream()
                    .filter(variable -> !known.contains(variable))
                    .findFirst();
            if (unknown.isPresent()) {
                return Optional.of(
                        "the variable " + unknown.get() + " is no word of the pattern, found " + Quoted.text(name)
                                + "; write it there in place of a word, as in tenant." + unknown.get() + ".#");
            }
            String others = VARIABLE.matcher(name).replaceAll("");
            if (others.indexOf('{') >= 0 || others.indexOf('}') >= 0) {
                return Optional.of(
                        "a brace beside a variable, found " + Quoted.text(name) + "; write variables as in {t}");
            }
            return in(name).size() > 1
                    ? Optional.of("more than one variable in a name, found " + Quoted.text(name)
                            + "; other addresses could make the same name of them: write one variable")
                    : Optional.empty();
        }
    }
}
