/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQIllegalStateException;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.client.impl.ClientLargeMessageInternal;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.home.Readiness.NotReadyException;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.protect.MessageSealer;
import org.signetmq.interceptor.internal.protect.MessageSealer.ProtectionRequest;
import org.signetmq.interceptor.internal.protect.PolicyResolver;
import org.signetmq.interceptor.internal.storage.InMemoryLargeMessage;
import org.signetmq.interceptor.internal.storage.StorageGate;
import org.signetmq.interceptor.internal.storage.StorageMethods;
import org.signetmq.policy.PolicySet;

/**
 * Seals the bodies of large messages before they reach the broker's storage, behind the last gate, or lets them wait
 * for their judgement. After the plugin has stopped, it rejects large messages. Thread-safe.
 */
public final class SealingStorage extends StorageGate {
    /** The largest reserve in a record, in bytes, for the growth of a message that is almost large. */
    private static final long MOST_RESERVED = 64 << 10;

    /** The bytes that the broker adds to a message's size for its record. */
    private static final int ESTIMATED_TRAIL = 512;

    /**
     * The key, in the user context of a message that a Core federation fetched, of the large message that the broker
     * made of it. The broker names only the fetched message to the plugin.
     */
    private static final Object MADE = new Object();

    private final PolicyResolver resolver;
    private final BodySealing sealing;
    private final Senders senders;

    /** The bodies that are not complete. */
    private final Map<Long, LargeBody> arriving = new ConcurrentHashMap<>();

    /** The bodies that wait for their judgement. The broker may give them up without a word, also complete ones. */
    private final Set<LargeBody> waiting = ConcurrentHashMap.newKeySet();

    /** Set on a thread whose next message has no policy. The broker makes it large as without the plugin. */
    @SuppressWarnings("ThreadLocalUsage") // one for each plugin, and brokers in one process do not share it
    private final ThreadLocal<@Nullable Boolean> passing = new ThreadLocal<>();

    private volatile boolean removed;

    SealingStorage(StorageManager real, Gate gate, PolicyResolver resolver, BodySealing sealing, Senders senders) {
        super(real, StorageMethods.of(StorageManager.class), gate);
        this.resolver = resolver;
        this.sealing = sealing;
        this.senders = senders;
    }

    /** Returns the number of large messages that the broker is writing. */
    public int openMessages() {
        return arriving.size();
    }

    /** Returns the memory of messages that are not judged yet, in bytes. */
    public long heldBytes() {
        return senders.heldBytes();
    }

    /** Notes that the next message of this thread has no policy. */
    void letPass() {
        passing.set(true);
    }

    /** Rejects the bytes of all messages from now on, because the broker no longer asks the plugin about messages. */
    void remove() {
        removed = true;
    }

    /**
     * Fails all bodies on their way. They stay known, because the broker must not write the rest of a half-sealed
     * message in clear. It still asks the plugin about each of these messages, and the plugin rejects them.
     */
    void stop() {
        for (LargeBody body : arriving.values()) {
            if (!body.waits() && body.watch() == null) {
                body.fail(new NotReadyException("the plugin has stopped"));
            }
        }
    }

    /**
     * Drops the bodies of messages that the broker gave up, and those to which nothing came for ten minutes. The broker
     * does not delete the message of a federation that loses its connection. Nor does it delete a message of AMQP if
     * the session ends before the connection has read the frames that have arrived: they begin another message, which
     * has no end.
     */
    void sweep() {
        long now = System.nanoTime();
        waiting.removeIf(body -> isDropped(body, now));
    }

    private boolean isDropped(LargeBody body, long now) {
        try {
            if (!body.sweep(now)) {
                return false;
            }
            arriving.values().remove(body);
            return true;
        } catch (Throwable e) { // such as no memory; it must not end the task that ends the others
            PluginLog.LOG.warn("a large message that the broker gave up could not be dropped", e);
            return false;
        }
    }

