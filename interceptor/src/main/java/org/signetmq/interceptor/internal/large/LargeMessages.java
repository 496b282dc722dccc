/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.message.LargeBodyReader;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.SenderRule;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.body.AmqpLargeBody;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.parse.BodyStage;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.protect.MessageSealer;
import org.signetmq.interceptor.internal.protect.ProtectionRequest;
import org.signetmq.interceptor.internal.storage.BrokerField;
import org.signetmq.interceptor.internal.storage.InMemoryLargeMessage;
import org.signetmq.interceptor.internal.storage.StorageGate;
import org.signetmq.interceptor.internal.storage.StorageMethods;
import org.signetmq.interceptor.internal.stream.EnvelopeDetectingStage;

/**
 * Protects large messages, which the broker writes to a file before it asks a plugin. It puts a sealing storage between
 * sessions and the broker's storage. Where that is impossible, it rejects large messages.
 */
public final class LargeMessages implements AutoCloseable {
    private static final int READ_AT_ONCE = 64 << 10;

    /** An upper bound of the bytes that the broker adds to a message's size for its record. */
    private static final int ESTIMATED_TRAIL = 1 << 10;

    static final String CORE = "CORE";

    private static final String NOT_FROM_OTHERS =
            "; Signet rejects clients of other protocols than Core, because the broker would write their large messages"
                    + " in clear";

    private final ActiveMQServer server;
    private final LargeBodyWriters writers;
    private final StorageGate.Gate gate;
    private final AmqpLargeSealing.EarlySealer early;
    private final CoreLargeRejection.Judge judge;
    private @Nullable SealingStorage installed; // guarded by this
    private @Nullable AutoCloseable sealingEarly; // guarded by this
    private @Nullable Future<?> sweeping; // guarded by this
    private volatile @Nullable String problem = "the broker has not started";
    private volatile boolean coreAlone;
    private volatile @Nullable StorageManager real;
    private volatile long largeFrom = Long.MAX_VALUE;

    /**
     * The parts of the sealing storage.
     *
     * @param writers seal large messages while the broker writes them
     * @param gate judges messages that no callback judged
     */
    public record Storage(ActiveMQServer server, LargeBodyWriters writers, StorageGate.Gate gate) {}

    /**
     * Makes the protection, which is not installed yet.
     *
     * @param early seals AMQP messages before they become large
     * @param judge finds the messages that the broker must not write in clear
     */
    public LargeMessages(Storage storage, AmqpLargeSealing.EarlySealer early, CoreLargeRejection.Judge judge) {
        this.server = storage.server();
        this.writers = storage.writers();
        this.gate = storage.gate();
        this.early = early;
        this.judge = judge;
    }

    /**
     * Puts the sealing storage before the storage of all new sessions. The caller calls this after the broker has
     * loaded.
     */
    public synchronized void install() {
        if (installed != null) {
            return;
        }
        try {
            BrokerField<StorageManager> field = BrokerField.of(server, StorageManager.class);
            StorageManager storage = StorageGate.unwrapped(field.get());
            StorageMethods methods = StorageMethods.of(StorageManager.class);
            if (methods.problem().isPresent()) {
                throw new MessageRejectedException(methods.problem().get());
            }
            if (!SealingStorage.canSeal(storage)) {
                throw new MessageRejectedException("the broker runs without persistence");
            }
            writers.held().requireCopiesAreSeen();
            ThreadSessions.requireMonitors();
            InMemoryLargeMessage.requireCaller();
            AmqpSessions.requirePools();
            SealingStorage sealing = new SealingStorage(storage, methods, gate, writers);
            field.set(sealing.gated());
            installed = sealing;
            real = storage;
            problem = null;
            largeFrom = sealing.gated().getMaxRecordSize() - ESTIMATED_TRAIL;
            sealingEarly = sealEarly();
            sweeping = server.getScheduledPool().scheduleWithFixedDelay(writers.held()::sweep, 1, 1, TimeUnit.SECONDS);
        } catch (Throwable e) { // any failure: large messages must not seem to be protected
            problem = (e instanceof MessageRejectedException ? String.valueOf(e.getMessage()) : e.toString())
                    + (isWritten() ? NOT_FROM_OTHERS : "");
            rejectBeforeItIsWritten();
            PluginLog.LOG.error("Signet rejects large messages to protected addresses: {}", problem);
        }
    }

