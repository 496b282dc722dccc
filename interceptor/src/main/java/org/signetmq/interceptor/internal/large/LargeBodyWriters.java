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
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.EnvelopeChain;
import org.signetmq.envelope.SegmentSealer;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.body.CoreBody;
import org.signetmq.interceptor.internal.body.ProducerProperties;
import org.signetmq.interceptor.internal.home.NotReadyException;
import org.signetmq.interceptor.internal.parse.BodyStage;
import org.signetmq.interceptor.internal.parse.CoreParsers;
import org.signetmq.interceptor.internal.parse.InflatingStage;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.parse.WaitingBytes;
import org.signetmq.interceptor.internal.parse.WorkMemory;
import org.signetmq.interceptor.internal.protect.MessageSealer;
import org.signetmq.interceptor.internal.protect.PolicyResolver;
import org.signetmq.interceptor.internal.protect.ProtectionRequest;
import org.signetmq.interceptor.internal.protect.SealedDigest;
import org.signetmq.interceptor.internal.protect.SizeLimit;
import org.signetmq.interceptor.internal.stream.EmbeddedStage;
import org.signetmq.interceptor.internal.stream.EnvelopeDetectingStage;
import org.signetmq.interceptor.internal.stream.RejectingStage;
import org.signetmq.interceptor.internal.stream.SealingStage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SealingPlace;

/** The large messages that the broker is writing to files. Thread-safe. */
public final class LargeBodyWriters implements AutoCloseable {
    /** The user for the budget of all senders that the broker does not name, such as federations. */
    private static final String UNKNOWN = "unknown";

    private final ActiveMQServer server;
    private final PolicyResolver resolver;
    private final ThreadSessions sessions;
    private final AmqpSessions amqp;
    private final MessageSealer protection;
    private final Map<Long, LargeBodyWriter> open = new ConcurrentHashMap<>();
    private final BufferBudget budget = new BufferBudget();
    private final HeldBodies held = new HeldBodies(CryptoProviders.standard());
    private final Map<Long, Unprotected> unprotected = new ConcurrentHashMap<>();
    private final ThreadLocal<@Nullable Boolean> passing = new ThreadLocal<>();
    private volatile boolean removed;

    public LargeBodyWriters(ActiveMQServer server, PolicyResolver resolver, MessageSealer protection) {
        this.server = server;
        this.resolver = resolver;
        this.sessions = new ThreadSessions(server);
        this.amqp = new AmqpSessions(server);
        this.protection = protection;
    }

    /** Returns whether the plugin was removed from the broker. */
    boolean isRemoved() {
        return removed;
    }

    /** Rejects the bytes of all messages from now on, because the broker no longer asks the plugin about messages. */
    void remove() {
        removed = true;
    }

    int count() {
        return open.size() + held.count() + unprotected.size();
    }

    /** Returns the memory of messages that are not complete, in bytes. */
    long heldBytes() {
        return budget.taken();
    }

    /** Returns the bodies of messages of unknown address. */
    HeldBodies held() {
        return held;
    }

    /** Begins the body of an AMQP message in the budget of its sender. */
    BufferBudget.Account amqpAccount(StorageManager storage, Message message) {
        return account(storage, amqp.of(message));
    }

    /** Begins the body of a message in the budget of its sender. */
    BufferBudget.Account account(StorageManager storage, @Nullable ServerSession session) {
        return begin(session).files(() -> new ScratchFile(storage, CryptoProviders.standard()));
    }

    /** Begins a message of a sender. Without a login all senders are one user. */
    private BufferBudget.Account begin(@Nullable ServerSession session) {
        if (session != null) {
            return budget.begin(String.valueOf(session.getConnectionID()), "user " + session.getValidatedUser());
        }
        RemotingConnection reading = amqp.reading();
        return reading == null
                ? budget.begin(null, UNKNOWN)
                : budget.begin(String.valueOf(reading.getID()), "user " + AmqpSessions.user(reading));
    }

    boolean syncs() {
        return server.getConfiguration().isLargeMessageSync();
    }

    /**
     * A streamed message whose address no policy protected at its beginning.
     *
     * @param given the address as the client wrote it
     * @param policies the policies at its beginning
     */
    private record Unprotected(
            StorageManager storage, @Nullable SimpleString given, PolicySet policies) {}

