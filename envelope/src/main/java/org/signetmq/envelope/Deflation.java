/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/** The one encoding that a payload may have: zlib (RFC 1950). */
final class Deflation {
    /** The value of Signet-Encoding. */
    static final String NAME = "deflate";

    /** A payload is never longer than this once decoded: a few bytes could claim to be anything. */
    static final int MOST_BYTES = 64 << 20;

    private Deflation() {}

    static byte[] deflate(byte[] payload) {
        if (payload.length > MOST_BYTES) {
            throw new IllegalArgumentException("message: too large to be deflated: " + payload.length + " bytes");
        }
        ByteArrayOutputStream deflated = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(deflated)) {
            out.write(payload);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return deflated.toByteArray();
    }

    /**
     * The payload.
     *
     * @throws MalformedEnvelopeException if it is not deflated, or too long
     */
    static byte[] inflate(Slice deflated) {
        byte[] payload;
        try (InflaterInputStream in = new InflaterInputStream(
                new ByteArrayInputStream(deflated.array(), deflated.offset(), deflated.length()))) {
            payload = in.readNBytes(MOST_BYTES + 1);
        } catch (IOException e) {
            throw new MalformedEnvelopeException("entity: its payload is not encoded as it says");
        }
        if (payload.length > MOST_BYTES) {
            throw new MalformedEnvelopeException("entity: its payload is longer than " + MOST_BYTES + " bytes decoded");
        }
        return payload;
    }
}