    /** Returns whether the broker writes large messages to files. */
    private boolean isWritten() {
        return SealingStorage.canSeal(server.getStorageManager());
    }

    /**
     * Rejects large messages of Core clients early, and all clients of other protocols. The plugin cannot recognise
     * large messages of the others in time.
     */
    private void rejectBeforeItIsWritten() {
        if (isWritten()) {
            coreAlone = true;
            largeFrom = server.getStorageManager().getMaxRecordSize() - ESTIMATED_TRAIL;
            CoreLargeRejection rejecting = new CoreLargeRejection(server, judge);
            server.getRemotingService().addIncomingInterceptor(rejecting);
            sealingEarly = () -> server.getRemotingService().removeIncomingInterceptor(rejecting);
        }
    }

    /**
     * Checks that the broker would not write large messages of a client in clear.
     *
     * @throws MessageRejectedException if it would
     */
    public void requireHarmless(RemotingConnection connection) throws MessageRejectedException {
        String protocol = connection.getProtocolName();
        if (coreAlone && protocol != null && !protocol.equals(CORE)) {
            throw new MessageRejectedException("clients of " + protocol + " are rejected: " + problem);
        }
    }

    private @Nullable AutoCloseable sealEarly() {
        try {
            return AmqpLargeSealing.install(server, early);
        } catch (LinkageError noAmqp) {
            return null;
        }
    }

    /** Returns whether the broker will make this message in memory large. */
    public boolean makesLarge(Message message) {
        return message.getEncodeSize() > largeFrom;
    }

    /** Notes that the next message of this thread has no policy. The broker makes it large as without the plugin. */
    public void letPass() {
        writers.letPass();
    }

    /** Returns the reason why large messages are rejected, or null. */
    @Nullable
    public String problem() {
        return problem;
    }

    /** Returns the greatest length of a record of the journal, in bytes. */
    public long largestRecord() {
        StorageManager storage = real;
        return (storage == null ? server.getStorageManager() : storage).getMaxRecordSize();
    }

    /** Writes the buffered body unchanged. */
    public void writeIfHeld(Message message) throws Exception {
        BufferedBody held = message instanceof LargeServerMessage ? BufferedBody.of(message) : null;
        if (held != null) {
            held.write((LargeServerMessage) message, writers.syncs());
        }
    }

    /** Writes the buffered body of a Core message from another broker, sealed. */
    public void writeSealed(BufferedBody held, LargeServerMessage message, ProtectionRequest request) throws Exception {
        writers.writeHeld(message, held, request);
    }

    /** Writes other bytes in place of the buffered body. */
    public void write(byte[] bytes, BufferedBody held, LargeServerMessage message) throws Exception {
        held.write(bytes, message, writers.syncs());
    }

    /**
     * Checks a large message that no writer sealed, such as the copy of a divert.
     *
     * @throws MessageRejectedException if the message is in clear
     */
    public void requireSealed(LargeServerMessage message, ProtectionRequest request) throws Exception {
        String why = problem;
        if (why != null) {
            throw new MessageRejectedException("large messages cannot be protected: " + why);
        }
        if (!isSealed(message, request)) {
            throw new MessageRejectedException(
                    RejectionReason.NOT_SEALED, "the large message was not sealed when the broker wrote it");
        }
        MessageSealer.markApproved(message.toMessage(), request.target().address());
    }

    /** Returns whether the file of a message consists of envelopes that satisfy the policy. */
    static boolean isSealed(LargeServerMessage message, ProtectionRequest request) throws Exception {
        Optional<MessageSealer.Target> before = request.source().before();
        return isSealed(
                        message,
                        envelopes(request, request.target(), request.source().senders()))
                || (before.isPresent() && isSealed(message, envelopes(request, before.get(), SenderRule.ANY)));
    }

