/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.signetmq.policy.BrokerAddresses;

/**
 * Recognises messages that the broker makes for itself, among those without a session. A client's message also has no
 * session if the broker moves it, or receives it from another broker.
 */
final class BrokerMessages {
    private BrokerMessages() {}

    /** Returns whether a routed message has the form of the broker's messages for this use. */
    static boolean isRouted(Message message, BrokerAddresses.Use use) {
        if (message.isLargeMessage() || wasElsewhere(message)) {
            return false;
        }
        return switch (use) {
            case NOTIFICATIONS -> message instanceof ICoreMessage core && isEmpty(core);
            case ADVISORIES -> message instanceof ICoreMessage && !message.isDurable();
            case MIRROR, FEDERATION -> !(message instanceof ICoreMessage);
            // the broker routes neither its answers to management requests nor the state of MQTT, and it keeps the
            // destination as the address of messages in internal queues
            case MANAGEMENT, MQTT, INTERNAL -> false;
        };
    }

    /** Returns whether a message without routing has the form of the broker's messages for this use. */
    static boolean isState(Message message, BrokerAddresses.Use use) {
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
