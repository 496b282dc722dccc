/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.BaseInterceptor;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.persistence.impl.nullpm.NullStorageManager;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPMessage;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPStandardMessage;
import org.apache.activemq.artemis.protocol.amqp.broker.AmqpInterceptor;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.SenderRule;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.body.AmqpBody;
import org.signetmq.interceptor.internal.body.AmqpLargeBody;
import org.signetmq.interceptor.internal.body.MessageBodies;
import org.signetmq.interceptor.internal.body.ProducerProperties;
import org.signetmq.interceptor.internal.large.EnvelopeDetectingStage.Envelopes;
import org.signetmq.interceptor.internal.large.EnvelopeDetectingStage.Envelopes.Rule;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.parse.WaitingBytes;
import org.signetmq.interceptor.internal.parse.WorkMemory;
import org.signetmq.interceptor.internal.protect.MessageSealer;
import org.signetmq.interceptor.internal.protect.MessageSealer.ProtectionRequest;
import org.signetmq.interceptor.internal.protect.PolicyResolver;
import org.signetmq.interceptor.internal.protect.SeenMessages;
import org.signetmq.interceptor.internal.storage.StorageGate;

/**
 * Protects large messages, which the broker writes to a file before it asks a plugin. It puts a sealing storage between
 * sessions and the broker's storage, and judges the messages whose bodies wait there. Without persistence it rejects
 * large messages.
 */
public final class LargeMessages implements AutoCloseable {
    private final ActiveMQServer server;
    private final StorageGate.Gate gate;
    private final PolicyResolver resolver;
    private final MessageSealer sealer;
    private final BodySealing sealing;
    private volatile @Nullable SealingStorage installed;
    private @Nullable BaseInterceptor<?> sealingEarly; // guarded by this
    private @Nullable Future<?> sweeping; // guarded by this
    private volatile @Nullable String problem = "the broker has not started";

    /**
     * Makes the protection, which is not installed yet.
     *
     * @param gate judges messages that no callback judged
     */
    public LargeMessages(ActiveMQServer server, StorageGate.Gate gate, PolicyResolver resolver, MessageSealer sealer) {
        this.server = server;
        this.gate = gate;
        this.resolver = resolver;
        this.sealer = sealer;
        this.sealing = new BodySealing(server, sealer);
    }

    /**
     * Puts the sealing storage before the storage of all new sessions. The caller calls this after the broker has
     * loaded.
     *
     * @throws MessageRejectedException if this version of the broker keeps its storage elsewhere
     */
    public synchronized void install() throws Exception {
        if (installed != null) {
            return;
        }
        StorageManager real = StorageGate.behind(server);
        if (real instanceof NullStorageManager) {
            problem = "the broker runs without persistence";
            return;
        }
        SealingStorage storage = new SealingStorage(real, gate, resolver, sealing, new Senders(server));
        storage.putInto(server);
        installed = storage;
        sweeping = server.getScheduledPool().scheduleWithFixedDelay(storage::sweep, 1, 1, TimeUnit.SECONDS);
        try {
            AmqpLargeSealing early = new AmqpLargeSealing(server, resolver, sealer, storage);
            server.getRemotingService().addIncomingInterceptor(early);
            sealingEarly = early;
        } catch (LinkageError noAmqp) {
            PluginLog.LOG.debug("the broker has no AMQP", noAmqp);
        }
        problem = null;
    }

    /** Returns the reason why large messages are rejected, or null. */
    @Nullable
    public String problem() {
        return problem;
    }

    private SealingStorage required() throws MessageRejectedException {
        SealingStorage storage = installed;
        String why = problem;
        if (storage == null || why != null) {
            throw new MessageRejectedException("large messages cannot be protected: " + why);
        }
        return storage;
    }

    /** Returns the greatest length of a record of the journal, in bytes. */
    public long largestRecord() {
        SealingStorage storage = installed;
        return (storage == null ? server.getStorageManager() : storage.real()).getMaxRecordSize();
    }

    /** Writes the waiting body of a message unchanged. */
    public void writeIfWaiting(Message message) throws Exception {
        LargeBody waiting = message instanceof LargeServerMessage ? LargeBody.of(message) : null;
        if (waiting != null) {
            waiting.write(
                    (LargeServerMessage) message, LargeBody.unchanged(waiting.file(), sent -> {}), sealing.syncs());
        }
    }

