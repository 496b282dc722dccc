/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Comparator;
import java.util.List;

/**
 * Orders the wildcard patterns of one address like Artemis, the most specific first. Patterns without {@code #} come
 * first, the longer before the shorter. Of the others comes first the one with {@code *} as a whole word in the latest
 * place, then the shorter. Where Artemis leaves it to the order of a hash table, the pattern with fewer {@code *} comes
 * first, then the one that sorts first. {@code #} and {@code *} stand for the wildcards of the patterns' syntax.
 */
final class Specificity implements Comparator<AddressPattern> {
    static final Specificity MOST_SPECIFIC_FIRST = new Specificity();

    private static final Comparator<AddressPattern> TIES =
            Comparator.comparing(AddressPattern::wildcards).thenComparing(AddressPattern::text);

    private Specificity() {}

    @Override
    public int compare(AddressPattern left, AddressPattern right) {
        if (left.anyWordsFollow() != right.anyWordsFollow()) {
            return left.anyWordsFollow() ? 1 : -1;
        }
        int shorter = Integer.compare(left.text().length(), right.text().length());
        int order = left.anyWordsFollow() ? -shorter : byWords(left, right);
        if (order == 0) {
            order = shorter;
        }
        return order == 0 ? TIES.compare(left, right) : order;
    }

    private static int byWords(AddressPattern left, AddressPattern right) {
        List<String> ours = left.words();
        List<String> theirs = right.words();
        for (int i = 0; i < Math.min(ours.size(), theirs.size()); i++) {
            boolean any = left.isWildcard(ours.get(i));
            if (any != right.isWildcard(theirs.get(i))) {
                return any ? 1 : -1;
            }
        }
        return Integer.compare(theirs.size(), ours.size());
    }
}
