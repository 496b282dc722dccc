/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.entity;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.DataFormatException;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.Slice;

/** The one encoding that a payload may have: zlib (RFC 1950). */
public final class Deflation {
    /** The value of Signet-Encoding. */
    static final String NAME = "deflate";

    /** A payload is never longer than this once decoded: a few bytes could claim to be anything. */
    static final int MOST_BYTES = 64 << 20;

    private static final int PIECE = 8 << 10;

    private Deflation() {}

    public static byte[] deflate(byte[] payload) {
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
        Inflater inflater = new Inflater();
        try {
            byte[] payload = new byte[lengthOf(deflated, inflater)]; // what is refused takes no memory
            inflater.reset();
            inflater.setInput(deflated.array(), deflated.offset(), deflated.length());
            int length = 0;
            while (length < payload.length) {
                length += inflater.inflate(payload, length, payload.length - length);
            }
            return payload;
        } catch (DataFormatException e) {
            throw notDeflated();
        } finally {
            inflater.end();
        }
    }

    /** How long the payload is. Inflates it, a piece at a time. */
    private static int lengthOf(Slice deflated, Inflater inflater) throws DataFormatException {
        inflater.setInput(deflated.array(), deflated.offset(), deflated.length());
        byte[] piece = new byte[PIECE];
        int length = 0;
        while (!inflater.finished()) {
            int inflated = inflater.inflate(piece);
            if (inflated == 0 && !inflater.finished()) {
                throw notDeflated(); // cut off, or with a dictionary
            }
            length += inflated;
            if (length > MOST_BYTES) {
                throw new MalformedEnvelopeException(
                        "entity: its payload is longer than " + MOST_BYTES + " bytes decoded");
            }
        }
        return length;
    }

    private static MalformedEnvelopeException notDeflated() {
        return new MalformedEnvelopeException("entity: its payload is not encoded as it says");
    }
}
