/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.IntStream;

/** Finds the known name that a mistyped one may mean. */
public final class NearestName {
    private NearestName() {}

    /** Returns {@code " (nearest: 'rob')"}, or {@code " (there are none)"}. */
    public static String hint(String wanted, Collection<String> known) {
        return known.stream()
                .min(Comparator.<String>comparingInt(name -> distance(wanted, name))
                        .thenComparing(Comparator.naturalOrder()))
                .map(name -> " (nearest: '" + name + "')")
                .orElse(" (there are none)");
    }

    private static int distance(String one, String other) {
        String a = one.toLowerCase(Locale.ROOT);
        String b = other.toLowerCase(Locale.ROOT);
        int[] previous = IntStream.rangeClosed(0, b.length()).toArray();
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(change, Math.min(previous[j], current[j - 1]) + 1);
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
