/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import java.util.Optional;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.RoutingContext;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.impl.AddressInfo;
import org.apache.activemq.artemis.utils.CompositeAddress;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.home.BrokerNaming;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.policy.BrokerAddresses;

/**
 * Finds the address of a message for policies, and recognises messages of the broker itself.
 *
 * <p>An address alone proves nothing: a client with the permission may send to any address, and may mark an address as
 * internal. So a message is the broker's own only if no session sent it, and if its form is that of the broker's
 * messages there. Every client has a session.
 */
public final class AddressRules {
    private static final SimpleString POLICIES = SimpleString.of(BrokerAddresses.POLICIES);

    private final BrokerNaming naming;
    private final SimpleString management;
    private final SimpleString retained = SimpleString.of(BrokerAddresses.RETAINED);
    private final ActiveMQServer server;

    public AddressRules(ActiveMQServer server) {
        this.server = server;
        this.naming = BrokerNaming.of(server.getConfiguration());
        this.management = SimpleString.of(naming.addresses().management());
    }

    /**
     * Returns the address of a send, without the acceptor's prefix and without the queue part of a fully qualified
     * name. A message without an address has the session's default address, as in the broker.
     *
     * @throws MessageRejectedException if there is no address
     */
    public SimpleString ofSend(ServerSession session, @Nullable SimpleString address) throws MessageRejectedException {
        SimpleString given = address == null ? SimpleString.of(session.getDefaultAddress()) : address;
        return required(session.removePrefix(given));
    }

    /**
     * Returns the address of a routed message.
     *
     * @throws MessageRejectedException if there is no address
     */
    public SimpleString required(@Nullable SimpleString address) throws MessageRejectedException {
        SimpleString bare = bare(address);
        if (bare == null) {
            throw new MessageRejectedException("the message has no address");
        }
        return bare;
    }

    /** Returns the address of a routed message, from which the broker has already removed the prefix. */
    public Optional<SimpleString> ofRoute(@Nullable SimpleString address) {
        return Optional.ofNullable(bare(address));
    }

    private @Nullable SimpleString bare(@Nullable SimpleString address) {
        SimpleString name = CompositeAddress.extractAddressName(address);
        if (name == null) {
            return null;
        }
        SimpleString bare = naming.originOfRetroactive(topicOfRetained(name));
        return bare.isEmpty() ? null : bare;
    }

    /**
     * Returns whether the send is a management request, which the broker answers and does not store. As in the broker,
     * an address with a prefix or a queue part is not the management address.
     *
     * @param given the address as the client wrote it
     */
    public boolean isRequest(ServerSession session, @Nullable SimpleString given) {
        return management.equals(given == null ? SimpleString.of(session.getDefaultAddress()) : given);
    }

    /** Returns whether the address, or the queue of this name, is temporary. */
    public boolean isTemporary(SimpleString address) {
        Queue queue = server.locateQueue(address);
        AddressInfo info = server.getAddressInfo(address);
        return (queue != null && queue.isTemporary()) || (info != null && info.isTemporary());
    }

    /** Returns whether this is the bare address at which clients receive policies. */
    public static boolean isPolicies(SimpleString address) {
        return POLICIES.hashCode() == address.hashCode() && POLICIES.equals(address); // for each queue of a message
    }

    /** Returns whether this bare address is the management address. */
    public boolean isManagement(SimpleString address) {
        return management.equals(address);
    }

    /**
     * Returns whether the broker itself made this routed message.
     *
     * @param address the bare address of the message
     */
    public boolean isOwn(Message message, RoutingContext context, SimpleString address) {
        return context.getServerSession() == null
                && useOf(address).filter(use -> isRouted(message, use)).isPresent();
    }

    /**
     * Returns whether the broker itself made this message, which it stores without routing.
     *
     * @param address the bare address of the message
     */
    boolean isOwnState(Message message, SimpleString address) {
        return useOf(address).filter(use -> isState(message, use)).isPresent();
    }

    /**
     * Returns whether this message is a notification about a queue for another node of a cluster. The broker gives it
     * the name of a queue as its address.
     *
     * @param store the address of the paging store
     */
    public boolean isNote(Message message, SimpleString store) {
        return useOf(store)
                .filter(use -> use == BrokerAddresses.Use.NOTIFICATIONS && isRouted(message, use))
                .isPresent();
    }

    /** Returns whether the broker keeps this address for itself, so that no policy applies to its messages. */
    public boolean isKept(SimpleString address) {
        return isManagement(address) || useOf(address).isPresent();
    }

    private Optional<BrokerAddresses.Use> useOf(SimpleString address) {
        return naming.addresses().useOf(address.toString());
    }

    /**
     * Returns the topic of an address for retained messages, to which a client may send; any other address unchanged.
     */
    private SimpleString topicOfRetained(SimpleString address) {
        return address.startsWith(retained) ? address.subSeq(retained.length(), address.length()) : address;
    }

    /** Returns whether a routed message has the form of the broker's messages for this use. */
    private static boolean isRouted(Message message, BrokerAddresses.Use use) {
        if (message.isLargeMessage() || wasElsewhere(message)) {
            return false;
        }
        return switch (use) {
            case NOTIFICATIONS -> message instanceof ICoreMessage core && isEmpty(core);
            case ADVISORIES -> message instanceof ICoreMessage && !message.isDurable();
            case MIRROR, FEDERATION -> !(message instanceof ICoreMessage);
            // the broker routes neither its answers to management requests nor the state of MQTT, and it keeps the
            // destination as the address of messages in internal queues
            // and the gate recognises the policies for clients
            case MANAGEMENT, MQTT, POLICIES, INTERNAL -> false;
        };
    }

    /** Returns whether a message without routing has the form of the broker's messages for this use. */
    private static boolean isState(Message message, BrokerAddresses.Use use) {
        if (use == BrokerAddresses.Use.POLICIES) {
            return true;
        }
        return use == BrokerAddresses.Use.MQTT
                && message instanceof ICoreMessage
                && !message.isLargeMessage()
                && !wasElsewhere(message);
    }

    /** Returns whether the broker moved or copied the message. It then has a property with its original address. */
    private static boolean wasElsewhere(Message message) {
        return message.getBrokerProperty(Message.HDR_ORIGINAL_ADDRESS) != null;
    }

    /** Returns whether the message has no body, which the broker encodes as nothing or as four zeros. */
    private static boolean isEmpty(ICoreMessage message) {
        ActiveMQBuffer body = message.getReadOnlyBodyBuffer();
        return body.readableBytes() == 0 || (body.readableBytes() == Integer.BYTES && body.getInt(0) == 0);
    }
}