    /**
     * Applies the policy to a large message.
     *
     * @return whether its body waited, and was in clear
     * @throws MessageRejectedException if it cannot be protected
     */
    public boolean apply(LargeServerMessage message, ProtectionRequest request) throws Exception {
        LargeBody waiting = LargeBody.of(message.toMessage());
        if (waiting == null) {
            requireSealed(message, request);
            request.removeReserved(message.toMessage());
            return false;
        }
        if (message.toMessage() instanceof CoreMessage core) {
            LargeCopies.requireNoCarrier(core);
            LargeBody sealed = sealing.stream(core, request, waiting.file(), WaitingBytes.Space.UNLIMITED);
            BodySealing.label(core);
            waiting.write(message, sealed, sealing.syncs());
            correctSize(core);
            return false;
        }
        WorkMemory.Work part = sealer.memory().take(waiting.length());
        try (part) {
            long most = request.home().maxMessageSize();
            Message whole = AmqpBody.whole(message.toMessage(), waiting.bytes(most));
            boolean wasClear = sealer.apply(whole, request, request.limit());
            write(AmqpLargeBody.bytesOf(whole), waiting, message);
            request.removeReserved(message.toMessage());
            SeenMessages.share(whole, message.toMessage());
            MessageSealer.markApproved(message.toMessage(), request.target().address());
            return wasClear;
        }
    }

    /** Writes other bytes of AMQP in place of a waiting body. */
    private void write(byte[] bytes, LargeBody waiting, LargeServerMessage message) throws Exception {
        AmqpLargeBody.changedTo(bytes, message.toMessage());
        waiting.write(
                message,
                LargeBody.unchanged(waiting.file(), sent -> {}),
                reader -> reader.add(bytes, 0, bytes.length),
                sealing.syncs());
    }

    /**
     * Checks a large message that was not sealed on its way into the file, such as the copy of a divert.
     *
     * @throws MessageRejectedException if the message is in clear
     */
    public void requireSealed(LargeServerMessage message, ProtectionRequest request) throws Exception {
        SealingStorage unused = required();
        if (!isSealed(message, request)) {
            throw new MessageRejectedException(
                    RejectionReason.NOT_SEALED, "the large message was not sealed when the broker wrote it");
        }
        MessageSealer.markApproved(message.toMessage(), request.target().address());
    }

    /** Returns whether the file of a message consists of envelopes that satisfy the policy. */
    public static boolean isSealed(LargeServerMessage message, ProtectionRequest request) throws Exception {
        if (request.target().isQuarantine()) {
            return StoredBody.looksSealed(message.toMessage());
        }
        Optional<MessageSealer.Target> before = request.source().before();
        return StoredBody.isSealed(
                        message,
                        envelopes(request, request.target(), request.source().senders()))
                || (before.isPresent()
                        && StoredBody.isSealed(message, envelopes(request, before.get(), SenderRule.ANY)));
    }

    private static Envelopes envelopes(ProtectionRequest request, MessageSealer.Target target, SenderRule senders) {
        return new Envelopes(
                Rule.OTHERS_ARE_CLEAR, request.home().crypto().chain(target.address(), target.policy(), senders));
    }

    /**
     * Returns whether a message that another broker mirrors here has the form of envelopes. It verifies no signature:
     * this broker may have other keys and policies, and a rejection would lose the message on the mirror. Any client
     * that may send to the mirror's address can pose as a broker. So clear messages are judged like all others. Of a
     * sealed message it removes the reserved properties.
     */
    public boolean passesMirrored(Message message) throws Exception {
        LargeBody waiting = LargeBody.of(message);
        long most = resolver.mostInMemory();
        WorkMemory.Work part = sealer.memory()
                .take(waiting == null ? MessageBodies.decompressedLength(message, most) : waiting.length());
        try (part) {
            if (waiting == null || message instanceof ICoreMessage) {
                boolean sealed = hasFormOfEnvelopes(message, waiting, most);
                if (sealed) {
                    ProducerProperties.remove(message);
                }
                return sealed;
            }
            Message whole = AmqpBody.whole(message, waiting.bytes(most));
            if (!hasFormOfEnvelopes(whole, null, most)) {
                return false;
            }
            byte[] before = AmqpLargeBody.bytesOf(whole);
            ProducerProperties.remove(whole);
            byte[] bytes = AmqpLargeBody.bytesOf(whole);
            if (!Arrays.equals(before, bytes)) {
                write(bytes, waiting, (LargeServerMessage) message);
            }
            return true;
        }
    }

