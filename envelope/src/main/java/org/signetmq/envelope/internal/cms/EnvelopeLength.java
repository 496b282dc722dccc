/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import org.signetmq.envelope.internal.der.Slice;

/** How long an envelope says that it is: by its first few bytes, of which nothing is verified. */
public final class EnvelopeLength {
    /** No envelope is told by fewer bytes: tag, length and the identifier of its kind. */
    public static final int HEAD = 32;

    /** Of an envelope in another encoding than ours, whose end may show only when all of it is read. */
    static final long UNKNOWN = -1;

    private EnvelopeLength() {}

    /** Length of the envelope that begins here, with tag and length; only its first bytes need be there. */
    public static long of(byte[] bytes, int end) {
        return of(new Slice(bytes, 0, end));
    }

    /** As {@link #of(byte[], int)}. */
    public static long of(Slice envelope) {
        byte[] bytes = envelope.array();
        int start = envelope.offset() + 2;
        int first = bytes[start - 1] & 0xFF;
        if (first < 0x80) {
            return 2L + first;
        }
        int octets = first & 0x7F;
        if (octets == 0 || octets > Integer.BYTES || octets > envelope.length() - 2) {
            return UNKNOWN;
        }
        long length = 0;
        for (int i = 0; i < octets; i++) {
            length = (length << Byte.SIZE) | (bytes[start + i] & 0xFF);
        }
        return 2 + octets + length;
    }

    /** Whether these bytes, which begin as an envelope does, go on behind it. */
    public static boolean isShorterThan(byte[] bytes) {
        long length = of(bytes, bytes.length);
        return length != UNKNOWN && length < bytes.length;
    }
}
