/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.match;

import java.util.List;
import org.signetmq.policy.internal.match.AddressPattern.AddressWords;

/** Tells by the words of one pattern alone whether an address matches. It is the oracle of the tree. */
public final class LinearMatch {
    private LinearMatch() {}

    public static boolean matches(AddressPattern pattern, String address) {
        char delimiter = pattern.syntax().delimiter();
        return pattern.matchesAll()
                || pattern.forms().stream()
                        .anyMatch(form -> List.of(AddressWords.values()).stream()
                                .anyMatch(division -> matches(form, division.of(address, delimiter))));
    }

    private static boolean matches(AddressPattern form, List<String> address) {
        List<String> words = form.words();
        if (address.size() < words.size() || (address.size() > words.size() && !form.anyWordsFollow())) {
            return false;
        }
        for (int i = 0; i < words.size(); i++) {
            if (!form.wordMatches(words.get(i), address.get(i))) {
                return false;
            }
        }
        return true;
    }
}
