/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.body.NotReadyException;
import org.signetmq.interceptor.internal.body.ProducerProperties;
import org.signetmq.interceptor.internal.parse.BodyStage;
import org.signetmq.interceptor.internal.parse.CoreParsers;
import org.signetmq.interceptor.internal.parse.InflatingStage;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.protect.MessageSealer;
import org.signetmq.interceptor.internal.protect.PolicyResolver;
import org.signetmq.interceptor.internal.protect.ProtectionRequest;
import org.signetmq.interceptor.internal.protect.SizeLimit;
import org.signetmq.interceptor.internal.stream.EmbeddedStage;
import org.signetmq.interceptor.internal.stream.EnvelopeDetectingStage;
import org.signetmq.interceptor.internal.stream.RejectingStage;
import org.signetmq.interceptor.internal.stream.SealingStage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SealingPlace;

/** The large messages that are on their way into their files. Thread-safe. */
public final class LargeBodyWriters implements AutoCloseable {
    private final ActiveMQServer server;
    private final PolicyResolver resolver;
    private final ThreadSessions sessions;
    private final MessageSealer protection;
    private final Map<Long, LargeBodyWriter> open = new ConcurrentHashMap<>();
    private final Map<Long, BufferedBody> held = new ConcurrentHashMap<>();
    private final BufferBudget memory = new BufferBudget();
    private final Map<Long, Unprotected> unprotected = new ConcurrentHashMap<>();
    private final ThreadLocal<@Nullable Boolean> passing = new ThreadLocal<>();
    private final CryptoProviders providers = CryptoProviders.standard();
    private volatile boolean removed;

    public LargeBodyWriters(ActiveMQServer server, PolicyResolver resolver, MessageSealer protection) {
        this.server = server;
        this.resolver = resolver;
        this.sessions = new ThreadSessions(server);
        this.protection = protection;
    }

    /** Whether the plugin was taken out of the broker, which asks it about no message any more. */
    boolean isRemoved() {
        return removed;
    }

    /** Takes nothing any more. The broker does not ask the plugin about messages now, so their bytes are rejected. */
    void remove() {
        removed = true;
    }

    int count() {
        return open.size() + held.size() + unprotected.size();
    }

    long heldBytes() {
        return memory.taken();
    }

    boolean syncs() {
        return server.getConfiguration().isLargeMessageSync();
    }

    /**
     * A stream that no policy protected when it began.
     *
     * @param policies those that were asked
     */
    private record Unprotected(StorageManager storage, CoreMessage head, PolicySet policies) {}

    /** The writer of a message, if it has one: it gets one as soon as a policy comes that protects its address. */
    @Nullable
    LargeBodyWriter find(long messageId) {
        LargeBodyWriter writer = open.get(messageId);
        Unprotected stream = writer == null ? unprotected.get(messageId) : null;
        return stream == null ? writer : lookAgain(messageId, stream);
    }

    /**
     * The next message that this thread's session looks at has no policy, so it is made large as without the plugin.
     */
    void letPass() {
        passing.set(true);
    }

    /** Whether the message that this thread's session looks at has no policy. Says so once. */
    boolean takePassing() {
        boolean passes = passing.get() != null;
        passing.remove();
        return passes;
    }

    /** Whether a session sends this message to an address without a policy. */
    boolean isUnprotected(CoreMessage message) {
        ServerSession session = sessions.ofThisThread();
        try {
            return session != null
                    && isInMemory(message)
                    && request(session, message).isEmpty();
        } catch (Exception rejected) {
            return false;
        }
    }

    /** Whether a policy that comes now may still reject this message. */
    boolean isWatched(long messageId) {
        return unprotected.containsKey(messageId);
    }

    @SuppressWarnings("ReferenceEquality") // asked for each part: another set is looked into, also if it is equal
    private @Nullable LargeBodyWriter lookAgain(long messageId, Unprotected stream) {
        PolicySet now = resolver.policies().orElse(null);
        if (stream.policies() == now) {
            return null;
        }
        SimpleString address = stream.head().getAddressSimpleString();
        if (now != null && address != null && !resolver.mayProtect(address)) {
            unprotected.put(messageId, new Unprotected(stream.storage(), stream.head(), now));
            return null;
        }
        LargeBodyWriter rejected = LargeBodyWriter.rejected(
                new LargeFile(stream.storage(), messageId),
                new MessageRejectedException("a policy for its address came while it was sent; send it again"));
        open.put(messageId, rejected);
        unprotected.remove(messageId);
        return rejected;
    }

    @Nullable
    LargeBodyWriter remove(long messageId) {
        unprotected.remove(messageId);
        return open.remove(messageId);
    }

    /**
     * Whether a message must wait while its address is unknown. None does where no policy protects or rejects anything.
     */
    boolean mustHold() {
        return resolver.mayProtectOrRejectAny();
    }

    /** Forgets a message that was not created. */
    void end(long messageId) {
        unprotected.remove(messageId);
        open.remove(messageId);
    }

    /**
     * Whether this is a Core message that comes without a session that could be asked about. A message inside AMQP from
     * another broker may name another address than its own. A STOMP message is sent by a session in any case. So its
     * body waits, unless no policy can say anything of it.
     */
    boolean mustHold(Message message) {
        return message instanceof CoreMessage core
                && !(message instanceof LargeServerMessage)
                && !EmbeddedStage.isCarrier(core)
                && sessions.ofThisThread() == null
                && mustHold();
    }

