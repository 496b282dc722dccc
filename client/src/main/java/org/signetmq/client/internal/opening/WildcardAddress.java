/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import java.util.List;
import org.signetmq.policy.WildcardSyntax;

/** Matches addresses against the broker's wildcards, which stand for one word or for any number of words. */
final class WildcardAddress {
    private WildcardAddress() {}

    static boolean isPattern(String address, WildcardSyntax syntax) {
        return syntax.routedWords(address).stream()
                .anyMatch(word -> is(word, syntax.singleWord()) || is(word, syntax.anyWords()));
    }

    /**
     * Tells whether the broker routes the address to a consumer of the pattern. It goes back to the last wildcard of
     * any words only, which can take all that earlier ones could.
     */
    static boolean matches(String pattern, String address, WildcardSyntax syntax) {
        List<String> words = syntax.routedWords(pattern);
        List<String> theirs = syntax.routedWords(address);
        int w = 0;
        int a = 0;
        int behindAny = -1;
        int resume = 0;
        while (a < theirs.size()) {
            if (w < words.size() && is(words.get(w), syntax.anyWords())) {
                behindAny = ++w;
                resume = a;
            } else if (w < words.size()
                    && (is(words.get(w), syntax.singleWord()) || words.get(w).equals(theirs.get(a)))) {
                w++;
                a++;
            } else if (behindAny >= 0) {
                w = behindAny;
                a = ++resume;
            } else {
                return false;
            }
        }
        while (w < words.size() && is(words.get(w), syntax.anyWords())) {
            w++;
        }
        return w == words.size();
    }

    private static boolean is(String word, char wildcard) {
        return word.length() == 1 && word.charAt(0) == wildcard;
    }
}
