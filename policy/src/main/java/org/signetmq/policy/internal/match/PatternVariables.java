/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.match;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.signetmq.policy.internal.match.AddressPattern.AddressWords;
import org.signetmq.policy.internal.match.AddressPattern.Wildcards;
import org.signetmq.policy.internal.text.Variables;
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
}