    /**
     * Writes the file of a message that was held, sealed as its policy wants it.
     *
     * @throws Exception the rejection
     */
    void writeHeld(LargeServerMessage message, BufferedBody held, ProtectionRequest request) throws Exception {
        CoreMessage core = (CoreMessage) message.toMessage();
        LargeBodyWriter writer = stream(core, request, held.file());
        SealingStorage.label(core);
        held.write(message, writer, syncs());
        LargeBodyWriter.requireNotRejected(core);
        LargeMessages.correctSize(core);
    }

    /** Begins to buffer a message of unknown address. */
    void hold(StorageManager storage, long messageId) {
        held.put(messageId, new BufferedBody(storage, messageId, memory, providers));
    }

    @Nullable
    BufferedBody findHeld(long messageId) {
        return held.get(messageId);
    }

    @Nullable
    BufferedBody removeHeld(long messageId) {
        return held.remove(messageId);
    }

    void put(long messageId, LargeBodyWriter writer) {
        open.put(messageId, writer);
    }

    /**
     * Begins the writer of a message that becomes large; null if it is none of Signet's business. A body that is in
     * memory is sealed there: the protocols read it again afterwards. Throws no exception: the broker creates the
     * message all the same, and the plugin rejects it later, where the sender learns of it.
     */
    @Nullable
    LargeBodyWriter begin(StorageManager storage, long messageId, Message message) {
        if (message instanceof LargeServerMessage || !(message instanceof CoreMessage core)) {
            return null; // a copy of a judged message
        }
        LargeFile file = new LargeFile(storage, messageId);
        try {
            ServerSession session = sessions.ofThisThread();
            Optional<PolicySet> policies = resolver.policies();
            Optional<ProtectionRequest> request = request(session, core);
            if (session != null && isInMemory(core) && request.isPresent()) {
                AmqpConnection.keep(session, core);
            }
            if (request.isEmpty() && !isInMemory(core) && policies.isPresent()) {
                unprotected.put(messageId, new Unprotected(storage, core, policies.get()));
            }
            return request.isEmpty() ? null : begin(core, request.get(), file);
        } catch (Throwable e) {
            return LargeBodyWriter.rejected(file, e);
        }
    }

    private Optional<ProtectionRequest> request(@Nullable ServerSession session, CoreMessage message) throws Exception {
        if (session == null) {
            return resolver.ofArrival(message.getAddressSimpleString());
        }
        resolver.rejectLargeRequest(session, message.getAddressSimpleString());
        return resolver.ofSend(session, message.getAddressSimpleString());
    }

    private LargeBodyWriter begin(CoreMessage message, ProtectionRequest request, LargeFile file) throws Exception {
        String address = request.target().address();
        if (isInMemory(message)) {
            if (!MessageSealer.isFoundRight(message, address)) {
                protection.apply(
                        message, request, SizeLimit.inMemory(request.home().maxMessageSize()));
            }
            return new LargeBodyWriter(file, file, large -> MessageSealer.markFoundRight(large.toMessage(), address));
        }
        if (EmbeddedStage.isCarrier(message)) {
            return new LargeBodyWriter(
                    file,
                    EmbeddedStage.of(message, embedded(request), request.home().maxMessageSize(), file),
                    large -> {});
        }
        return stream(message, request, file);
    }

    /** A stream has only the head. A federated message of another broker is a stream, too. */
    private static boolean isInMemory(CoreMessage message) {
        return !message.isLargeMessage() && message.getBuffer() != null && message.getBodyBufferSize() > 0;
    }

    private EmbeddedStage.Sealing embedded(ProtectionRequest request) {
        return message -> protection.apply(
                message, request, SizeLimit.inMemory(request.home().maxMessageSize()));
    }

    private LargeBodyWriter stream(CoreMessage message, ProtectionRequest request, LargeFile file) {
        MessageSealer.Target target = request.target();
        BodyStage clear = target.policy().policy().acceptance().where() == SealingPlace.CLIENT
                ? new RejectingStage(MessageSealer.NOT_SEALED)
                : CoreParsers.forStream(message.getType(), sealing(request, file));
        boolean bytes = message.getType() == Message.BYTES_TYPE;
        EnvelopeDetectingStage judge = new EnvelopeDetectingStage(
                EnvelopeDetectingStage.Envelopes.of(request.home()
                        .crypto()
                        .chain(
                                target.address(),
                                target.policy(),
                                request.source().senders())),
                file,
                clear);
        BodyStage first = bytes ? judge : clear;
        boolean compressed = Boolean.TRUE.equals(message.getObjectProperty(Message.HDR_LARGE_COMPRESSED));
        return new LargeBodyWriter(file, compressed ? new InflatingStage(first) : first, large -> {
            protection.count(bytes && judge.wasSealed());
            ProducerProperties.remove(large.toMessage());
            MessageSealer.markFoundRight(large.toMessage(), target.address());
        });
    }

    private static SealingStage sealing(ProtectionRequest request, LargeFile file) {
        Identity signer = request.home().identities().signerFor(request.source().user());
        return new SealingStage(body -> request.home()
                .crypto()
                .segments(request.head(body), request.target().policy(), signer, file::write));
    }

    /**
     * Fails the large messages that are on their way. They stay known: the rest of a message that is half sealed must
     * not be written in clear. The broker still asks the plugin about each of them, which rejects it.
     */
    @Override
    public void close() {
        open.values().forEach(writer -> writer.fail(new NotReadyException("the plugin has stopped")));
    }
}
