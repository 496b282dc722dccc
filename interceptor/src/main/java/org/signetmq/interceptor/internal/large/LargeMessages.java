/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.message.LargeBodyReader;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.SenderRule;
import org.signetmq.interceptor.internal.body.AmqpLargeBody;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.protect.MessageSealer;
import org.signetmq.interceptor.internal.protect.ProtectionRequest;
import org.signetmq.interceptor.internal.storage.BrokerField;
import org.signetmq.interceptor.internal.storage.StorageGate;
import org.signetmq.interceptor.internal.storage.StorageMethods;
import org.signetmq.interceptor.internal.stream.DiscardingStage;
import org.signetmq.interceptor.internal.stream.EnvelopeDetectingStage;
import org.signetmq.interceptor.internal.stream.RejectingStage;

/**
 * Protects large messages, which the broker writes to a file before it asks a plugin. Puts a sealing storage between
 * sessions and their storage. Where that is impossible, it rejects large messages.
 */
public final class LargeMessages implements AutoCloseable {
    private static final int READ_AT_ONCE = 64 << 10;

    /** The bytes that the broker adds to a message's size for its record, generously. */
    private static final int ESTIMATED_TRAIL = 1 << 10;

    /** As connections of Core clients name their protocol. */
    private static final String CORE = "CORE";

    private static final String NOT_FROM_OTHERS =
            "; clients of other protocols than Core are rejected, for it would write their large messages in clear";

    private final ActiveMQServer server;
    private final LargeBodyWriters writers;
    private final StorageGate.Gate gate;
    private final AmqpLargeSealing.Sealing early;
    private final CoreLargeRejection.Judge judge;
    private @Nullable SealingStorage installed; // guarded by this
    private @Nullable AutoCloseable sealingEarly; // guarded by this
    private volatile @Nullable String problem = "the broker has not started";
    private volatile boolean coreAlone;
    private volatile @Nullable StorageManager real;
    private volatile long largeFrom = Long.MAX_VALUE;

    /**
     * The sealing storage between sessions and their storage.
     *
     * @param writers seal large messages on their way
     * @param gate judges messages that no entrance judged
     */
    public record Storage(ActiveMQServer server, LargeBodyWriters writers, StorageGate.Gate gate) {}

    /**
     * Nothing is protected yet.
     *
     * @param early seals AMQP messages before they become large
     * @param judge finds the messages that must not be written where they cannot be sealed
     */
    public LargeMessages(Storage storage, AmqpLargeSealing.Sealing early, CoreLargeRejection.Judge judge) {
        this.server = storage.server();
        this.writers = storage.writers();
        this.gate = storage.gate();
        this.early = early;
        this.judge = judge;
    }

