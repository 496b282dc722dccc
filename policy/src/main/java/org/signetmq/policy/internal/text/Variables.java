/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.text;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.signetmq.policy.text.Quoted;

/** The variables in names of recipients and signers, such as {@code {t}} in {@code {t}-archive}. */
public final class Variables {
    /** The most names of a list where the pattern has variables, because each address gets a list of its own. */
    public static final int MOST_NAMES = 32;

    /** The longest name with variables, before and after their values came in, in characters. */
    public static final int LONGEST_NAME = 256;

    /** The longest value, in characters. */
    public static final int LONGEST_VALUE = 64;

    /**
     * Stands before a name that an address does not complete. No name of a file, distinguished name or key identifier
     * begins with it, so such a name never finds a certificate.
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
            form.append(Pattern.quote(name.substring(end, variables.start()))).append(VALUE);
            end = variables.end();
        }
        return Pattern.compile(form.append(Pattern.quote(name.substring(end))).toString())
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
     * Returns a name with the values of its variables. A name without a value for one of them, or too long with them,
     * stays as it is, behind {@link #INCOMPLETE}. So does a distinguished name or key identifier with a value that has
     * capital letters: their case does not count there, and two addresses must not have one key.
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
                ? Optional.of("more than " + MOST_NAMES + " names of a pattern with variables, found " + names.size()
                        + "; name fewer")
                : Optional.empty();
    }

    private static Optional<String> problemWith(String name, Collection<String> known) {
        if (name.length() > LONGEST_NAME) {
            return Optional.of("a name with variables of more than " + LONGEST_NAME + " characters, found "
                    + Quoted.text(name) + "; write a shorter one");
        }
        Optional<String> unknown =
                in(name).stream().filter(variable -> !known.contains(variable)).findFirst();
        if (unknown.isPresent()) {
            return Optional.of("the variable " + unknown.get() + " is no word of the pattern, found "
                    + Quoted.text(name) + "; write it there in place of a word, as in tenant." + unknown.get() + ".#");
        }
        String others = VARIABLE.matcher(name).replaceAll("");
        if (others.indexOf('{') >= 0 || others.indexOf('}') >= 0) {
            return Optional.of("a brace beside a variable, found " + Quoted.text(name) + "; write variables as in {t}");
        }
        return in(name).size() > 1
                ? Optional.of("more than one variable in a name, found " + Quoted.text(name)
                        + "; other addresses could make the same name of them: write one variable")
                : Optional.empty();
    }
}
