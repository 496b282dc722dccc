/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.Optional;
import java.util.function.Supplier;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.apache.activemq.artemis.core.server.RoutingContext;
import org.apache.activemq.artemis.core.server.ServerSession;

/**
 * Decides what happens to each message on its way in. Throws whatever goes wrong: the plugin turns it into a refusal.
 */
final class MessageGate {
    private final Counters counters;
    private final AddressRules addresses;
    private final Orders orders;
    private final Protection protection;
    private final LargeMessages large;
    private final ManagementReplies replies = new ManagementReplies();

    MessageGate(ActiveMQServer server, Supplier<Readiness> readiness, Counters counters) {
        this.counters = counters;
        this.addresses = new AddressRules(server);
        this.orders = new Orders(server, readiness, addresses);
        this.protection = new Protection(counters);
        this.large = new LargeMessages(
                server, new Intakes(server, orders, protection), new BeforeLarge(), new WhereNothingIsSealed());
    }

    /** The large messages, which the broker writes before anybody is asked. */
    LargeMessages large() {
        return large;
    }

    /** A client sends a message: the broker has it in memory, or has written it if it is large. */
    void send(ServerSession session, Message message) throws Exception {
        judge(session, message);
        large.writeIfHeld(message);
    }

    private void judge(ServerSession session, Message message) throws Exception {
        replies.end();
        SimpleString given = message.getAddressSimpleString();
        SimpleString address =
                addresses.ofSend(session, given).orElseThrow(() -> new RefusedException("the message has no address"));
        if (addresses.isExcluded(address)) {
            if (addresses.isManagement(address)) {
                replies.begin(session, message);
            }
            return;
        }
        Intake.requireNotRefused(message);
        if (message.isLargeMessage() && Protection.isFoundRight(message, address.toString())) {
            LargeMessages.correctSize(message);
            return;
        }
        Optional<Order> order = orders.ofSend(session, address, given);
        if (order.isPresent()) {
            apply(message, order.get());
        } else {
            counters.countPassed();
        }
    }

    private void apply(Message message, Order order) throws Exception {
        if (message.isLargeMessage()) {
            applyToLarge((LargeServerMessage) message, order);
        } else {
            protection.apply(message, order, Room.inJournal(large.largestRecord()));
        }
    }

    private void applyToLarge(LargeServerMessage message, Order order) throws Exception {
        HeldBody held = HeldBody.of(message.toMessage());
        if (held == null) {
            large.requireSealed(message, order);
            return;
        }
        Message whole = AmqpLargeBody.whole(message.toMessage(), held.bytes());
        protection.apply(whole, order, Room.inMemory(order.home().maxMessageSize()));
        byte[] bytes = AmqpLargeBody.bytesOf(whole);
        large.requireRoomOnMirrors(bytes.length);
        AmqpLargeBody.changedTo(bytes, message.toMessage());
        large.write(bytes, held, message);
        Protection.markFoundRight(message.toMessage(), order.target().address());
    }

    /** A send is over, well or not. */
    void sent() {
        replies.end();
    }

    /**
     * A message is about to be stored. Most were judged when they were sent; what comes out of a divert, a move, a
     * federation or a dead-letter rule was not, or was for another address.
     */
    void route(Message message, RoutingContext context) throws Exception {
        judge(message, context);
        large.writeIfHeld(message);
    }

    private void judge(Message message, RoutingContext context) throws Exception {
        Intake.requireNotRefused(message);
        SimpleString address = addresses
                .ofRoute(context.getAddress(message))
                .orElseThrow(() -> new RefusedException("the message has no address"));
        if (context.getMirrorSource() != null
                || Protection.isFoundRight(message, address.toString())
                || replies.isReply(context, address)) {
            return;
        }
        Optional<Order> order = orders.ofRoute(message, context);
        if (order.isPresent()) {
            apply(message, order.get());
        }
        if (context.getServerSession() == null) {
            orders.protectedOrigin(message).ifPresent(origin -> OriginalDestination.tell(message, origin));
        }
    }

    /** What a client's large message is where the broker writes it as it comes. */
    private final class WhereNothingIsSealed implements CoreLargeRefusal.Judge {
        @Override
        public boolean makesLarge(Message message) {
            return large.makesLarge(message);
        }

        /** The text of a message may also be in a request to the management. */
        @Override
        public boolean isProtected(ServerSession session, Message message) throws Exception {
            SimpleString given = message.getAddressSimpleString();
            return addresses
                            .ofSend(session, given)
                            .filter(addresses::isManagement)
                            .isPresent()
                    || orders.ofSend(session, given).isPresent();
        }

        @Override
        public void refused() {
            counters.countRejected();
        }
    }

    /** What becomes of a client's AMQP message before it is made a large Core message. */
    private final class BeforeLarge implements AmqpLargeSealing.Sealing {
        @Override
        public boolean isFor(Message message) {
            return large.makesLarge(message);
        }

        @Override
        public void apply(ServerSession session, Message message) throws Exception {
            Optional<Order> order = orders.ofSend(session, message.getAddressSimpleString());
            if (order.isEmpty()) {
                return;
            }
            try {
                Room.inMemory(order.get().home().maxMessageSize()).requireNotFarBeyond(message);
            } catch (RefusedException tooLong) {
                // the broker would make a Core message of it before it asks again, which takes several times the body
                AmqpBody.drop(message);
                Intake.markRefused(message, tooLong);
                return;
            }
            protection.sealSections(message, order.get());
        }
    }
}
