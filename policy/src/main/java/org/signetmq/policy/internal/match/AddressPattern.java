/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.match;

import java.util.ArrayList;
import java.util.List;

/**
 * A pattern with Artemis's wildcards. It consists of words between delimiters. One wildcard stands for characters of
 * one word, the other at the end for any number of words. It matches as Artemis's own repository of address settings
 * does. For a pattern of whole words the time is proportional to the address. It uses no regular expression.
 *
 * @param text the whole pattern
 * @param syntax its wildcards
 * @param words the words before any number of other words
 * @param anyWordsFollow whether any number of other words may follow
 */
public record AddressPattern(String text, Wildcards syntax, List<String> words, boolean anyWordsFollow) {
    /** Returns the pattern of a text that can be the pattern of a policy. */
    public static AddressPattern of(String text, Wildcards syntax) {
        boolean any = text.indexOf(syntax.anyWords()) >= 0;
        String words = any ? text.substring(0, text.length() - 1) : text;
        // "a.#" means the same as "a#": "a" itself matches
        if (any && !words.isEmpty() && words.charAt(words.length() - 1) == syntax.delimiter()) {
            words = words.substring(0, words.length() - 1);
        }
        return new AddressPattern(text, syntax, split(words, syntax.delimiter()), any);
    }

    private static List<String> split(String words, char delimiter) {
        List<String> split = new ArrayList<>();
        int at = 0;
        for (int end = words.indexOf(delimiter); end >= 0; end = words.indexOf(delimiter, at)) {
            split.add(words.substring(at, end));
            at = end + 1;
        }
        split.add(words.substring(at));
        return List.copyOf(split);
    }

    /** Tells whether this word of a pattern stands for any one word. */
    boolean isWildcard(String word) {
        return word.length() == 1 && word.charAt(0) == syntax.singleWord();
    }

    /** Tells whether this word of a pattern has wildcards among other characters. */
    boolean isPartial(String word) {
        return word.indexOf(syntax.singleWord()) >= 0 && !isWildcard(word);
    }

    /** Tells whether every address matches. */
    boolean matchesAll() {
        return anyWordsFollow && text.length() == 1;
    }

    /** Returns the number of single-word wildcards. */
    int wildcards() {
        int count = 0;
        for (int at = text.indexOf(syntax.singleWord()); at >= 0; at = text.indexOf(syntax.singleWord(), at + 1)) {
            count++;
        }
        return count;
    }

    /**
     * Returns the text before the first wildcard. Every matching address begins with it. If other words may follow, the
     * text ends in a delimiter, although the address without these words matches too.
     */
    public String beginning() {
        int single = text.indexOf(syntax.singleWord());
        if (single >= 0) {
            return text.substring(0, single);
        }
        String words = String.join(String.valueOf(syntax.delimiter()), this.words);
        return anyWordsFollow && !words.isEmpty() ? words + syntax.delimiter() : words;
    }

    /**
     * Tells whether an address may match both patterns. It does not compare two words with wildcards among other
     * characters, so the answer may be true for patterns without a common address.
     */
    public boolean mayOverlap(AddressPattern other) {
        if (matchesAll() || other.matchesAll()) {
            return true;
        }
        int shorter = Math.min(words.size(), other.words.size());
        for (int i = 0; i < shorter; i++) {
            if (!wordsMayOverlap(words.get(i), other.words.get(i))) {
                return false;
            }
        }
        return (words.size() <= shorter || other.anyWordsFollow) && (other.words.size() <= shorter || anyWordsFollow);
    }

    private boolean wordsMayOverlap(String one, String two) {
        if (one.indexOf(syntax.singleWord()) < 0) {
            return wordMatches(two, one, 0, one.length());
        }
        return two.indexOf(syntax.singleWord()) >= 0 || wordMatches(one, two, 0, two.length());
    }

    /** Tells whether this address matches. */
    public boolean matches(String address) {
        if (matchesAll()) {
            return true;
        }
        int at = 0;
        for (int i = 0; i < words.size(); i++) {
            if (i > 0) {
                if (at == address.length()) {
                    return false;
                }
                at++; // skip the delimiter that ended the word before
            }
            int delimiter = address.indexOf(syntax.delimiter(), at);
            int end = delimiter < 0 ? address.length() : delimiter;
            if (!wordMatches(words.get(i), address, at, end)) {
                return false;
            }
            at = end;
        }
        int left = address.length() - at;
        return left == 0 || (anyWordsFollow && left > 1); // a delimiter alone is not another word
    }

    /** Matches one word. It backtracks to the last wildcard only, which can match all that earlier ones could. */
    private boolean wordMatches(String word, String address, int start, int end) {
        int w = 0;
        int a = start;
        int afterWildcard = -1;
        int resume = start;
        while (a < end) {
            if (w < word.length() && word.charAt(w) == syntax.singleWord()) {
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
}
