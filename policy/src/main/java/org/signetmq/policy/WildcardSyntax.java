/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Optional;

/**
 * The characters that divide addresses into words and stand for words in patterns, as {@code <wildcard-addresses>} of
 * broker.xml sets them.
 *
 * @param delimiter stands between two words
 * @param anyWords stands for any number of words
 * @param singleWord stands for one word, or for one or more characters of a word
 */
public record WildcardSyntax(char delimiter, char anyWords, char singleWord) {
    /** Artemis's, where broker.xml sets none. */
    public static final WildcardSyntax DEFAULT = new WildcardSyntax('.', '#', '*');

    /** Takes the meaning from the wildcard that follows, so that it cannot be one of the three itself. */
    private static final char ESCAPE = '\\';

    /**
     * @throws IllegalArgumentException if the three cannot be told from each other, or one cannot stand in an address
     */
    public WildcardSyntax {
        problemWith(delimiter, anyWords, singleWord).ifPresent(problem -> {
            throw new IllegalArgumentException("wildcards: " + problem);
        });
    }

    /** Why these three characters cannot be a syntax; empty if they can. */
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

    /** Whether this text holds a wildcard. */
    public boolean isWild(String text) {
        return text.indexOf(singleWord) >= 0 || text.indexOf(anyWords) >= 0;
    }

    /** Whether this character has a meaning. */
    boolean contains(int character) {
        return character == delimiter || character == anyWords || character == singleWord;
    }

    /** The three as messages name them. */
    public String describe() {
        return described(delimiter, anyWords, singleWord);
    }

    private static String described(char delimiter, char anyWords, char singleWord) {
        return "delimiter \"" + delimiter + "\", any-words \"" + anyWords + "\", single-word \"" + singleWord + "\"";
    }
}