    /**
     * Returns the writer of a message; null if it has none. A message gets a rejecting writer if a new policy protects
     * its address.
     */
    @Nullable
    LargeBodyWriter find(long messageId) {
        LargeBodyWriter writer = open.get(messageId);
        Unprotected stream = writer == null ? unprotected.get(messageId) : null;
        return stream == null ? writer : lookAgain(messageId, stream);
    }

    /** Notes that the next message of this thread has no policy. The broker makes it large as without the plugin. */
    void letPass() {
        passing.set(true);
    }

    /** Returns whether the next message of this thread has no policy, and forgets it. */
    boolean takePassing() {
        boolean passes = passing.get() != null;
        if (passes) { // a removal costs more than a read, for each message
            passing.remove();
        }
        return passes;
    }

    /** Returns whether a session sends this message to an address without a policy. */
    boolean isUnprotected(CoreMessage message) {
        ServerSession session = sessions.ofThisThread();
        try {
            return session != null
                    && isInMemory(message)
                    && request(session, message.getAddressSimpleString()).isEmpty();
        } catch (Exception rejected) {
            return false;
        }
    }

    /** Returns whether a new policy may still reject this message. */
    boolean isWatched(long messageId) {
        return unprotected.containsKey(messageId);
    }

    @SuppressWarnings("ReferenceEquality") // for each part of a body: a new set is searched, even if it is equal
    private @Nullable LargeBodyWriter lookAgain(long messageId, Unprotected stream) {
        PolicySet now = resolver.policies().orElse(null);
        if (stream.policies() == now) {
            return null;
        }
        Throwable problem = problem(stream.given());
        if (now != null && problem == null) {
            unprotected.put(messageId, new Unprotected(stream.storage(), stream.given(), now));
            return null;
        }
        LargeBodyWriter rejected = LargeBodyWriter.rejected(
                new LargeFile(stream.storage(), messageId), problem == null ? policyCameMeanwhile() : problem);
        open.put(messageId, rejected);
        unprotected.remove(messageId);
        return rejected;
    }

    /** Returns why a stream must not go on in clear under the policies in force; null if it may. */
    private @Nullable Throwable problem(@Nullable SimpleString given) {
        ServerSession session = sessions.receiving();
        try {
            boolean mayProtect = session == null
                    ? mustHold() // the head may name another address than the message will have
                    : request(session, given).isPresent();
            return mayProtect ? policyCameMeanwhile() : null;
        } catch (Throwable e) {
            return e;
        }
    }

    private static MessageRejectedException policyCameMeanwhile() {
        return new MessageRejectedException(
                RejectionReason.NOT_SEALED,
                "a policy for its address came into force while it was sent; send it again");
    }

    /** Returns the writer of a message whose body is not complete; null if it has none. */
    @Nullable
    LargeBodyWriter openWriter(long messageId) {
        return open.get(messageId);
    }

    @Nullable
    LargeBodyWriter remove(long messageId) {
        unprotected.remove(messageId);
        return open.remove(messageId);
    }

    /** Returns whether messages of unknown address must wait: false if no policy protects or rejects any message. */
    boolean mustHold() {
        return resolver.mayProtectOrRejectAny();
    }

    /**
     * Returns whether the body of a Core message without a known session must wait. A message inside AMQP from another
     * broker may name another address than its own. The address of a STOMP message is known when its session sends it.
     * A Core federation sets the address after it has copied the body.
     */
    boolean mustHold(Message message, @Nullable ServerSession session) {
        return session == null
                && message instanceof CoreMessage core
                && !(message instanceof LargeServerMessage)
                && (FetchedMessage.isOne(message) || !EmbeddedStage.isCarrier(core))
                && mustHold();
    }

    /**
     * Returns whether the broker may copy a message while its body waits. MQTT copies a retained message after it was
     * sent: it is sealed by then, or no policy protects its address.
     */
    boolean mayCopy(Message message) {
        return !FetchedMessage.isOne(message)
                && (MessageSealer.isProtected(message) || resolver.isOpen(message.getAddressSimpleString()));
    }

    /** Returns the session of this thread, which sends or receives a message; null if there is none. */
    @Nullable
    ServerSession sessionOf(Message message) {
        if (FetchedMessage.isOne(message)) {
            return null;
        }
        return message instanceof CoreMessage core && !isInMemory(core)
                ? sessions.receiving()
                : sessions.ofThisThread();
    }

