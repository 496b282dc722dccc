/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Comparator;
import java.util.List;

/**
 * Puts wildcard patterns that match one address in the order of Artemis, most specific first: those without {@code #}
 * before those with it; of these the longer first; of the others the one whose first {@code *} as a whole word comes
 * later, then the shorter. Where Artemis leaves it to the order of a hash table, the pattern with fewer {@code *} comes
 * first, then the one that sorts first.
 */
final class Specificity implements Comparator<AddressPattern> {
    static final Specificity MOST_SPECIFIC_FIRST = new Specificity();

    private static final Comparator<AddressPattern> TIES =
            Comparator.comparing(Specificity::wildcards).thenComparing(AddressPattern::text);

    private Specificity() {}

    @Override
    public int compare(AddressPattern left, AddressPattern right) {
        if (left.anyWordsFollow() != right.anyWordsFollow()) {
            return left.anyWordsFollow() ? 1 : -1;
        }
        int shorter = Integer.compare(left.text().length(), right.text().length());
        int order = left.anyWordsFollow() ? -shorter : byWords(left.words(), right.words());
        if (order == 0) {
            order = shorter;
        }
        return order == 0 ? TIES.compare(left, right) : order;
    }

    private static int byWords(List<String> left, List<String> right) {
        for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
            boolean any = isWildcard(left.get(i));
            if (any != isWildcard(right.get(i))) {
                return any ? 1 : -1;
            }
        }
        return Integer.compare(right.size(), left.size());
    }

    private static boolean isWildcard(String word) {
        return word.length() == 1 && word.charAt(0) == AddressPattern.SINGLE_WORD;
    }

    private static long wildcards(AddressPattern pattern) {
        return pattern.text()
                .chars()
                .filter(c -> c == AddressPattern.SINGLE_WORD)
                .count();
    }
}
