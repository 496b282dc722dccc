/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.InflaterInputStream;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.message.LargeBodyReader;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.signetmq.envelope.EnvelopeChain;
import org.signetmq.envelope.EnvelopeCheck;
import org.signetmq.interceptor.internal.body.AmqpLargeBody;
import org.signetmq.interceptor.internal.body.MessageBodies;
import org.signetmq.interceptor.internal.parse.WaitingBytes;

/** The bytes in the file of a large message. It reads the file as far as the caller reads. */
public final class StoredBody extends InputStream {
    /** The longest envelope that is read, in bytes: a full segment and its certificates fit. */
    private static final int LONGEST_ENVELOPE = 2 << 20;

    private static final int READ_AT_ONCE = 100 << 10;
    private static final int BUFFERED = 4096;

    private final LargeBodyReader reader;
    private final long size;
    private long position;

    private StoredBody(LargeServerMessage large) throws ActiveMQException {
        reader = large.getLargeBodyReader();
        try {
            reader.open();
            size = reader.getSize();
        } catch (ActiveMQException | RuntimeException e) {
            reader.close();
            throw e;
        }
    }

    /** Opens the bytes that may be envelopes; empty if no envelope has this kind of body. */
    private static Optional<StoredBody> possibleEnvelopes(LargeServerMessage large) throws Exception {
        StoredBody body = new StoredBody(large);
        boolean found = false;
        try {
            found = body.goToBytes(large.toMessage());
            return found ? Optional.of(body) : Optional.empty();
        } finally {
            if (!found) {
                body.close();
            }
        }
    }

    private boolean goToBytes(Message message) throws Exception {
        if (message instanceof ICoreMessage core) {
            return core.getType() == Message.BYTES_TYPE;
        }
        boolean found = AmqpLargeBody.isOf(message) && AmqpLargeBody.goToBytes(message, reader);
        position = reader.position();
        return found;
    }

    /**
     * Opens the body, and decompresses it if a Core client compressed it; empty if no envelope has this kind of body.
     */
    public static Optional<InputStream> open(LargeServerMessage large) throws Exception {
        boolean compressed = Boolean.TRUE.equals(large.toMessage().getObjectProperty(Message.HDR_LARGE_COMPRESSED));
        return possibleEnvelopes(large)
                .map(body -> new BufferedInputStream(body, BUFFERED))
                .map(bytes -> compressed ? new InflaterInputStream(bytes) : bytes);
    }

    /** Opens the bytes of a message that may be an envelope, in a file or in memory; empty for another kind of body. */
    public static Optional<InputStream> of(Message message) throws Exception {
        return message instanceof LargeServerMessage large && message.isLargeMessage()
                ? open(large)
                : MessageBodies.possibleEnvelope(message);
    }

    /** Returns the first envelope, and reads no more of the file; empty if the body begins otherwise. */
    public static Optional<byte[]> firstEnvelope(LargeServerMessage large) throws Exception {
        Optional<StoredBody> found = possibleEnvelopes(large);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try (StoredBody body = found.get()) {
            byte[] head = new byte[EnvelopeChain.HEAD_LENGTH];
            int length = EnvelopeChain.lengthOf(head, body.readNBytes(head, 0, head.length));
            if (length < head.length || length > LONGEST_ENVELOPE) {
                return Optional.empty();
            }
            byte[] envelope = Arrays.copyOf(head, length);
            int rest = length - head.length;
            return body.readNBytes(envelope, head.length, rest) == rest ? Optional.of(envelope) : Optional.empty();
        }
    }

    /** Returns whether the body has the form of an envelope. Reads only its beginning. */
    public static boolean looksSealed(Message message) throws Exception {
        try (InputStream body = of(message).orElseGet(InputStream::nullInputStream)) {
            return EnvelopeCheck.looksSealed(ByteBuffer.wrap(body.readNBytes(EnvelopeCheck.HEAD_LENGTH)));
        }
    }

    /** Returns whether the file of a message consists of these envelopes. */
    static boolean isSealed(LargeServerMessage large, EnvelopeDetectingStage.Envelopes envelopes) throws Exception {
        Optional<StoredBody> found = possibleEnvelopes(large);
        if (found.isEmpty()) {
            return false;
        }
        try (StoredBody body = found.get()) {
            return EnvelopeDetectingStage.isSealed(body::copyTo, envelopes);
        }
    }

    /** Passes the whole file of a message to a reader, part by part. */
    static void read(LargeServerMessage large, WaitingBytes.Reader reader) throws Exception {
        try (StoredBody body = new StoredBody(large)) {
            body.copyTo(reader);
        }
    }

    private void copyTo(WaitingBytes.Reader reader) throws Exception {
        byte[] part = new byte[READ_AT_ONCE];
        for (int read = read(part); read > 0; read = read(part)) {
            reader.add(part, 0, read);
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) == 1 ? one[0] & 0xFF : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        try {
            int read = reader.readInto(ByteBuffer.wrap(bytes, offset, length).slice());
            position += Math.max(0, read);
            return read <= 0 ? -1 : read;
        } catch (ActiveMQException e) {
            throw new IOException(e);
        }
    }

    @Override
    public long skip(long count) throws IOException {
        long skipped = Math.max(0, Math.min(count, size - position));
        try {
            reader.position(position + skipped);
        } catch (ActiveMQException e) {
            throw new IOException(e);
        }
        position += skipped;
        return skipped;
    }

    @Override
    public void close() throws IOException {
        try {
            reader.close();
        } catch (ActiveMQException e) {
            throw new IOException(e);
        }
    }
}