    /**
     * Returns whether a message that becomes large passes unchanged, whatever its address. A new policy may still
     * reject a streamed one.
     */
    boolean passes(StorageManager storage, long messageId, Message message) {
        Optional<PolicySet> policies = resolver.policies(); // before the question: a later set is then looked at again
        if (mustHold() || policies.isEmpty()) {
            return false;
        }
        if (message instanceof CoreMessage core && !(message instanceof LargeServerMessage) && !isInMemory(core)) {
            unprotected.put(messageId, new Unprotected(storage, core.getAddressSimpleString(), policies.get()));
        }
        return true;
    }

    /**
     * Writes the file of a buffered message, sealed as its policy requires.
     *
     * @throws Exception the rejection
     */
    void writeHeld(LargeServerMessage message, BufferedBody held, ProtectionRequest request) throws Exception {
        CoreMessage core = (CoreMessage) message.toMessage();
        LargeCopies.requireNoCarrier(core);
        LargeBodyWriter writer = stream(core, request, held.file(), WaitingBytes.Space.UNLIMITED, () -> {});
        SealingStorage.label(core);
        held.write(message, writer, syncs());
        LargeBodyWriter.requireNotRejected(core);
        LargeMessages.correctSize(core);
    }

    void put(long messageId, LargeBodyWriter writer) {
        open.put(messageId, writer);
    }

    /**
     * Makes the writer of a message that becomes large; null if no policy protects it. A body in memory is sealed in
     * place, because the protocols read it again afterwards. This throws no exception: the broker creates the message,
     * and the plugin rejects it later, when the sender receives the failure.
     *
     * @param session of this thread; null if there is none
     */
    @Nullable
    LargeBodyWriter begin(StorageManager storage, long messageId, Message message, @Nullable ServerSession session) {
        if (message instanceof LargeServerMessage || !(message instanceof CoreMessage core)) {
            return null; // a copy of a judged message
        }
        LargeFile file = new LargeFile(storage, messageId);
        try {
            Optional<PolicySet> policies = resolver.policies();
            Optional<ProtectionRequest> request = request(session, core.getAddressSimpleString());
            if (session != null && isInMemory(core) && request.isPresent()) {
                AmqpConnectionName.keep(session, core);
            }
            if (request.isEmpty() && !isInMemory(core) && policies.isPresent()) {
                unprotected.put(messageId, new Unprotected(storage, core.getAddressSimpleString(), policies.get()));
            }
            return request.isEmpty() ? null : begin(core, request.get(), file, session);
        } catch (Throwable e) {
            return LargeBodyWriter.rejected(file, e);
        }
    }

    private Optional<ProtectionRequest> request(@Nullable ServerSession session, @Nullable SimpleString given)
            throws Exception {
        if (session == null) {
            return resolver.ofArrival(given);
        }
        resolver.rejectLargeRequest(session, given);
        return resolver.ofSend(session, given);
    }

    private LargeBodyWriter begin(
            CoreMessage message, ProtectionRequest request, LargeFile file, @Nullable ServerSession session)
            throws Exception {
        String address = request.target().address();
        if (isInMemory(message)) {
            if (!MessageSealer.isApproved(message, address)) {
                if (SealingStorage.isLargeByReserve(message, file.storage())) {
                    CoreBody.markLargeAsEnvelope(message);
                }
                protection.apply(
                        message, request, SizeLimit.inMemory(request.home().maxMessageSize()));
            }
            return new LargeBodyWriter(file, file, large -> MessageSealer.markApproved(large.toMessage(), address));
        }
        BufferBudget.Account account = account(file.storage(), session);
        try {
            if (!EmbeddedStage.isCarrier(message)) {
                return stream(message, request, file, account, account::close);
            }
            WaitingBytes whole = new WaitingBytes(account, BufferBudget.MOST_OF_ONE);
            EmbeddedStage stage =
                    EmbeddedStage.of(message, embedded(request), request.home().maxMessageSize(), whole, file);
            return new LargeBodyWriter(file, stage, large -> {}, account::close);
        } catch (Throwable e) {
            account.close();
            throw e;
        }
    }

    /** Returns whether the broker has the body in memory. A streamed or federated message has only its head there. */
    static boolean isInMemory(CoreMessage message) {
        return !message.isLargeMessage() && message.getBuffer() != null && message.getBodyBufferSize() > 0;
    }