    @Override
    protected @Nullable Object invoke(Call call, @Nullable Object[] arguments) throws Throwable {
        return switch (call.role()) {
            case BEGIN_FOREIGN -> beginForeign(call, arguments);
            case BEGIN_CORE -> beginCore(call, arguments);
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
        boolean passes = passing.get() != null;
        if (passes) { // a removal costs more than a read, for each message
            passing.remove();
        }
        return largestRecord(passes);
    }

    private long largestRecord(boolean passes) {
        long largest = real().getMaxRecordSize();
        return passes ? largest : (largest - Math.min(MOST_RESERVED, largest / 4)) / 3 * 2;
    }

    /** Returns whether the broker will make this message in memory large. */
    boolean makesLarge(Message message) {
        return message.getEncodeSize() > largestRecord(false) - 2 * ESTIMATED_TRAIL;
    }

    /** Returns whether a broker without the plugin would not make this message large. */
    private boolean isLargeByReserve(CoreMessage message) {
        return BodySealing.isInMemory(message)
                && message.getEncodeSize() + ESTIMATED_TRAIL <= real().getMaxRecordSize()
                && InMemoryLargeMessage.isCalledBy(InMemoryLargeMessage.CALLER);
    }

    /** Returns whether messages of unknown address must wait: false if no policy protects or rejects any message. */
    private boolean mustWait() {
        return resolver.mayProtectOrRejectAny();
    }

    /** Begins to buffer a large AMQP message, because the broker writes it before it tells the address. */
    private @Nullable Object beginForeign(Call call, @Nullable Object[] arguments) throws Throwable {
        if (!(arguments[0] instanceof Long id)
                || !(arguments[1] instanceof LargeServerMessage large)
                || large.toMessage() instanceof ICoreMessage
                || !mustWait()) {
            return call.pass(arguments);
        }
        LargeBody body = LargeBody.waiting(new LargeFile(real(), id), senders.account(real(), large.toMessage()));
        body.belongsTo(large, false);
        put(id, body);
        try {
            return call.pass(arguments);
        } catch (Throwable e) { // the broker does not know the message, and never deletes it
            forget(id, body);
            throw e;
        }
    }

    private void put(long id, LargeBody body) {
        arriving.put(id, body);
        if (body.waits()) {
            waiting.add(body);
        }
    }

    private void forget(long id, LargeBody body) {
        arriving.remove(id, body);
        waiting.remove(body);
        body.end();
    }

    private @Nullable Object beginCore(Call call, @Nullable Object[] arguments) throws Throwable {
        requirePlugin();
        long id = (Long) Objects.requireNonNull(arguments[0]);
        Message message = (Message) Objects.requireNonNull(arguments[1]);
        if (message instanceof CoreMessage core && isLargeByReserve(core) && isUnprotected(core)) {
            return InMemoryLargeMessage.of(core);
        }
        LargeBody body = message instanceof CoreMessage core && !(message instanceof LargeServerMessage)
                ? begin(new LargeFile(real(), id), core)
                : null; // a copy of a judged message
        if (body == null) {
            return noted(message, call.pass(arguments));
        }
        try {
            if (!(call.pass(arguments) instanceof LargeServerMessage large)) {
                throw new IllegalStateException("storage: created no large message");
            }
            large.setStorageManager(gated());
            if (body.waits()) {
                body.belongsTo(large, mayCopy(message));
            } else if (body.watch() == null && large.toMessage() instanceof CoreMessage core) {
                BodySealing.label(core);
            }
            put(id, body);
            return noted(message, large);
        } catch (Throwable e) {
            body.end();
            throw e;
        }
    }

    /** Returns whether a client of Core within this broker fetched the message, for a federation. */
    static boolean isFetched(Message message) {
        return message instanceof ClientLargeMessageInternal;
    }

    private static @Nullable Object noted(Message message, @Nullable Object created) {
        if (created instanceof LargeServerMessage && isFetched(message)) {
            message.setUserContext(MADE, created);
        }
        return created;
    }

    /** Returns the large message that the broker made of one that a federation fetched; null if there is none. */
    public static @Nullable LargeServerMessage madeOf(Message fetched) {
        return fetched.getUserContext(MADE) instanceof LargeServerMessage made ? made : null;
    }

    /** Returns whether a session sends this message to an address without a policy. */
    private boolean isUnprotected(CoreMessage message) {
        try {
            ServerSession session = senders.sessionOf(message);
            return session != null
                    && request(session, message.getAddressSimpleString()).isEmpty();
        } catch (Exception rejected) {
            return false;
        }
    }

    /**
     * Begins the body of a Core message; null if the broker writes it itself. This throws no exception: the broker
     * creates the message, and the plugin rejects it later, when the sender receives the failure.
     */
    private @Nullable LargeBody begin(LargeFile file, CoreMessage message) {
        try {
            Optional<PolicySet> policies = resolver.policies(); // before any question: a later set is looked at again
            SimpleString given = message.getAddressSimpleString();
            ServerSession session = null;
            if (mustWait() || policies.isEmpty()) {
                session = senders.sessionOf(message);
                if (isAddressUnknown(message, session)) {
                    return LargeBody.waiting(file, senders.account(real(), session));
                }
                Optional<ProtectionRequest> request = request(session, given);
                if (request.isPresent()) {
                    return begin(file, message, request.get(), session);
                }
            }
            return BodySealing.isInMemory(message) || policies.isEmpty()
                    ? null
                    : LargeBody.watched(file, new LargeBody.Watch(given, policies.get()));
        } catch (Throwable e) {
            return LargeBody.rejected(file, e);
        }
    }

    private LargeBody begin(
            LargeFile file, CoreMessage message, ProtectionRequest request, @Nullable ServerSession session)
            throws Exception {
        if (!BodySealing.isInMemory(message)) {
            return sealing.ofParts(message, request, file, senders.account(real(), session));
        }
        if (session != null) {
            Senders.keepConnectionName(session, message);
        }
        return sealing.inMemory(message, request, file, isLargeByReserve(message));
    }

    /**
     * Returns whether the body of a Core message must wait. A message inside AMQP from another broker has no session,
     * and may name another address than its own. The address of a STOMP message is known when its session sends it. A
     * Core federation sets the address after it has copied the body.
     */
    private boolean isAddressUnknown(CoreMessage message, @Nullable ServerSession session) {
        return session == null && mustWait() && (isFetched(message) || !EmbeddedStage.isCarrier(message));
    }

    /**
     * Returns whether the broker may copy a message while its body waits. MQTT copies a retained message after it was
     * sent: it is sealed by then, or no policy protects its address.
     */
    private boolean mayCopy(Message message) {
        return !isFetched(message)
                && (MessageSealer.isProtected(message) || resolver.isOpen(message.getAddressSimpleString()));
    }

    private Optional<ProtectionRequest> request(@Nullable ServerSession session, @Nullable SimpleString given)
            throws Exception {
        if (session == null) {
            return resolver.ofArrival(given);
        }
        resolver.rejectLargeRequest(session, given);
        return resolver.ofSend(session, given);
    }

    /** Makes the file of a message, which Signet writes later. */
    private @Nullable Object file(Call call, @Nullable Object[] arguments) throws Throwable {
        Object file = call.pass(arguments);
        LargeBody body = sealing.syncs() ? body(arguments[0]) : null;
        return body == null || body.waits() || body.watch() != null || !(file instanceof SequentialFile made)
                ? file
                : FileProxies.lateSynced(made, body);
    }

    private @Nullable LargeBody body(@Nullable Object id) {
        return id instanceof Long known ? arriving.get(known) : null;
    }

    private @Nullable Object add(Call call, @Nullable Object[] arguments) throws Throwable {
        LargeBody body = body(arguments[1]);
        if (body == null || isStillOpen(body)) {
            return call.pass(arguments);
        }
        requirePlugin();
        byte[] bytes = bytes(arguments[2]);
        body.add((SequentialFile) Objects.requireNonNull(arguments[0]), bytes, 0, bytes.length);
        return null;
    }

    /** Returns whether no policy protects a body that the broker writes itself. A new policy fails the body. */
    @SuppressWarnings("ReferenceEquality") // for each part of a body: a new set is searched, even if it is equal
    private boolean isStillOpen(LargeBody body) {
        LargeBody.Watch watch = body.watch();
        PolicySet now = watch == null ? null : resolver.policies().orElse(null);
        if (watch == null || watch.policies() == now) {
            return watch != null;
        }
        Throwable problem = problem(watch.given());
        if (now == null || problem != null) {
            body.fail(problem == null ? policyCameMeanwhile() : problem);
            return false;
        }
        body.watch(new LargeBody.Watch(watch.given(), now));
        return true;
    }

    /** Returns why a body must not go on in clear under the policies in force; null if it may. */
    private @Nullable Throwable problem(@Nullable SimpleString given) {
        try {
            ServerSession session = senders.receiving();
            boolean mayProtect = session == null
                    ? mustWait() // the head may name another address than the message will have
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

    private @Nullable Object closed(Call call, @Nullable Object[] arguments) throws Throwable {
        LargeServerMessage message = (LargeServerMessage) Objects.requireNonNull(arguments[0]);
        LargeBody body = arriving.remove(message.toMessage().getMessageID());
        if (body == null || body.watch() != null) {
            return call.pass(arguments);
        }
        if (body.waits()) {
            body.handTo(message);
            return null;
        }
        requirePlugin();
        body.finish(message, sealing.syncs());
        try {
            return call.pass(arguments);
        } catch (Throwable e) {
            body.fail(e);
            throw e;
        } finally {
            body.settle(message.toMessage());
        }
    }

    private @Nullable Object deleted(Call call, @Nullable Object[] arguments) throws Throwable {
        Message message = ((LargeServerMessage) Objects.requireNonNull(arguments[0])).toMessage();
        LargeBody arrives = arriving.get(message.getMessageID());
        LargeBody body = arrives == null ? LargeBody.of(message) : arrives;
        if (body != null) {
            forget(message.getMessageID(), body);
        }
        return call.pass(arguments);
    }

    /** Rejects the bytes of a message if the plugin was removed, because it could not reject the send later. */
    private void requirePlugin() throws ActiveMQIllegalStateException {
        if (removed) {
            throw new ActiveMQIllegalStateException("Signet was removed from the broker; connect again to continue");
        }
    }
}
