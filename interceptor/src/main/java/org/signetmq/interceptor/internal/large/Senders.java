/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.management.impl.ManagementRemotingConnection;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.persistence.OperationContext;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.persistence.impl.journal.OperationContextImpl;
import org.apache.activemq.artemis.core.protocol.core.CoreRemotingConnection;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.reader.MessageUtil;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.parse.WaitingBytes;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.ScratchCipher;

/**
 * Finds the session that sends a large message, and its part of the budget. The broker does not pass the session to its
 * storage, so the thread shows it. The thread of a sending session holds the session's monitor. A Core session binds
 * its context to the thread while it receives a large message. Thread-safe.
 */
final class Senders {
    /** The user for the budget of all senders that the broker does not name, such as federations. */
    private static final String UNKNOWN = "unknown";

    private final ActiveMQServer server;
    private final AmqpSessions amqp;
    private final BufferBudget budget =
            new BufferBudget(BufferBudget.of(Runtime.getRuntime().maxMemory()));
    private final Map<OperationContext, WeakReference<ServerSession>> receivers =
            Collections.synchronizedMap(new WeakHashMap<>());

    Senders(ActiveMQServer server) {
        this.server = server;
        this.amqp = new AmqpSessions(server);
    }

    /** Returns the memory of messages that are not complete, in bytes. */
    long heldBytes() {
        return budget.taken();
    }

    /** Begins the body of an AMQP message in the budget of its sender. */
    BufferBudget.Account account(StorageManager storage, Message message) {
        return account(storage, amqp.of(message));
    }

    /** Begins the body of a message in the budget of its sender. Without a login all senders are one user. */
    BufferBudget.Account account(StorageManager storage, @Nullable ServerSession session) {
        return begin(session).files(() -> new ScratchFile(storage, CryptoProviders.standard()));
    }

    private BufferBudget.Account begin(@Nullable ServerSession session) {
        if (session != null) {
            return budget.begin(String.valueOf(session.getConnectionID()), "user " + session.getValidatedUser());
        }
        RemotingConnection reading = amqp.reading();
        return reading == null
                ? budget.begin(null, UNKNOWN)
                : budget.begin(String.valueOf(reading.getID()), "user " + AmqpSessions.user(reading));
    }

    /**
     * Keeps the name of the connection on a Core message that the broker converted from one of AMQP. The broker loses
     * it. Address federation needs it, because it takes only messages of other connections.
     */
    static void keepConnectionName(ServerSession session, CoreMessage message) {
        RemotingConnection connection = session.getRemotingConnection();
        String name = "AMQP".equals(connection.getProtocolName()) ? connection.getClientID() : null;
        if (name != null && !message.containsProperty(MessageUtil.CONNECTION_ID_PROPERTY_NAME)) {
            message.putStringProperty(MessageUtil.CONNECTION_ID_PROPERTY_NAME_STRING, name);
        }
    }

    /** Returns the session of this thread, which sends or receives a Core message; null if there is none. */
    @Nullable
    ServerSession sessionOf(CoreMessage message) {
        if (SealingStorage.isFetched(message)) {
            return null;
        }
        return BodySealing.isInMemory(message) ? ofThisThread() : receiving();
    }

    /**
     * Returns the session that uses this thread; null if there is none, for example for a federation. It searches all
     * sessions, which takes long with many of them.
     */
    private @Nullable ServerSession ofThisThread() {
        OperationContext context = OperationContextImpl.getContext();
        ServerSession sending = null;
        ServerSession bound = null;
        for (ServerSession session : server.getSessions()) {
            if (Thread.holdsLock(session)) {
                if (session.getRemotingConnection() instanceof ManagementRemotingConnection) {
                    return session; // a management request sends a message within its own send
                }
                sending = session;
            } else if (context != null && session.getSessionContext() == context) {
                bound = session;
            }
        }
        return sending == null ? bound : sending;
    }

