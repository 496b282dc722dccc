/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.match;

import java.util.Comparator;
import java.util.List;

/**
 * Orders the wildcard patterns of one address as Artemis does, the most specific first. Here {@code #} stands for the
 * wildcard of any words and {@code *} for that of one word.
 *
 * <ol>
 *   <li>Patterns without {@code #} come before patterns with it.
 *   <li>Without {@code #}, words are compared from the left: any other word comes before {@code *}. Then the pattern
 *       with more words comes first, then the shorter one.
 *   <li>With {@code #}, the longer pattern comes first.
 *   <li>Artemis leaves other ties to a hash table. Here the pattern with fewer {@code *} comes first, then the one that
 *       sorts first.
 * </ol>
 */
public final class Specificity implements Comparator<AddressPattern> {
    public static final Specificity MOST_SPECIFIC_FIRST = new Specificity();

    private static final Comparator<AddressPattern> TIES =
            Comparator.comparingInt(AddressPattern::wildcards).thenComparing(AddressPattern::text);

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