    private static boolean hasFormOfEnvelopes(Message message, @Nullable LargeBody waiting, long mostBytes)
            throws Exception {
        if (waiting != null) {
            return ((ICoreMessage) message).getType() == Message.BYTES_TYPE
                    && EnvelopeDetectingStage.isSealed(waiting::read, Envelopes.ALL_BY_FORM);
        }
        if (message.isLargeMessage()) {
            return StoredBody.isSealed((LargeServerMessage) message, Envelopes.ALL_BY_FORM);
        }
        ByteBuffer body =
                MessageBodies.of(message, "", mostBytes).possibleEnvelope().orElse(null);
        return body != null
                && EnvelopeDetectingStage.isSealed(
                        reader -> reader.add(body.array(), body.arrayOffset() + body.position(), body.remaining()),
                        Envelopes.ALL_BY_FORM);
    }

    /**
     * Returns the maker of sealed copies of messages that lie in queues.
     *
     * @throws MessageRejectedException if large messages cannot be protected
     */
    public LargeCopies copies() throws MessageRejectedException {
        return new LargeCopies(sealing, required().real());
    }

    /**
     * Seals a large message in clear that the broker moved here from an address without a policy: a dead letter, an
     * expired message, the copy of a divert. Its file is complete, and the broker has not routed it yet.
     *
     * @return whether the message was sealed; false for any other message
     * @throws MessageRejectedException if it cannot be sealed
     */
    public boolean sealMoved(Message message, ProtectionRequest request) throws Exception {
        if (problem != null
                || !(message instanceof LargeServerMessage file)
                || LargeBody.of(message) != null
                || message.getBrokerProperty(Message.HDR_ORIGINAL_ADDRESS) == null
                || isSealed(file, request)) {
            return false;
        }
        MessageSealer.requireSealing(request);
        copies().sealMoved(file, request);
        return true;
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
        if (installed != null) {
            installed.stop();
        }
        if (sealingEarly != null) {
            server.getRemotingService().removeIncomingInterceptor(sealingEarly);
            sealingEarly = null;
        }
        if (sweeping != null) {
            sweeping.cancel(false);
        }
    }

    /** Restores the storage of new sessions when the plugin is removed from a running broker. */
    public synchronized void uninstall() {
        SealingStorage storage = installed;
        installed = null;
        if (storage != null) {
            storage.remove();
            storage.takeFrom(server);
        }
    }

    /**
     * Seals AMQP messages before the broker converts them to large Core messages. The broker cannot convert every body,
     * for example streams with bytes, but it can convert any envelope. This class rejects no message, because the gate
     * judges all large messages later. It is loaded only where the broker has the AMQP protocol.
     */
    public record AmqpLargeSealing(
            ActiveMQServer server, PolicyResolver resolver, MessageSealer sealer, SealingStorage storage)
            implements AmqpInterceptor {
        @Override
        public boolean intercept(AMQPMessage message, RemotingConnection connection) {
            try {
                if (message instanceof AMQPStandardMessage && storage.makesLarge(message)) {
                    seal(message, connection);
                }
            } catch (Throwable e) { // the send fails for the same reason later, and the client receives that failure
                PluginLog.LOG.debug("large AMQP message not sealed early", e);
            }
            return true;
        }

        /** Seals for the first session of the connection, because all its sessions have one user. */
        private void seal(AMQPMessage message, RemotingConnection connection) throws Exception {
            for (ServerSession session : server.getSessions()) {
                if (session.getRemotingConnection() == connection) {
                    seal(message, resolver.ofSend(session, message.getAddressSimpleString()));
                    return;
                }
            }
        }

        private void seal(AMQPMessage message, Optional<ProtectionRequest> request) throws Exception {
            if (request.isEmpty()) {
                storage.letPass();
                return;
            }
            try {
                request.get().limit().requireNotFarBeyond(message);
            } catch (MessageRejectedException tooLong) {
                // else the broker converts the message to Core before it asks the plugin, which takes several
                // times the memory of the body
                AmqpBody.drop(message);
                LargeBody.markRejected(message, tooLong);
                return;
            }
            sealer.sealSections(message, request.get());
        }
    }
}
