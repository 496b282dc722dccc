/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known word that a mistyped one may mean. Thread-safe. */
public final class NearestWord {
    /** The longest word that is compared, because the time of a comparison grows with the product of the lengths. */
    private static final int LONGEST = 64;

    private NearestWord() {}

    /** Returns the known word with the smallest edit distance; empty if the distance is large. */
    public static Optional<String> of(String word, Collection<String> known) {
        if (word.length() > LONGEST) {
            return Optional.empty();
        }
        String written = word.toLowerCase(Locale.ROOT).replace('_', '-');
        return known.stream()
                .min(Comparator.comparingInt(candidate -> distance(written, candidate)))
                .filter(candidate -> distance(written, candidate) <= Math.max(2, candidate.length() / 2));
    }

    /** Returns the text {@code ; did you mean "..."?}, or the list of known words if none is near. */
    public static String hint(String word, Collection<String> known) {
        return of(word, known)
                .map(nearest -> "; did you mean \"" + nearest + "\"?")
                .orElseGet(() -> "; known are " + String.join(", ", known));
    }

    /**
     * Returns the text {@code " (nearest: 'rob')"} with the known name of the smallest edit distance, or {@code "
     * (there are none)"}. The case of letters does not count.
     */
    public static String nameHint(String name, Collection<String> known) {
        String wanted = name.toLowerCase(Locale.ROOT);
        return known.stream()
                .min(Comparator.<String>comparingInt(each -> distance(wanted, each.toLowerCase(Locale.ROOT)))
                        .thenComparing(Comparator.naturalOrder()))
                .map(nearest -> " (nearest: '" + nearest + "')")
                .orElse(" (there are none)");
    }

    /** Returns the Levenshtein distance, with two rows of the table in memory. */
    private static int distance(String from, String to) {
        int[] above = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] row = new int[to.length() + 1];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = above[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[to.length()];
    }
}
