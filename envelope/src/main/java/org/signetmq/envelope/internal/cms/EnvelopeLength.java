/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import org.signetmq.envelope.internal.der.Slice;

/** Reads the length that an envelope claims in its first bytes, without verification. */
public final class EnvelopeLength {
    /** The bytes that identify an envelope: tag, length and the identifier of its kind. */
    public static final int HEAD = 32;

    /** The result for an indefinite length. Only a full parse finds the end of such an envelope. */
    static final long UNKNOWN = -1;

    private EnvelopeLength() {}

    /** Returns the length of the envelope that begins with these bytes, or {@link #UNKNOWN}. */
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

    /** Tells whether more bytes follow the envelope at the start of these bytes. */
    public static boolean isShorterThan(Slice bytes) {
        long length = of(bytes);
        return length != UNKNOWN && length < bytes.length();
    }
}
