/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.util.Objects;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQIllegalStateException;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.persistence.impl.nullpm.NullStorageManager;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.storage.InMemoryLargeMessage;
import org.signetmq.interceptor.internal.storage.StorageCall;
import org.signetmq.interceptor.internal.storage.StorageGate;
import org.signetmq.interceptor.internal.storage.StorageMethods;
import org.signetmq.interceptor.internal.stream.EmbeddedStage;

/**
 * Seals the bodies of large messages before they reach the broker's storage, behind the last gate. After the plugin has
 * stopped, it rejects large messages.
 */
public final class SealingStorage extends StorageGate {
    /** The largest reserve in a record, in bytes, for the growth of a message that is almost large. */
    private static final long MOST_RESERVED = 64 << 10;

    /** The bytes that the broker adds to a message's size for its record. */
    private static final int ESTIMATED_TRAIL = 512;

    private final LargeBodyWriters writers;

    SealingStorage(StorageManager real, StorageMethods methods, Gate gate, LargeBodyWriters writers) {
        super(real, methods, gate);
        this.writers = writers;
    }

    /** Returns the number of large messages that the broker is writing. */
    public int openMessages() {
        return writers.count();
    }

    /** Returns the memory of messages that are not judged yet, in bytes. */
    public long heldBytes() {
        return writers.heldBytes();
    }

    @Override
    protected @Nullable Object invoke(StorageCall call, @Nullable Object[] arguments) throws Throwable {
        return switch (call.role()) {
            case BEGIN_FOREIGN -> hold(call, arguments);
            case BEGIN_CORE -> create(call, arguments);
            case MAKE_FILE -> file(call, arguments);
            case ADD_BYTES -> add(call, arguments);
            case END_LARGE -> closed(call, arguments);
            case DELETE_LARGE -> deleted(call, arguments);
            default -> super.invoke(call, arguments);
        };
    }

    /**
     * Returns the greatest length of a record for sessions, less a reserve for the growth by sealing. A text with two
     * bytes for each character may need three. For addresses without a policy it returns the broker's own value.
     */
    @Override
    protected long largestRecord() {
        long largest = real().getMaxRecordSize();
        if (writers.takePassing()) {
            return largest;
        }
        return (largest - Math.min(MOST_RESERVED, largest / 4)) / 3 * 2;
    }

    private boolean staysInMemory(CoreMessage message) {
        return isLargeByReserve(message, real()) && writers.isUnprotected(message);
    }

    /** Returns whether a broker without the plugin would not make this message large. */
    static boolean isLargeByReserve(CoreMessage message, StorageManager storage) {
        return LargeBodyWriters.isInMemory(message)
                && message.getEncodeSize() + ESTIMATED_TRAIL <= storage.getMaxRecordSize()
                && InMemoryLargeMessage.isAskedForLength();
    }

    /** Returns whether a storage writes large messages to files. */
    static boolean canSeal(StorageManager storage) {
        return !(storage instanceof NullStorageManager);
    }

    private @Nullable Object create(StorageCall call, @Nullable Object[] arguments) throws Throwable {
        requirePlugin();
        long id = (Long) Objects.requireNonNull(arguments[0]);
        Message message = (Message) Objects.requireNonNull(arguments[1]);
        if (message instanceof CoreMessage core && staysInMemory(core)) {
            return InMemoryLargeMessage.of(core);
        }
        Object created = create(id, message, call, arguments);
        if (created instanceof LargeServerMessage large) {
            FetchedMessage.note(message, large);
        }
        return created;
    }

    private @Nullable Object create(long id, Message message, StorageCall call, @Nullable Object[] arguments)
            throws Throwable {
        if (writers.passes(real(), id, message)) {
            return createUnprotected(id, call, arguments);
        }
        ServerSession session = writers.sessionOf(message);
        if (writers.mustHold(message, session)) {
            LargeServerMessage large = createLarge(call, arguments);
            BufferedBody held = writers.held().hold(real(), id, large, writers.account(real(), session));
            if (writers.mayCopy(message)) {
                held.allowCopies();
            }
            return large;
        }
        LargeBodyWriter writer = writers.begin(real(), id, message, session);
        if (writer == null) {
            return createUnprotected(id, call, arguments);
        }
        try {
            LargeServerMessage large = createLarge(call, arguments);
            if (large.toMessage() instanceof CoreMessage core) {
                label(core);
            }
            writers.put(id, writer);
            return large;
        } catch (Throwable e) {
            writer.close();
            throw e;
        }
    }

