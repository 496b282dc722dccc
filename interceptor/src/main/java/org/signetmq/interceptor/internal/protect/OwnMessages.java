/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.signetmq.policy.BrokerAddresses;

/**
 * Recognises messages that the broker makes for itself, among those that reach its addresses without a session. A
 * message of a client comes there without one when the broker moves it, or takes it from another broker.
 */
final class OwnMessages {
    private OwnMessages() {}

    /** Whether the broker makes such messages for this use, and routes them. */
    static boolean isRouted(Message message, BrokerAddresses.Use use) {
        if (message.isLargeMessage() || wasElsewhere(message)) {
            return false;
        }
        return switch (use) {
            case NOTIFICATIONS -> message instanceof ICoreMessage core && isEmpty(core);
            case ADVISORIES -> message instanceof ICoreMessage && !message.isDurable();
            case MIRROR, FEDERATION -> !(message instanceof ICoreMessage);
            // the broker answers management requests before it routes them, stores the state of MQTT without routing,
            // and addresses messages in internal queues to their destination
            case MANAGEMENT, MQTT, INTERNAL -> false;
        };
    }

    /** Whether the broker makes such messages for this use, and puts them into queues without routing them. */
    static boolean isState(Message message, BrokerAddresses.Use use) {
        return use == BrokerAddresses.Use.MQTT
                && message instanceof ICoreMessage
                && !message.isLargeMessage()
                && !wasElsewhere(message);
    }

    /** The broker notes on every message that it moves or copies where it was. */
    private static boolean wasElsewhere(Message message) {
        return message.getBrokerProperty(Message.HDR_ORIGINAL_ADDRESS) != null;
    }

    /** A message that was given no body is encoded with one of four zeros. */
    private static boolean isEmpty(ICoreMessage message) {
        ActiveMQBuffer body = message.getReadOnlyBodyBuffer();
        return body.readableBytes() == 0 || (body.readableBytes() == Integer.BYTES && body.getInt(0) == 0);
    }
}
