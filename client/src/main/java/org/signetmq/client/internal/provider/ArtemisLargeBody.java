/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.Message;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import org.apache.activemq.artemis.core.client.impl.ClientLargeMessageInternal;
import org.apache.activemq.artemis.core.client.impl.LargeMessageControllerImpl;
import org.apache.activemq.artemis.jms.client.ActiveMQMessage;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.Opener;

/**
 * The body of a large message of the Artemis client, as a stream. The client buffers at most its window. This class
 * needs the classes of the client. For one thread at a time.
 */
public final class ArtemisLargeBody extends BulkInputStream {
    /** The bytes that show whether a body is an envelope. */
    private static final int GLANCE = 64;

    /** The greatest length in bytes of a body that is opened as a whole. */
    private static final long MOST_WHOLE = 8 << 20;

    private static final int BLOCK = 8192;

    private final LargeMessageControllerImpl packets;
    private long position = GLANCE;

    private ArtemisLargeBody(LargeMessageControllerImpl packets) {
        this.packets = packets;
    }

    /** Returns the body if it arrives in packets, is large and sealed; else null, and the body is unread. */
    static @Nullable public InputStream of(Message message) throws IOException {
        if (message instanceof ActiveMQMessage artemis
                && artemis.getCoreMessage() instanceof ClientLargeMessageInternal large
                && large.getLargeMessageController() instanceof LargeMessageControllerImpl packets
                && packets.getSize() > MOST_WHOLE) {
            // The client reads only forward, and keeps a packet that was begun for a later call for the whole body.
            byte[] first = get(packets, 0, GLANCE);
            return Opener.looksSealed(first)
                    ? new SequenceInputStream(new ByteArrayInputStream(first), new ArtemisLargeBody(packets))
                    : null;
        }
        return null;
    }

    @Override
    protected int readSome(byte[] into, int offset, int length) throws IOException {
        long left = packets.getSize() - position;
        if (left <= 0) {
            return -1;
        }
        int count = (int) Math.min(Math.min(length, BLOCK), left);
        System.arraycopy(get(packets, position, count), 0, into, offset, count);
        position += count;
        return count;
    }

    /** Reads bytes. The client throws many types if packets do not arrive or the consumer is closed. */
    private static byte[] get(LargeMessageControllerImpl packets, long from, int length) throws IOException {
        byte[] bytes = new byte[length];
        try {
            packets.getBytes(from, bytes);
            return bytes;
        } catch (RuntimeException | IllegalAccessError e) {
            throw new IOException("body: the rest of the large message cannot be read, at byte " + from, e);
        }
    }
}
