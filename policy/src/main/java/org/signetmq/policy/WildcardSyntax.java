/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Optional;

/**
 * The characters of address patterns, as {@code <wildcard-addresses>} of broker.xml sets them.
 *
 * @param delimiter stands between two words
 * @param anyWords stands for any number of words
 * @param singleWord stands for one word, or for one or more characters of a word
 */
public record WildcardSyntax(char delimiter, char anyWords, char singleWord) {
    /** The default of Artemis. */
    public static final WildcardSyntax DEFAULT = new WildcardSyntax('.', '#', '*');

    /** Artemis's escape character, which cannot be one of the three. */
    private static final char ESCAPE = '\\';

    /** @throws IllegalArgumentException if two are equal, or one cannot stand in an address */
    public WildcardSyntax {
        problemWith(delimiter, anyWords, singleWord).ifPresent(problem -> {
            throw new IllegalArgumentException("wildcards: " + problem);
        });
    }

    /** Returns the reason why these three characters cannot be a syntax; empty if they can. */
    public static Optional<String> problemWith(char delimiter, char anyWords, char singleWord) {
        for (char c : new char[] {delimiter, anyWords, singleWord}) {
            if (c == ESCAPE || Character.isISOControl(c) || Character.isWhitespace(c) || Character.isSurrogate(c)) {
                return Optional.of("a space, control character, backslash or half a character, found "
                        + Quoted.text(String.valueOf(c)) + "; take another");
            }
        }
        return delimiter == anyWords || anyWords == singleWord || singleWord == delimiter
                ? Optional.of("the same character twice, found "
                        + described(delimiter, anyWords, singleWord)
                        + "; take three different ones")
                : Optional.empty();
    }

    /** Tells whether this text contains a wildcard. */
    public boolean isWild(String text) {
        return text.indexOf(singleWord) >= 0 || text.indexOf(anyWords) >= 0;
    }

    /** Tells whether this character is one of the three. */
    boolean contains(int character) {
        return character == delimiter || character == anyWords || character == singleWord;
    }

    /** Returns the three characters as text for messages. */
    public String describe() {
        return described(delimiter, anyWords, singleWord);
    }

    private static String described(char delimiter, char anyWords, char singleWord) {
        return "delimiter \"" + delimiter + "\", any-words \"" + anyWords + "\", single-word \"" + singleWord + "\"";
    }
}
