/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.trace;

import java.util.Arrays;
import java.util.List;

/** Counts a marker in a stream of bytes, whatever the parts in which it comes. For one thread. */
final class MarkerScan {
    private final List<Form> forms;
    private final int longest;
    private byte[] window = new byte[0];
    private int kept; // bytes of earlier parts, at the begin of the window
    private long found;

    /** A form of the marker, and how far a search may go on after a byte that does not fit (Horspool, 1980). */
    private record Form(byte[] bytes, int[] skips) {
        static Form of(byte[] bytes) {
            int[] skips = new int[256];
            Arrays.fill(skips, bytes.length);
            for (int i = 0; i < bytes.length - 1; i++) {
                skips[bytes[i] & 0xff] = bytes.length - 1 - i;
            }
            return new Form(bytes, skips);
        }

        /** Counts the occurrences that end behind a position. */
        long count(byte[] in, int length, int behind) {
            long count = 0;
            int last = bytes.length - 1;
            for (int at = 0; at + last < length; at += skips[in[at + last] & 0xff]) {
                if (at + last >= behind && Arrays.equals(in, at, at + bytes.length, bytes, 0, bytes.length)) {
                    count++;
                }
            }
            return count;
        }
    }

    MarkerScan(Marker marker) {
        forms = marker.forms().stream().map(Form::of).toList();
        longest = forms.stream().mapToInt(form -> form.bytes.length).max().orElseThrow();
    }

    /** Takes the next bytes of the stream. */
    void next(byte[] bytes, int length) {
        if (window.length < kept + length) {
            window = Arrays.copyOf(window, kept + length);
        }
        System.arraycopy(bytes, 0, window, kept, length);
        int filled = kept + length;
        for (Form form : forms) {
            found += form.count(window, filled, kept);
        }
        int keep = Math.min(filled, longest - 1);
        System.arraycopy(window, filled - keep, window, 0, keep);
        kept = keep;
    }

    /** Returns how often all forms together were found so far. */
    long found() {
        return found;
    }
}
