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
import org.signetmq.interceptor.internal.body.RefusedException;
import org.signetmq.interceptor.internal.protect.Order;
import org.signetmq.interceptor.internal.protect.Orders;
import org.signetmq.interceptor.internal.protect.Protection;
import org.signetmq.interceptor.internal.protect.Room;
import org.signetmq.interceptor.internal.stream.BodyStage;
import org.signetmq.interceptor.internal.stream.EmbeddedStage;
import org.signetmq.interceptor.internal.stream.InflatingStage;
import org.signetmq.interceptor.internal.stream.ObjectLayout;
import org.signetmq.interceptor.internal.stream.RawLayout;
import org.signetmq.interceptor.internal.stream.Refusing;
import org.signetmq.interceptor.internal.stream.SealedOrClear;
import org.signetmq.interceptor.internal.stream.SealingStage;
import org.signetmq.interceptor.internal.stream.TextLayout;
import org.signetmq.keystore.Identity;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SealingPlace;

/** The large messages that are on their way into their files. Thread-safe. */
public final class Intakes implements AutoCloseable {
    private final ActiveMQServer server;
    private final Orders orders;
    private final ThreadSessions sessions;
    private final Protection protection;
    private final Map<Long, Intake> open = new ConcurrentHashMap<>();
    private final Map<Long, HeldBody> held = new ConcurrentHashMap<>();
    private final HeldMemory memory = new HeldMemory();
    private final Map<Long, Unprotected> unprotected = new ConcurrentHashMap<>();
    private final ThreadLocal<@Nullable Boolean> passing = new ThreadLocal<>();
    private volatile boolean removed;

    public Intakes(ActiveMQServer server, Orders orders, Protection protection) {
        this.server = server;
        this.orders = orders;
        this.sessions = new ThreadSessions(server);
        this.protection = protection;
    }

    /** Whether the plugin was taken out of the broker, which asks it about no message any more. */
    boolean isRemoved() {
        return removed;
    }

    /** Takes nothing any more. The broker does not ask the plugin about messages now, so their bytes are refused. */
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

