/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.entity;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;

/**
 * One line of a header that we know by name; used again for the next header. Messages in a row mostly have the same
 * values: one string serves them all. For one thread.
 */
final class HeaderLine {
    private final String name;
    private final byte[] lowerCase;

    private boolean present;
    private int start;
    private int end;
    private byte[] bytes = new byte[0];
    private String decoded = "";

    HeaderLine(String name) {
        this.name = name;
        this.lowerCase = name.toLowerCase(Locale.ROOT).getBytes(US_ASCII);
    }

    /** Whether these bytes are its name, upper or lower case not mattering. */
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

    /** Takes the value, which must be the first. */
    void set(byte[] source, int from, int to) {
        if (present) {
            throw twice();
        }
        present = true;
        start = from;
        end = to;
        if (!Arrays.equals(source, from, to, bytes, 0, bytes.length)) {
            decoded = PercentEncoding.decode(new String(source, from, to - from, US_ASCII));
            bytes = Arrays.copyOfRange(source, from, to); // last, so that what failed is not taken for known
        }
    }

    static MalformedEnvelopeException twice() {
        return new MalformedEnvelopeException("entity: a header line stands twice");
    }

    /** Where in its source the value begins. */
    int start() {
        return start;
    }

    /** Where in its source the value ends. */
    int end() {
        return end;
    }

    /** The value, percent-decoded, or null if the line is missing. */
    @Nullable
    String value() {
        return present ? decoded : null;
    }

    /** The value of a line that must be there. */
    String required() {
        if (!present) {
            throw new MalformedEnvelopeException("entity: header line " + name + " is missing");
        }
        return decoded;
    }
}