    /**
     * Returns the session that receives a large message on this thread part by part; null if there is none. It searches
     * once for each session.
     */
    @Nullable
    ServerSession receiving() {
        OperationContext context = OperationContextImpl.getContext();
        WeakReference<ServerSession> known = context == null ? null : receivers.get(context);
        ServerSession receiver = known == null ? null : known.get();
        if (receiver != null && isReceiving(receiver)) {
            return receiver;
        }
        ServerSession found = ofThisThread();
        if (found != null && context != null && hasOwn(context, found) && isReceiving(found)) {
            receivers.put(context, new WeakReference<>(found));
        }
        return found;
    }

    /** Returns whether no other session has this context. Sessions of other protocols than Core may share one. */
    private static boolean hasOwn(OperationContext context, ServerSession session) {
        return session.getSessionContext() == context
                && session.getRemotingConnection() instanceof CoreRemotingConnection;
    }

    /** Returns whether an open session is not sending: within a send, the management sends in another session. */
    private boolean isReceiving(ServerSession session) {
        return !Thread.holdsLock(session) && server.getSessionByID(session.getName()) == session;
    }

    /**
     * A temporary file for a buffered body, encrypted under a key that is only in memory. It lies in the broker's
     * folder of large messages. The broker deletes it at its next start, and neither replicates nor mirrors it.
     */
    static final class ScratchFile implements WaitingBytes.Overflow {
        /** The size of one encrypted part, in bytes, as the broker itself uses. */
        private static final int MOST_AT_ONCE = 100 << 10;

        private final SequentialFile file;
        private final ScratchCipher cipher;
        private long parts;

        ScratchFile(StorageManager storage, CryptoProviders providers) {
            this.cipher = new ScratchCipher(providers);
            this.file = storage.createFileForLargeMessage(storage.generateID(), false);
        }

        /** Appends bytes, and closes the file until the next call: a client may let thousands of them wait. */
        @Override
        public void add(byte[] bytes, int offset, int length) throws Exception {
            if (!file.isOpen()) {
                file.open();
            }
            for (int done = 0; done < length; done += MOST_AT_ONCE) {
                append(cipher.encrypt(bytes, offset + done, Math.min(MOST_AT_ONCE, length - done)));
                parts++;
            }
            file.close(false, false);
        }

        private void append(byte[] part) throws Exception {
            long end = file.size();
            byte[] record = ByteBuffer.allocate(Integer.BYTES + part.length)
                    .putInt(part.length)
                    .put(part)
                    .array();
            file.position(end);
            file.blockingWriteDirect(ByteBuffer.wrap(record), false, false);
            if (file.size() != end + record.length) {
                throw new MessageRejectedException(
                        "the temporary file of the message could not be written; is the disk full?");
            }
        }

        /**
         * Passes the whole content to a reader.
         *
         * @throws MessageRejectedException if the file was changed
         */
        @Override
        public void read(WaitingBytes.Reader reader) throws Exception {
            if (!file.isOpen()) {
                file.open();
            }
            file.position(0);
            byte[] clear = new byte[MOST_AT_ONCE];
            for (long number = 0; number < parts; number++) {
                int length = ByteBuffer.wrap(next(Integer.BYTES)).getInt();
                if (length <= ScratchCipher.ADDED || length > MOST_AT_ONCE + ScratchCipher.ADDED) {
                    throw changed();
                }
                if (!cipher.decrypt(number, ByteBuffer.wrap(next(length)), clear)) {
                    throw changed();
                }
                reader.add(clear, 0, length - ScratchCipher.ADDED);
            }
            Arrays.fill(clear, (byte) 0);
            file.close(false, false);
        }

        private byte[] next(int length) throws Exception {
            ByteBuffer buffer = ByteBuffer.allocate(length);
            if (file.read(buffer) != length) {
                throw changed();
            }
            return buffer.array();
        }

        private static MessageRejectedException changed() {
            return new MessageRejectedException("the temporary file of the message was changed");
        }

        /** Deletes the file, and wipes its key. A repeated call has no effect. */
        @Override
        public void delete() throws Exception {
            cipher.close();
            if (file.exists()) {
                file.delete();
            }
        }
    }
}
