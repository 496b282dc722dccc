/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import java.util.Optional;
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
import org.signetmq.policy.BrokerAddresses;

/**
 * Finds the address of a message as policies know it, and knows which messages are the broker's own.
 *
 * <p>A name proves nothing: a client with the right to do so sends to any name, and can have an address marked as
 * internal. So a message is the broker's own only if it comes without a session and has the form of the broker's
 * messages for that address. Every client has a session.
 */
public final class AddressRules {
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
     * The address of a send: without the acceptor's prefix and without the queue part of a fully qualified name. A
     * message without an address goes to the session's default, exactly as the broker does it afterwards.
     */
    public Optional<SimpleString> ofSend(ServerSession session, @Nullable SimpleString address) {
        SimpleString given = address == null ? SimpleString.of(session.getDefaultAddress()) : address;
        return bare(session.removePrefix(given));
    }

    /** The address that a message is routed to: prefixes are gone by then. */
    public Optional<SimpleString> ofRoute(@Nullable SimpleString address) {
        return bare(address);
    }

    /**
     * Whether the broker answers this send and stores nothing. It compares the address as the client wrote it: behind a
     * prefix, or with a queue, the management's address is an address as any other.
     *
     * @param given the address as the client wrote it
     */
    public boolean isRequest(ServerSession session, @Nullable SimpleString given) {
        return management.equals(given == null ? SimpleString.of(session.getDefaultAddress()) : given);
    }

    /** Whether the address, or the queue of this name, goes away with the connection that made it. */
    public boolean isTemporary(SimpleString address) {
        Queue queue = server.locateQueue(address);
        AddressInfo info = server.getAddressInfo(address);
        return (queue != null && queue.isTemporary()) || (info != null && info.isTemporary());
    }

    /** Whether requests to the broker's management may arrive here, once prefixes are gone. */
    public boolean isManagement(SimpleString address) {
        return management.equals(address);
    }

    /**
     * Whether the broker keeps this address for messages of its own. Says nothing about a message: see {@link #isOwn}.
     */
    boolean isExcluded(SimpleString address) {
        return useOf(address).isPresent();
    }

    /**
     * Whether the broker made this message for itself.
     *
     * @param address the bare address that it goes to
     */
    public boolean isOwn(Message message, RoutingContext context, SimpleString address) {
        return context.getServerSession() == null
                && useOf(address)
                        .filter(use -> OwnMessages.isRouted(message, use))
                        .isPresent();
    }

    /**
     * Whether the broker made this message, which it stores and did not route, for itself.
     *
     * @param address the bare address that it goes to
     */
    boolean isOwnState(Message message, SimpleString address) {
        return useOf(address).filter(use -> OwnMessages.isState(message, use)).isPresent();
    }

    /**
     * Whether this message tells another node of a cluster of a queue. The broker gives it the name of a queue for an
     * address.
     *
     * @param store the address that pages it
     */
    public boolean isNote(Message message, SimpleString store) {
        return useOf(store)
                .filter(use -> use == BrokerAddresses.Use.NOTIFICATIONS && OwnMessages.isRouted(message, use))
                .isPresent();
    }

    private Optional<BrokerAddresses.Use> useOf(SimpleString address) {
        return naming.addresses().useOf(address.toString());
    }

    private Optional<SimpleString> bare(@Nullable SimpleString address) {
        return Optional.ofNullable(CompositeAddress.extractAddressName(address))
                .map(this::topicOfRetained)
                .map(naming::originOfRetroactive)
                .filter(name -> !name.isEmpty());
    }

    /** The broker's own copies do not come by here, but a client may send to where they are kept. */
    private SimpleString topicOfRetained(SimpleString address) {
        return address.startsWith(retained) ? address.subSeq(retained.length(), address.length()) : address;
    }
}