    /** Puts the storage of all sessions to come behind one that seals; to be called when the broker has loaded. */
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
            SealingStorage sealing = new SealingStorage(storage, methods, gate, writers);
            field.set(sealing.proxy());
            installed = sealing;
            real = storage;
            problem = null;
            largeFrom = sealing.proxy().getMaxRecordSize() - ESTIMATED_TRAIL;
            sealingEarly = sealEarly();
        } catch (Throwable e) { // any failure: large messages must not seem to be protected
            problem = (e instanceof MessageRejectedException ? String.valueOf(e.getMessage()) : e.toString())
                    + (isWritten() ? NOT_FROM_OTHERS : "");
            rejectBeforeItIsWritten();
            PluginLog.LOG.error("Signet rejects large messages to protected addresses: {}", problem);
        }
    }

    /** Whether large messages go into files. */
    private boolean isWritten() {
        return SealingStorage.canSeal(server.getStorageManager());
    }

    /** For other protocols the plugin cannot see in time that a message is large, so it admits no clients of them. */
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
     * Rejects a client that would write its large messages in clear.
     *
     * @throws MessageRejectedException if this is one
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

    /** Whether a session will make a large message of this one, which is in memory. */
    public boolean makesLarge(Message message) {
        return message.getEncodeSize() > largeFrom;
    }

    /** The message that this thread is about to send has no policy: it is made large as without the plugin. */
    public void letPass() {
        writers.letPass();
    }

    /** Why large messages are rejected, or null. */
    @Nullable
    public String problem() {
        return problem;
    }

    /** Returns the longest record of the journal, less a reserve for the growth by sealing. */
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

    /** Gives a Core message from another broker its file, sealed. */
    public void writeSealed(BufferedBody held, LargeServerMessage message, ProtectionRequest request) throws Exception {
        writers.writeHeld(message, held, request);
    }

    /** Gives a message its file, of other bytes than came. */
    public void write(byte[] bytes, BufferedBody held, LargeServerMessage message) throws Exception {
        held.write(bytes, message, writers.syncs());
    }

    /**
     * Judges a large message that no writer saw, such as the copy of a divert.
     *
     * @throws MessageRejectedException if it is in clear
     */
    public void requireSealed(LargeServerMessage message, ProtectionRequest request) throws Exception {
        String why = problem;
        if (why != null) {
            throw new MessageRejectedException("large messages cannot be protected: " + why);
        }
        Optional<MessageSealer.Target> before = request.source().before();
        if (!isSealed(
                        message,
                        envelopes(request, request.target(), request.source().senders()))
                && (before.isEmpty() || !isSealed(message, envelopes(request, before.get(), SenderRule.ANY)))) {
            throw new MessageRejectedException("a large message that was not sealed on its way in");
        }
        MessageSealer.markFoundRight(message.toMessage(), request.target().address());
    }

    private static EnvelopeDetectingStage.Envelopes envelopes(
            ProtectionRequest request, MessageSealer.Target target, SenderRule senders) {
        return EnvelopeDetectingStage.Envelopes.of(
                request.home().crypto().chain(target.address(), target.policy(), senders));
    }

    /** Tells whether the file of a message consists of these envelopes. */
    static boolean isSealed(LargeServerMessage message, EnvelopeDetectingStage.Envelopes envelopes) throws Exception {
        EnvelopeDetectingStage judge =
                new EnvelopeDetectingStage(envelopes, new DiscardingStage(), new RejectingStage(""));
        try (judge;
                LargeBodyReader reader = message.getLargeBodyReader()) {
            reader.open();
            if (!goToBytes(message.toMessage(), reader)) {
                return false;
            }
            byte[] part = new byte[READ_AT_ONCE];
            for (int read = reader.readInto(ByteBuffer.wrap(part));
                    read > 0;
                    read = reader.readInto(ByteBuffer.wrap(part))) {
                judge.add(part, 0, read);
            }
            judge.finish();
            return judge.wasSealed();
        } catch (MessageRejectedException notSealed) {
            return false;
        }
    }

    private static boolean goToBytes(Message message, LargeBodyReader reader) throws Exception {
        if (message instanceof ICoreMessage core) {
            return core.getType() == Message.BYTES_TYPE;
        }
        return AmqpLargeBody.isOf(message) && AmqpLargeBody.goToBytes(message, reader);
    }

    /** The protocols say how long the body was in clear. */
    public static void correctSize(Message message) throws Exception {
        if (message instanceof LargeServerMessage large && message instanceof ICoreMessage) {
            Long size = large.getLargeBody().getBodySize();
            if (!size.equals(message.getObjectProperty(Message.HDR_LARGE_BODY_SIZE))) {
                message.putLongProperty(Message.HDR_LARGE_BODY_SIZE, size);
            }
        }
    }

    /** Takes no large message any more. The storage stays as it is, since sessions may still be there. */
    @Override
    public synchronized void close() {
        problem = "the plugin has stopped";
        writers.close();
        closeEarly();
    }

    /** Gives sessions to come the real storage again, as of a plugin that is taken out of a running broker. */
    public synchronized void uninstall() {
        writers.remove();
        coreAlone = false;
        SealingStorage sealing = installed;
        installed = null;
        if (sealing != null) {
            try {
                BrokerField<StorageManager> field = BrokerField.of(server, StorageManager.class);
                if (field.get() == sealing.proxy()) {
                    field.set(sealing.real());
                }
            } catch (Throwable e) {
                PluginLog.LOG.warn("the storage of sessions stays behind one that no longer seals", e);
            }
        }
    }

    private void closeEarly() {
        try {
            if (sealingEarly != null) {
                sealingEarly.close();
            }
        } catch (Exception e) {
            PluginLog.LOG.warn("an interceptor stays that no longer seals", e);
        }
        sealingEarly = null;
    }
}
