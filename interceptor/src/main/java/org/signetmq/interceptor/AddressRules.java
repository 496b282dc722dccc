/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.Optional;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.impl.AddressInfo;
import org.apache.activemq.artemis.utils.CompositeAddress;
import org.jspecify.annotations.Nullable;

/** Which address a message goes to, as policies know it, and which addresses are none of Signet's business. */
final class AddressRules {
    /** Before the address of an MQTT topic: where the broker keeps its retained message. */
    private static final SimpleString RETAINED = SimpleString.of("$sys.mqtt.retain.");

    private final ActiveMQServer server;

    AddressRules(ActiveMQServer server) {
        this.server = server;
    }

    /**
     * The address of a send: without the acceptor's prefix and without the queue part of a fully qualified name. A
     * message without an address goes to the session's default, exactly as the broker does it afterwards.
     */
    Optional<SimpleString> ofSend(ServerSession session, @Nullable SimpleString address) {
        SimpleString given = address == null ? SimpleString.of(session.getDefaultAddress()) : address;
        return bare(session.removePrefix(given));
    }

    /** The address that a message is routed to: prefixes are gone by then. */
    Optional<SimpleString> ofRoute(@Nullable SimpleString address) {
        return bare(address);
    }

    /** The broker's own traffic: {@code $*}, management, notifications, advisories, internal addresses. */
    boolean isExcluded(SimpleString address) {
        String name = address.toString();
        return name.startsWith("$")
                || name.startsWith("ActiveMQ.Advisory.")
                || isManagement(address)
                || address.equals(server.getConfiguration().getManagementNotificationAddress())
                || isInternal(address);
    }

    /** Whether requests to the broker's management arrive here. */
    boolean isManagement(SimpleString address) {
        return address.equals(server.getConfiguration().getManagementAddress());
    }

    /** Whether the broker tells of its own events here. */
    boolean isNotification(SimpleString address) {
        return address.equals(server.getConfiguration().getManagementNotificationAddress());
    }

    private boolean isInternal(SimpleString address) {
        AddressInfo info = server.getAddressInfo(address);
        return info != null && info.isInternal();
    }

    private static Optional<SimpleString> bare(@Nullable SimpleString address) {
        return Optional.ofNullable(CompositeAddress.extractAddressName(address))
                .map(AddressRules::topicOfRetained)
                .filter(name -> !name.isEmpty());
    }

    /** The broker's own copies do not come by here, but somebody may send to where they are kept. */
    private static SimpleString topicOfRetained(SimpleString address) {
        return address.startsWith(RETAINED) ? address.subSeq(RETAINED.length(), address.length()) : address;
    }
}
