/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.InflaterInputStream;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.message.LargeBodyReader;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.signetmq.interceptor.internal.body.AmqpLargeBody;

/** The bytes of a stored large message that may be envelopes. It reads its file as far as the caller reads. */
public final class LargeBodyStream extends InputStream {
    private static final int READ_AT_ONCE = 4096;

    private final LargeBodyReader reader;
    private final long size;
    private long position;

    private LargeBodyStream(LargeBodyReader reader, long start) throws ActiveMQException {
        this.reader = reader;
        this.size = reader.getSize();
        this.position = start;
    }

    /**
     * Opens the body, and decompresses it if a Core client compressed it; empty if no envelope has this kind of body.
     */
    public static Optional<InputStream> open(LargeServerMessage large) throws Exception {
        Message message = large.toMessage();
        LargeBodyReader reader = large.getLargeBodyReader();
        boolean isOpen = false;
        try {
            reader.open();
            if (!LargeMessages.goToBytes(message, reader)) {
                return Optional.empty();
            }
            long start = AmqpLargeBody.isOf(message) ? reader.position() : 0;
            InputStream bytes = new BufferedInputStream(new LargeBodyStream(reader, start), READ_AT_ONCE);
            isOpen = true;
            boolean compressed = Boolean.TRUE.equals(message.getObjectProperty(Message.HDR_LARGE_COMPRESSED));
            return Optional.of(compressed ? new InflaterInputStream(bytes) : bytes);
        } finally {
            if (!isOpen) {
                reader.close();
            }
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
