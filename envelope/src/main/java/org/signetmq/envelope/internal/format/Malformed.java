/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.format;

import org.signetmq.envelope.exception.MalformedEnvelopeException;

/** Rejects bytes that do not have the format. */
public final class Malformed {
    private Malformed() {}

    /** Rejects the bytes with this message if the condition holds. The message must be a constant, for speed. */
    public static void when(boolean wrong, String message) {
        if (wrong) {
            throw new MalformedEnvelopeException(message);
        }
    }
}
