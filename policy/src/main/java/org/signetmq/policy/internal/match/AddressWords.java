/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.match;

import java.util.ArrayList;
import java.util.List;

/**
 * The two divisions of an address into words. Artemis's routing takes a delimiter behind a backslash for a part of its
 * word, for example the dot of the MQTT level {@code v1.2}. Artemis's address settings, and its queries for queues,
 * take every delimiter for the end of a word. A pattern matches if it matches by one of the two.
 */
public enum AddressWords {
    /** Words end at every delimiter. */
    DIVIDED,
    /** Words do not end at a delimiter behind a backslash. */
    ESCAPED;

    private static final char ESCAPE = '\\';

    /** Tells whether the two divisions of this address differ. */
    static boolean differ(String address, char delimiter) {
        for (int at = address.indexOf(delimiter); at >= 0; at = address.indexOf(delimiter, at + 1)) {
            if (isEscaped(address, at)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isEscaped(String address, int delimiter) {
        return delimiter > 0 && address.charAt(delimiter - 1) == ESCAPE;
    }

    /** Returns the end of the word that begins here: the index of a delimiter, or the length of the address. */
    int end(String address, int from, char delimiter) {
        int end = address.indexOf(delimiter, from);
        while (end >= 0 && this == ESCAPED && isEscaped(address, end)) {
            end = address.indexOf(delimiter, end + 1);
        }
        return end < 0 ? address.length() : end;
    }

    /** Returns the words, at least one. Any of them may be empty. */
    public List<String> of(String address, char delimiter) {
        List<String> words = new ArrayList<>();
        for (int at = 0; at <= address.length(); ) {
            int end = end(address, at, delimiter);
            words.add(address.substring(at, end));
            at = end + 1;
        }
        return words;
    }
}