    /** The intake of a message, if it has one: it gets one as soon as a policy comes that protects its address. */
    @Nullable
    Intake find(long messageId) {
        Intake intake = open.get(messageId);
        Unprotected stream = intake == null ? unprotected.get(messageId) : null;
        return stream == null ? intake : lookAgain(messageId, stream);
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
                    && order(session, message).isEmpty();
        } catch (Exception refused) {
            return false;
        }
    }

    /** Whether a policy that comes now may still refuse this message. */
    boolean isWatched(long messageId) {
        return unprotected.containsKey(messageId);
    }

    @SuppressWarnings("ReferenceEquality") // asked for each part: another set is looked into, also if it is equal
    private @Nullable Intake lookAgain(long messageId, Unprotected stream) {
        PolicySet now = orders.policies().orElse(null);
        if (stream.policies() == now) {
            return null;
        }
        SimpleString address = stream.head().getAddressSimpleString();
        if (now != null && address != null && !orders.mayProtect(address)) {
            unprotected.put(messageId, new Unprotected(stream.storage(), stream.head(), now));
            return null;
        }
        Intake refused = Intake.refused(
                new LargeFile(stream.storage(), messageId),
                new RefusedException("a policy for its address came while it was sent; send it again"));
        open.put(messageId, refused);
        unprotected.remove(messageId);
        return refused;
    }

    @Nullable
    Intake remove(long messageId) {
        unprotected.remove(messageId);
        return open.remove(messageId);
    }

    /**
     * Whether a message must wait while its address is unknown. None does where no policy protects or refuses anything.
     */
    boolean mustHold() {
        return orders.mayProtectOrRefuseAny();
    }

    /** Forgets a message that was not created. */
    void end(long messageId) {
        unprotected.remove(messageId);
        open.remove(messageId);
    }

    /**
     * Whether this is a Core message that comes without a session that could be asked about. One that another broker
     * brings inside AMQP names an address that may not be the one that it goes to; one that comes by STOMP is sent by a
     * session all the same. So its body waits, unless no policy can say anything of it.
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
     * @throws Exception what refuses it
     */
    void writeHeld(LargeServerMessage message, HeldBody held, Order order) throws Exception {
        CoreMessage core = (CoreMessage) message.toMessage();
        Intake intake = stream(core, order, held.file());
        SealingStorage.label(core);
        held.write(message, intake, syncs());
        Intake.requireNotRefused(core);
        LargeMessages.correctSize(core);
    }

    /** Begins to hold a message of which nothing is known yet. */
    void hold(StorageManager storage, long messageId) {
        held.put(messageId, new HeldBody(storage, messageId, memory));
    }

    @Nullable
    HeldBody findHeld(long messageId) {
        return held.get(messageId);
    }

    @Nullable
    HeldBody removeHeld(long messageId) {
        return held.remove(messageId);
    }

    void put(long messageId, Intake intake) {
        open.put(messageId, intake);
    }

    /**
     * Begins the intake of a message that becomes large; null if it is none of Signet's business. A body that is in
     * memory is sealed there: the protocols read it again afterwards. Throws nothing: the message is created all the
     * same, and refused later where its sender is told.
     */
    @Nullable
    Intake begin(StorageManager storage, long messageId, Message message) {
        if (message instanceof LargeServerMessage || !(message instanceof CoreMessage core)) {
            return null; // a copy of what was judged before
        }
        LargeFile file = new LargeFile(storage, messageId);
        try {
            ServerSession session = sessions.ofThisThread();
            Optional<PolicySet> policies = orders.policies();
            Optional<Order> order = order(session, core);
            if (session != null && isInMemory(core) && order.isPresent()) {
                AmqpConnection.keep(session, core);
            }
            if (order.isEmpty() && !isInMemory(core) && policies.isPresent()) {
                unprotected.put(messageId, new Unprotected(storage, core, policies.get()));
            }
            return order.isEmpty() ? null : begin(core, order.get(), file);
        } catch (Throwable e) {
            return Intake.refused(file, e);
        }
    }

    private Optional<Order> order(@Nullable ServerSession session, CoreMessage message) throws Exception {
        if (session == null) {
            return orders.ofArrival(message.getAddressSimpleString());
        }
        orders.refuseLargeRequest(session, message.getAddressSimpleString());
        return orders.ofSend(session, message.getAddressSimpleString());
    }

    private Intake begin(CoreMessage message, Order order, LargeFile file) throws Exception {
        String address = order.target().address();
        if (isInMemory(message)) {
            if (!Protection.isFoundRight(message, address)) {
                protection.apply(message, order, Room.inMemory(order.home().maxMessageSize()));
            }
            return new Intake(file, file, large -> Protection.markFoundRight(large.toMessage(), address));
        }
        if (EmbeddedStage.isCarrier(message)) {
            return new Intake(
                    file,
                    EmbeddedStage.of(message, embedded(order), order.home().maxMessageSize(), file),
                    large -> {});
        }
        return stream(message, order, file);
    }

    /** Of a stream there is only the head; what federation gets from another broker is one too. */
    private static boolean isInMemory(CoreMessage message) {
        return !message.isLargeMessage() && message.getBuffer() != null && message.getBodyBufferSize() > 0;
    }

    private EmbeddedStage.Sealing embedded(Order order) {
        return message ->
                protection.apply(message, order, Room.inMemory(order.home().maxMessageSize()));
    }

    private Intake stream(CoreMessage message, Order order, LargeFile file) {
        Protection.Target target = order.target();
        BodyStage clear = target.policy().policy().acceptance().where() == SealingPlace.CLIENT
                ? new Refusing(Protection.NOT_SEALED)
                : layout(message.getType(), sealing(order, file));
        boolean bytes = message.getType() == Message.BYTES_TYPE;
        SealedOrClear judge = new SealedOrClear(
                SealedOrClear.Envelopes.of(order.home()
                        .protector()
                        .chain(target.address(), target.policy(), order.source().senders())),
                file,
                clear);
        BodyStage first = bytes ? judge : clear;
        boolean compressed = Boolean.TRUE.equals(message.getObjectProperty(Message.HDR_LARGE_COMPRESSED));
        return new Intake(file, compressed ? new InflatingStage(first) : first, large -> {
            protection.count(bytes && judge.wasSealed());
            ProducerProperties.remove(large.toMessage());
            Protection.markFoundRight(large.toMessage(), target.address());
        });
    }

    private static BodyStage layout(byte type, SealingStage sealing) {
        return switch (type) {
            case Message.TEXT_TYPE -> new TextLayout(sealing);
            case Message.OBJECT_TYPE -> new ObjectLayout(sealing);
            default -> new RawLayout(type, sealing);
        };
    }

    private static SealingStage sealing(Order order, LargeFile file) {
        Identity signer = order.home().identities().signerFor(order.source().user());
        return new SealingStage(body -> order.home()
                .protector()
                .segments(order.head(body), order.target().policy(), signer, file::write));
    }

    /**
     * Fails the large messages that are on their way. They stay known: the rest of a message that is half sealed must
     * not be written in clear. The broker still asks the plugin about each of them, which refuses it.
     */
    @Override
    public void close() {
        open.values().forEach(intake -> intake.fail(new NotReadyException("the plugin has stopped")));
    }
}
