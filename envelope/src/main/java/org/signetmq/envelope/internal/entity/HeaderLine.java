/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.entity;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;

/** A known header line with its last value, which the next message mostly repeats. For one thread. */
final class HeaderLine {
    private final String name;
    private final byte[] lowerCase;

    private boolean present;
    private int start;
    private byte[] bytes = new byte[0];
    private String decoded = "";

    HeaderLine(String name) {
        this.name = name;
        this.lowerCase = name.toLowerCase(Locale.ROOT).getBytes(US_ASCII);
    }

    /** Tells whether these bytes are the name, in upper or lower case. */
    boolean isNamed(byte[] source, int start, int end) {
        if (lowerCase.length != end - start) {
            return false;
        }
        for (int i = 0; i < lowerCase.length; i++) {
            byte b = source[start + i];
            if ((b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b) != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }

    void clear() {
        present = false;
    }

    /** Sets the value, which must be percent-encoded. Rejects a second value. */
    void set(byte[] source, int from, int to) {
        if (present) {
            throw twice();
        }
        present = true;
        start = from;
        if (!Arrays.equals(source, from, to, bytes, 0, bytes.length)) {
            decoded = PercentEncoding.decode(new String(source, from, to - from, US_ASCII));
            bytes = Arrays.copyOfRange(source, from, to); // last, so that a failed value is not taken for a known one
        }
    }

    static MalformedEnvelopeException twice() {
        return new MalformedEnvelopeException("entity: a header line is repeated");
    }

    /** The position of the value. */
    int start() {
        return start;
    }

    /** The length of the value in bytes, percent-encoded. */
    int encodedLength() {
        return bytes.length;
    }

    /** The value, percent-decoded, or null if the line is missing. */
    @Nullable
    String value() {
        return present ? decoded : null;
    }

    /** The value of a required line. */
    String required() {
        if (!present) {
            throw new MalformedEnvelopeException("entity: header line " + name + " is missing");
        }
        return decoded;
    }
}
