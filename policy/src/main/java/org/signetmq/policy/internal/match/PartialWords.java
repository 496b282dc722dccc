/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.match;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the words with wildcards inside, such as {@code eu-*}, that match a word of an address. The words are sorted
 * and read as a tree of characters: words with the same beginning stand in one range. A search takes each character
 * once and keeps all ranges that can still match, so there is no backtracking. Immutable.
 */
final class PartialWords<V> {
    private final String[] words;
    private final List<V> values;
    private final char wildcard;

    /** Takes words in their natural order. */
    PartialWords(Map<String, V> sorted, char wildcard) {
        this.words = sorted.keySet().toArray(String[]::new);
        this.values = List.copyOf(sorted.values());
        this.wildcard = wildcard;
    }

    /** The words from one index to another, which have the first characters in common. */
    private record Range(int from, int to, int common) {}

    /** Adds the values of all words that match. */
    void matching(String word, List<V> found) {
        List<Range> exact = List.of(new Range(0, words.length, 0));
        // ranges behind a wildcard: it can take every further character, so they stay
        List<Range> open = new ArrayList<>();
        Set<Range> opened = new HashSet<>();
        for (int i = 0; i < word.length() && !(exact.isEmpty() && open.isEmpty()); i++) {
            char c = word.charAt(i);
            List<Range> next = new ArrayList<>();
            int before = open.size();
            for (Range range : exact) {
                step(range, c, next);
                openBehind(range, open, opened);
            }
            for (int j = 0; j < before; j++) {
                step(open.get(j), c, next);
                openBehind(open.get(j), open, opened);
            }
            exact = next;
        }
        exact.forEach(range -> addIfWhole(range, found));
        open.forEach(range -> addIfWhole(range, found));
    }

    /** A range of whole words begins with the shortest one. */
    private void addIfWhole(Range range, List<V> found) {
        if (words[range.from].length() == range.common) {
            found.add(values.get(range.from));
        }
    }

    private void step(Range range, char c, List<Range> next) {
        if (c != wildcard) {
            Range narrower = narrowed(range, c);
            if (narrower.from < narrower.to) {
                next.add(narrower);
            }
        }
    }

    private void openBehind(Range range, List<Range> open, Set<Range> opened) {
        Range narrower = narrowed(range, wildcard);
        if (narrower.from < narrower.to && opened.add(narrower)) {
            open.add(narrower);
        }
    }

    /** Returns the words of a range that go on with this character. */
    private Range narrowed(Range range, char c) {
        return new Range(firstNotBelow(range, c), firstNotBelow(range, c + 1), range.common + 1);
    }

    private int firstNotBelow(Range range, int c) {
        int low = range.from;
        int high = range.to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            String word = words[middle];
            if (word.length() == range.common || word.charAt(range.common) < c) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
