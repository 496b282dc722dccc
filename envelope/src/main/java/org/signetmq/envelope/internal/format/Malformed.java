/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.format;

import org.signetmq.envelope.exception.MalformedEnvelopeException;

/** Rejects bytes that do not have the format. */
public final class Malformed {
    private Malformed() {}

    /** Rejects the bytes with this message if the condition holds. */
    public static void when(boolean wrong, String message) {
        if (wrong) {
            throw new MalformedEnvelopeException(message);
        }
    }

    /** Rejects the bytes if the condition holds. The message has this number between its two parts. */
    public static void when(boolean wrong, String before, int number, String after) {
        if (wrong) {
            throw new MalformedEnvelopeException(before + number + after);
        }
    }
}