    private EmbeddedStage.EmbeddedSealer embedded(ProtectionRequest request) {
        return new EmbeddedStage.EmbeddedSealer() {
            @Override
            public WorkMemory.Work work(long length) throws MessageRejectedException {
                return protection.memory().take(length);
            }

            @Override
            public void apply(Message message) throws Exception {
                boolean unused = protection.apply(
                        message, request, SizeLimit.inMemory(request.home().maxMessageSize()));
            }
        };
    }

    /**
     * Tells whether a text or object surely has the encoding of its type: clients of JMS write it, and give each
     * message an id, and the broker writes it for clients of other protocols.
     */
    private static boolean encodes(CoreMessage message, ProtectionRequest request) {
        String protocol = request.source().protocol();
        return message.getUserID() != null || !(protocol.isEmpty() || protocol.equals(LargeMessages.CORE));
    }

    /**
     * Makes the writer of a message whose body comes part by part.
     *
     * @param space for the parts of the body that wait for further ones
     * @param account ends with the writer
     */
    LargeBodyWriter stream(
            CoreMessage message,
            ProtectionRequest request,
            LargeFile file,
            WaitingBytes.Space space,
            LargeBodyWriter.Account account) {
        MessageSealer.Target target = request.target();
        String messageId = MessageSealer.auditedId(request);
        SealedDigest digest = messageId == null ? null : new SealedDigest();
        SealingStage sealing = target.policy().policy().acceptance().where() == SealingPlace.CLIENT
                ? null
                : sealing(request, digest == null ? file::write : digested(digest, file), messageId, space);
        BodyStage clear = sealing == null
                ? new RejectingStage(MessageSealer.NOT_SEALED)
                : CoreParsers.forStream(message.getType(), encodes(message, request), sealing);
        boolean bytes = message.getType() == Message.BYTES_TYPE;
        EnvelopeDetectingStage judge = new EnvelopeDetectingStage(envelopes(bytes, request), space, file, clear);
        boolean mayBeSealed = bytes
                ? !MessageSealer.sealsAll(request)
                : message.getType() == Message.DEFAULT_TYPE && !MessageSealer.sealsEnvelopes(request);
        BodyStage first = mayBeSealed ? judge : clear;
        boolean compressed = Boolean.TRUE.equals(message.getObjectProperty(Message.HDR_LARGE_COMPRESSED));
        return new LargeBodyWriter(
                file,
                compressed ? new InflatingStage(space, first) : first,
                large -> {
                    if (sealing == null || (bytes && judge.wasSealed())) {
                        protection.countPassed();
                    } else {
                        protection.countSealedBytes(sealing.length());
                        protection.countSealed(
                                request,
                                messageId == null || digest == null
                                        ? null
                                        : new MessageSealer.Audited(messageId, digest.hex()));
                    }
                    ProducerProperties.remove(large.toMessage());
                    MessageSealer.markApproved(large.toMessage(), target.address());
                },
                account);
    }

    private static EnvelopeDetectingStage.Envelopes envelopes(boolean bytes, ProtectionRequest request) {
        if (!bytes) {
            return EnvelopeDetectingStage.Envelopes.none();
        }
        MessageSealer.Target target = request.target();
        EnvelopeChain chain = request.home()
                .crypto()
                .chain(target.address(), target.policy(), request.source().senders());
        return MessageSealer.sealsEnvelopes(request)
                ? EnvelopeDetectingStage.Envelopes.of(chain)
                : EnvelopeDetectingStage.Envelopes.only(chain);
    }

    private static SegmentSealer.Sink digested(SealedDigest digest, LargeFile file) {
        return (bytes, offset, length) -> {
            digest.add(bytes, offset, length);
            file.write(bytes, offset, length);
        };
    }

    private static SealingStage sealing(
            ProtectionRequest request, SegmentSealer.Sink sink, @Nullable String messageId, WaitingBytes.Space space) {
        Identity signer = request.home().identities().signerFor(request.source().user());
        return new SealingStage(
                space,
                body -> request.home()
                        .crypto()
                        .segments(
                                request.head(body, messageId), request.target().policy(), signer, sink));
    }

    /**
     * Fails all writers. They stay known, because the broker must not write the rest of a half-sealed message in clear.
     * It still asks the plugin about each of these messages, and the plugin rejects them.
     */
    @Override
    public void close() {
        open.values().forEach(writer -> writer.fail(new NotReadyException("the plugin has stopped")));
    }
}
