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
import org.signetmq.envelope.internal.format.Malformed;

/** Deflates and inflates payloads (zlib, RFC 1950). */
public final class Deflation {
    /** The value of Signet-Encoding. */
    static final String NAME = "deflate";

    /** The most bytes of an inflated payload, because few bytes can inflate to any length. */
    static final int MOST_BYTES = 64 << 20;

    private static final int CHUNK = 8 << 10;

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

    /** Inflates a payload of at most {@link #MOST_BYTES}. */
    static byte[] inflate(Slice deflated) {
        Inflater inflater = new Inflater();
        try {
            byte[] payload = new byte[lengthOf(deflated, inflater)]; // after the limit was checked
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

    /** Inflates the payload in small chunks and returns its length. */
    private static int lengthOf(Slice deflated, Inflater inflater) throws DataFormatException {
        inflater.setInput(deflated.array(), deflated.offset(), deflated.length());
        byte[] chunk = new byte[CHUNK];
        int length = 0;
        while (!inflater.finished()) {
            int inflated = inflater.inflate(chunk);
            if (inflated == 0 && !inflater.finished()) {
                throw notDeflated(); // truncated, or with a dictionary
            }
            length += inflated;
            Malformed.when(length > MOST_BYTES, "entity: its payload is longer than " + MOST_BYTES + " bytes decoded");
        }
        return length;
    }

    private static MalformedEnvelopeException notDeflated() {
        return new MalformedEnvelopeException("entity: its payload is not deflated as its header says");
    }
}