    /**
     * Returns the maker of sealed copies of messages that lie in queues.
     *
     * @throws MessageRejectedException if large messages cannot be protected
     */
    public LargeCopies copies(MessageSealer sealer) throws MessageRejectedException {
        StorageManager storage = real;
        String why = problem;
        if (storage == null || why != null) {
            throw new MessageRejectedException("large messages cannot be protected: " + why);
        }
        return new LargeCopies(writers, sealer, storage);
    }

    /**
     * Seals a large message in clear that the broker moved here from an address without a policy: a dead letter, an
     * expired message, the copy of a divert. Its file is complete, and the broker has not routed it yet.
     *
     * @return whether the message was sealed; false for any other message
     * @throws MessageRejectedException if it cannot be sealed
     */
    public boolean sealMoved(Message message, ProtectionRequest request, MessageSealer sealer) throws Exception {
        if (problem != null
                || !(message instanceof LargeServerMessage file)
                || BufferedBody.of(message) != null
                || message.getBrokerProperty(Message.HDR_ORIGINAL_ADDRESS) == null
                || isSealed(file, request)) {
            return false;
        }
        MessageSealer.requireSealing(request);
        copies(sealer).sealMoved(file, request);
        return true;
    }

    private static EnvelopeDetectingStage.Envelopes envelopes(
            ProtectionRequest request, MessageSealer.Target target, SenderRule senders) {
        return EnvelopeDetectingStage.Envelopes.of(
                request.home().crypto().chain(target.address(), target.policy(), senders));
    }

    /** Returns whether the file of a message consists of these envelopes. */
    static boolean isSealed(LargeServerMessage message, EnvelopeDetectingStage.Envelopes envelopes) throws Exception {
        try (LargeBodyReader reader = message.getLargeBodyReader()) {
            reader.open();
            return goToBytes(message.toMessage(), reader)
                    && EnvelopeDetectingStage.isSealed(stage -> copy(reader, stage), envelopes);
        }
    }

    private static void copy(LargeBodyReader reader, BodyStage stage) throws Exception {
        byte[] part = new byte[READ_AT_ONCE];
        for (int read = reader.readInto(ByteBuffer.wrap(part));
                read > 0;
                read = reader.readInto(ByteBuffer.wrap(part))) {
            stage.add(part, 0, read);
        }
    }

    static boolean goToBytes(Message message, LargeBodyReader reader) throws Exception {
        if (message instanceof ICoreMessage core) {
            return core.getType() == Message.BYTES_TYPE;
        }
        return AmqpLargeBody.isOf(message) && AmqpLargeBody.goToBytes(message, reader);
    }

    /** Corrects the property with the body's length, which the protocols set to the length in clear. */
    public static void correctSize(Message message) throws Exception {
        if (message instanceof LargeServerMessage large && message instanceof ICoreMessage) {
            Long size = large.getLargeBody().getBodySize();
            if (!size.equals(message.getObjectProperty(Message.HDR_LARGE_BODY_SIZE))) {
                message.putLongProperty(Message.HDR_LARGE_BODY_SIZE, size);
            }
        }
    }

    /** Rejects large messages from now on. The storage stays, because sessions may still use it. */
    @Override
    public synchronized void close() {
        problem = "the plugin has stopped";
        writers.close();
        closeEarly();
        if (sweeping != null) {
            sweeping.cancel(false);
        }
    }

    /** Restores the storage of new sessions when the plugin is removed from a running broker. */
    public synchronized void uninstall() {
        writers.remove();
        coreAlone = false;
        SealingStorage sealing = installed;
        installed = null;
        if (sealing != null) {
            try {
                BrokerField<StorageManager> field = BrokerField.of(server, StorageManager.class);
                if (field.get() == sealing.gated()) {
                    field.set(sealing.real());
                }
            } catch (Throwable e) {
                PluginLog.LOG.warn("the storage of the broker's sessions could not be restored", e);
            }
        }
    }

    private void closeEarly() {
        try {
            if (sealingEarly != null) {
                sealingEarly.close();
            }
        } catch (Exception e) {
            PluginLog.LOG.warn("Signet's interceptor could not be removed", e);
        }
        sealingEarly = null;
    }
}
