/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.match;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Finds the words with wildcards inside, such as {@code eu-*}, that match a word of an address. For words with one
 * wildcard it makes the only words that could match, and looks them up. It reads the word once for each word with
 * several wildcards, so a set has few of them. Immutable.
 */
final class PartialWords<V> {
    private final char wildcard;
    private final Map<String, V> single = new HashMap<>();
    /** The different lengths before and behind the wildcard of words with one. */
    private final List<Lengths> lengths;

    private final List<Several<V>> several = new ArrayList<>();

    private record Lengths(int before, int behind) {}

    private record Several<V>(PartialWord word, V value) {}

    PartialWords(Map<String, V> words, char wildcard) {
        this.wildcard = wildcard;
        Set<Lengths> different = new LinkedHashSet<>();
        words.forEach((text, value) -> {
            PartialWord word = new PartialWord(text, wildcard);
            if (word.wildcards() == 1) {
                single.put(text, value);
                different.add(new Lengths(word.before().length(), word.behind().length()));
            } else {
                several.add(new Several<>(word, value));
            }
        });
        this.lengths = List.copyOf(different);
    }

    /**
     * Adds the values of all words that match.
     *
     * @param isWanted whether the match of a word with this value counts
     * @return the greatest number of characters that it read
     */
    long matching(String word, Predicate<V> isWanted, List<V> found) {
        long read = 0;
        int length = word.length();
        for (Lengths each : lengths) {
            if (each.before + each.behind < length) {
                read += each.before + each.behind;
                V value = single.get(
                        word.substring(0, each.before) + wildcard + word.substring(length - each.behind, length));
                if (value != null) {
                    found.add(value);
                }
            }
        }
        for (Several<V> each : several) {
            if (isWanted.test(each.value)) {
                read += length;
                if (each.word.matches(word)) {
                    found.add(each.value);
                }
            }
        }
        return read;
    }

    /**
     * A word of a pattern that has wildcards among other characters, such as {@code eu-*}. Each wildcard stands for one
     * or more characters. Immutable.
     */
    static final class PartialWord {
        /** The texts before, between and behind the wildcards. */
        private final String[] texts;

        /** The least number of characters that a matching word has. */
        private final int shortest;

        PartialWord(String word, char wildcard) {
            this.texts = AddressWords.DIVIDED.of(word, wildcard).toArray(String[]::new);
            this.shortest = word.length();
        }

        int wildcards() {
            return texts.length - 1;
        }

        String before() {
            return texts[0];
        }

        String behind() {
            return texts[texts.length - 1];
        }

        /**
         * Tells whether a word matches. It reads the word once from the left: the first place of a text between
         * wildcards leaves the most room for the following ones.
         */
        boolean matches(String word) {
            int last = word.length() - behind().length();
            if (word.length() < shortest || !word.startsWith(before()) || !word.endsWith(behind())) {
                return false;
            }
            int at = before().length();
            for (int i = 1; i < texts.length - 1; i++) {
                int found = word.indexOf(texts[i], at + 1);
                if (found < 0) {
                    return false;
                }
                at = found + texts[i].length();
            }
            return at < last;
        }
    }
}
