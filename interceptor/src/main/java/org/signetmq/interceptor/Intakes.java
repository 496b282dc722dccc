/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Identity;
import org.signetmq.policy.SealingPlace;

/** The large messages that are on their way into their files. Thread-safe. */
final class Intakes implements AutoCloseable {
    private final ActiveMQServer server;
    private final Orders orders;
    private final ThreadSessions sessions;
    private final Protection protection;
    private final Map<Long, Intake> open = new ConcurrentHashMap<>();
    private final Map<Long, HeldBody> held = new ConcurrentHashMap<>();
    private final HeldMemory memory = new HeldMemory();
    private volatile boolean removed;

    Intakes(ActiveMQServer server, Orders orders, Protection protection) {
        this.server = server;
        this.orders = orders;
        this.sessions = new ThreadSessions(server);
        this.protection = protection;
    }

    /** Whether the plugin was taken out of the broker, which asks it about no message any more. */
    boolean isRemoved() {
        return removed;
    }

    /** Takes nothing any more, and nobody is asked whether to refuse a message: so its bytes must be refused. */
    void remove() {
        removed = true;
    }

    int count() {
        return open.size() + held.size();
    }

    boolean syncs() {
        return server.getConfiguration().isLargeMessageSync();
    }

    @Nullable
    Intake find(long messageId) {
        return open.get(messageId);
    }

    @Nullable
    Intake remove(long messageId) {
        return open.remove(messageId);
    }

    /** Whether a message of which nothing is known yet must wait: not where no policy can say anything of it. */
    boolean mustHold() {
        return orders.mayProtectOrRefuseAny();
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
            if (session != null && isInMemory(core)) {
                AmqpConnection.keep(session, core);
            }
            Optional<Order> order = order(session, core);
            return order.isEmpty() ? null : begin(core, order.get(), file);
        } catch (NotReadyException e) {
            return isFromBroker(core) ? asItIs(file, e) : Intake.refused(file, e);
        } catch (Throwable e) {
            return Intake.refused(file, e);
        }
    }

    /**
     * Whether another broker brings it by AMQP, be it that it mirrors its messages here. What is refused on a mirror is
     * lost, so what is an envelope by its form is taken; if it is no mirror, it is judged once more when it is sent.
     */
    private boolean isFromBroker(CoreMessage message) {
        return !isInMemory(message) && !EmbeddedStage.isCarrier(message) && sessions.ofThisThread() == null;
    }

    /** The intake of what is sealed by its form, while nothing can be said of it. */
    private static Intake asItIs(LargeFile file, NotReadyException problem) {
        BodyStage clear = new Refusing(String.valueOf(problem.getMessage()));
        return new Intake(file, new SealedOrClear(SealedOrClear.Envelopes.byForm(), file, clear), large -> {});
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
        SealedOrClear byForm = new SealedOrClear(SealedOrClear.Envelopes.byForm(), file, clear);
        SealedOrClear judge = new SealedOrClear(
                SealedOrClear.Envelopes.of(order.home()
                        .protector()
                        .chain(target.address(), target.policy(), order.source().senders())),
                file,
                isFromBroker(message) ? byForm : clear);
        BodyStage first = bytes ? judge : clear;
        boolean compressed = Boolean.TRUE.equals(message.getObjectProperty(Message.HDR_LARGE_COMPRESSED));
        return new Intake(file, compressed ? new InflatingStage(first) : first, large -> {
            if (byForm.wasSealed()) {
                return; // by whom and how is asked when it is sent
            }
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