    private LargeServerMessage createLarge(StorageCall call, @Nullable Object[] arguments) throws Throwable {
        if (!(call.pass(arguments) instanceof LargeServerMessage large)) {
            throw new IllegalStateException("storage: created no large message");
        }
        large.setStorageManager(gated());
        return large;
    }

    private @Nullable Object createUnprotected(long id, StorageCall call, @Nullable Object[] arguments)
            throws Throwable {
        try {
            Object created = call.pass(arguments);
            if (created instanceof LargeServerMessage large && writers.isWatched(id)) {
                large.setStorageManager(gated());
            }
            return created;
        } catch (Throwable e) {
            var unused = writers.remove(id);
            throw e;
        }
    }

    /** Begins to buffer a large AMQP message, because the broker writes it before it tells the address. */
    private @Nullable Object hold(StorageCall call, @Nullable Object[] arguments) throws Throwable {
        if (arguments[0] instanceof Long id
                && arguments[1] instanceof LargeServerMessage large
                && !(large.toMessage() instanceof ICoreMessage)
                && writers.mustHold()) {
            BufferedBody unused =
                    writers.held().hold(real(), id, large, writers.amqpAccount(real(), large.toMessage()));
            try {
                return call.pass(arguments);
            } catch (Throwable e) { // the broker does not know the message, and never deletes it
                BufferedBody never = writers.held().remove(id);
                if (never != null) {
                    never.drop();
                }
                throw e;
            }
        }
        return call.pass(arguments);
    }

    /** Sets the properties that describe the sealed body. */
    static void label(CoreMessage message) {
        if (EmbeddedStage.isCarrier(message)) {
            EmbeddedStage.label(message);
        } else {
            message.setType(Message.BYTES_TYPE);
            message.removeProperty(Message.HDR_LARGE_COMPRESSED);
        }
    }

    /** Makes the file of a message, which a writer writes later. */
    private @Nullable Object file(StorageCall call, @Nullable Object[] arguments) throws Throwable {
        Object file = call.pass(arguments);
        LargeBodyWriter writer = arguments[0] instanceof Long id && writers.syncs() ? writers.openWriter(id) : null;
        return writer != null && file instanceof SequentialFile made
                ? LateSyncedFile.of(made, writer::hasWritten)
                : file;
    }

    private @Nullable Object add(StorageCall call, @Nullable Object[] arguments) throws Throwable {
        LargeBodyWriter writer = arguments[1] instanceof Long id ? writers.find(id) : null;
        BufferedBody held = arguments[1] instanceof Long id ? writers.held().find(id) : null;
        if (writer == null && held == null) {
            return call.pass(arguments);
        }
        requirePlugin();
        if (writer != null) {
            writer.add((SequentialFile) Objects.requireNonNull(arguments[0]), bytes(arguments[2]));
        } else {
            Objects.requireNonNull(held).add(bytes(arguments[2]));
        }
        return null;
    }

    private static byte[] bytes(@Nullable Object body) {
        if (body instanceof byte[] bytes) {
            return bytes;
        }
        if (!(body instanceof ActiveMQBuffer buffer)) {
            throw new IllegalArgumentException("storage: a body of an unknown class");
        }
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        return bytes;
    }

    private @Nullable Object closed(StorageCall call, @Nullable Object[] arguments) throws Throwable {
        LargeServerMessage message = (LargeServerMessage) Objects.requireNonNull(arguments[0]);
        LargeBodyWriter writer = writers.remove(message.toMessage().getMessageID());
        if (writer == null) {
            return writers.held().handTo(message) ? null : call.pass(arguments);
        }
        requirePlugin();
        writer.finish(message, writers.syncs());
        try {
            return call.pass(arguments);
        } catch (Throwable e) {
            writer.fail(e);
            throw e;
        } finally {
            writer.settle(message);
        }
    }

    private @Nullable Object deleted(StorageCall call, @Nullable Object[] arguments) throws Throwable {
        Message message = ((LargeServerMessage) Objects.requireNonNull(arguments[0])).toMessage();
        BufferedBody arriving = writers.held().remove(message.getMessageID());
        BufferedBody held = arriving == null ? BufferedBody.of(message) : arriving;
        if (held != null) {
            held.drop();
        }
        LargeBodyWriter writer = writers.remove(message.getMessageID());
        if (writer != null) {
            writer.close();
        }
        return call.pass(arguments);
    }

    /** Rejects the bytes of a message if the plugin was removed, because it could not reject the send later. */
    private void requirePlugin() throws ActiveMQIllegalStateException {
        if (writers.isRemoved()) {
            throw new ActiveMQIllegalStateException("Signet was removed from the broker; connect again to continue");
        }
    }
}
