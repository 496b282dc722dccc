/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.match;

/**
 * A word of a pattern that has wildcards among other characters, such as {@code eu-*}. Each wildcard stands for one or
 * more characters. Immutable.
 */
final class PartialWord {
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
     * Tells whether a word matches. It reads the word once from the left: the first place of a text between wildcards
     * leaves the most room for the following ones.
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
