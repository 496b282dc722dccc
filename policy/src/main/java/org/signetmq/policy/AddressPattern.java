/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.List;
import java.util.Optional;

/**
 * A pattern of Artemis's default wildcards: words between dots, {@code *} for one or more characters of a word, and
 * {@code #} at the end for any number of further words. It matches what Artemis's own repository of address settings
 * matches, in time proportional to the address for a pattern of whole words: no regular expression is involved.
 */
final class AddressPattern {
    static final char DELIMITER = '.';
    static final char SINGLE_WORD = '*';
    static final char ANY_WORDS = '#';
    private static final String QUEUE_SEPARATOR = "::";

    /** Artemis hands a wildcard pattern to a regular expression and escapes the dot and the dollar alone. */
    private static final String REGEX_CHARACTERS = "\\^[](){}+?|";

    private final String text;
    private final List<String> words;
    private final boolean anyWordsFollow;

    private AddressPattern(String text, List<String> words, boolean anyWordsFollow) {
        this.text = text;
        this.words = words;
        this.anyWordsFollow = anyWordsFollow;
    }

    /** The pattern of a text that has no {@link #problemWith problem}. */
    static AddressPattern of(String text) {
        boolean any = text.indexOf(ANY_WORDS) >= 0;
        String words = any ? text.substring(0, text.length() - 1) : text;
        // "a.#" means the same as "a#": "a" itself matches
        if (any && !words.isEmpty() && words.charAt(words.length() - 1) == DELIMITER) {
            words = words.substring(0, words.length() - 1);
        }
        return new AddressPattern(text, List.of(words.split("\\.", -1)), any);
    }

    static boolean isWild(String text) {
        return text.indexOf(SINGLE_WORD) >= 0 || text.indexOf(ANY_WORDS) >= 0;
    }

    /** Why this text cannot be the pattern of a policy; empty if it can. */
    static Optional<String> problemWith(String text) {
        if (text.isBlank()) {
            return Optional.of("blank; name an address, or \"#\" for all");
        }
        if (!text.strip().equals(text) || text.chars().anyMatch(Character::isISOControl)) {
            return Optional.of("spaces around it or control characters in it, found " + Quoted.text(text)
                    + "; write the address alone");
        }
        if (text.contains(QUEUE_SEPARATOR)) {
            return Optional.of("a queue, found " + Quoted.text(text)
                    + "; a policy covers an address with all its queues: " + "write the part before \"::\"");
        }
        int any = text.indexOf(ANY_WORDS);
        if (any >= 0 && any < text.length() - 1) {
            return Optional.of("\"#\" before the end, found " + Quoted.text(text)
                    + "; \"#\" can only be the last character, \"*\" stands for one word");
        }
        return isWild(text) ? problemWithWildcards(text) : Optional.empty();
    }

    private static Optional<String> problemWithWildcards(String text) {
        return text.chars()
                .filter(c -> REGEX_CHARACTERS.indexOf(c) >= 0)
                .mapToObj(c -> "\"" + Character.toString(c) + "\" beside a wildcard, found " + Quoted.text(text)
                        + "; Artemis takes it for a regular expression: put \"*\" in its place, or name the addresses")
                .findFirst();
    }

    String text() {
        return text;
    }

    /** Whether any number of words may follow. */
    boolean anyWordsFollow() {
        return anyWordsFollow;
    }

    /** The words before {@link #anyWordsFollow any others}. */
    List<String> words() {
        return words;
    }

    boolean matches(String address) {
        if (anyWordsFollow && text.length() == 1) {
            return true;
        }
        int at = 0;
        for (int i = 0; i < words.size(); i++) {
            if (i > 0) {
                if (at == address.length()) {
                    return false;
                }
                at++; // over the dot that ended the word before
            }
            int dot = address.indexOf(DELIMITER, at);
            int end = dot < 0 ? address.length() : dot;
            if (!wordMatches(words.get(i), address, at, end)) {
                return false;
            }
            at = end;
        }
        int left = address.length() - at;
        return left == 0 || (anyWordsFollow && left > 1); // a dot alone is no further word
    }

    /** Goes back to the last wildcard only: whatever the ones before took, the last can make up for. */
    private static boolean wordMatches(String word, String address, int start, int end) {
        int w = 0;
        int a = start;
        int afterWildcard = -1;
        int resume = start;
        while (a < end) {
            if (w < word.length() && word.charAt(w) == SINGLE_WORD) {
                afterWildcard = ++w;
                resume = ++a; // at least one character
            } else if (w < word.length() && word.charAt(w) == address.charAt(a)) {
                w++;
                a++;
            } else if (afterWildcard >= 0) {
                w = afterWildcard;
                a = ++resume;
            } else {
                return false;
            }
        }
        return w == word.length();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AddressPattern pattern && pattern.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
