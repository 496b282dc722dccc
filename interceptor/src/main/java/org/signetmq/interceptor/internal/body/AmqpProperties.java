/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.body;

import java.util.HashMap;
import java.util.Map;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPMessage;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPMessageBrokerAccessor;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPStandardMessage;
import org.apache.activemq.artemis.utils.collections.TypedProperties;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.MessageAnnotations;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.apache.qpid.proton.message.impl.MessageImpl;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/**
 * Removes reserved properties from an AMQP message: from its application properties, its message annotations and the
 * extra properties that the broker keeps with it.
 */
final class AmqpProperties {
    private static final String BEFORE_UNDERSCORE = "signet";

    private AmqpProperties() {}

    /**
     * Removes the reserved properties of a message. A message without reserved names is not decoded.
     *
     * @throws MessageRejectedException if the message lies in a file and has reserved properties
     */
    static void removeReserved(Message message) throws MessageRejectedException {
        AMQPMessage amqp = (AMQPMessage) message;
        TypedProperties beside = amqp.getExtraProperties();
        if (beside != null) {
            ProducerProperties.removeFrom(beside);
        }
        if (!(amqp instanceof AMQPStandardMessage standard)) {
            requireNoneInFile(amqp);
        } else if (mayHaveReserved(standard)) {
            removeReserved(standard);
        }
    }

    /** Returns whether the encoded bytes before the body contain the prefix of reserved names. */
    private static boolean mayHaveReserved(AMQPStandardMessage message) {
        ReadableBuffer buffer = message.getSendBuffer(1, null);
        int body = AMQPMessageBrokerAccessor.getRemainingBodyPosition(message);
        int end = body < 0 ? buffer.limit() : Math.min(body, buffer.limit());
        for (int i = BEFORE_UNDERSCORE.length(); i < end; i++) {
            if (buffer.get(i) == '_' && endsAt(buffer, i)) {
                return true;
            }
        }
        return false;
    }

    private static boolean endsAt(ReadableBuffer buffer, int end) {
        int start = end - BEFORE_UNDERSCORE.length();
        for (int i = 0; i < BEFORE_UNDERSCORE.length(); i++) {
            if ((buffer.get(start + i) | 0x20) != BEFORE_UNDERSCORE.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static void removeReserved(AMQPStandardMessage message) {
        MessageImpl head = new MessageImpl();
        head.setHeader(message.getHeader());
        head.setProperties(message.getProperties());
        ApplicationProperties properties = message.getApplicationProperties();
        boolean changed = false;
        if (properties != null) {
            Map<String, Object> kept = new HashMap<>(properties.getValue());
            changed = removeReserved(kept);
            head.setApplicationProperties(kept.isEmpty() ? null : new ApplicationProperties(kept));
        }
        MessageAnnotations annotations = message.getMessageAnnotations();
        if (annotations != null) {
            var kept = new HashMap<>(annotations.getValue());
            changed |= removeReserved(kept);
            head.setMessageAnnotations(new MessageAnnotations(kept));
        }
        if (changed) {
            AmqpBody.replaceHead(message, head);
        }
    }

    /** Removes reserved keys. Keys should be strings or symbols, but producers may send others. */
    private static boolean removeReserved(Map<?, ?> map) {
        return map.keySet().removeIf(key -> ProducerProperties.isReserved(String.valueOf((@Nullable Object) key)));
    }

    /** Checks the sections that the broker has decoded, because the file may be empty yet. */
    private static void requireNoneInFile(AMQPMessage message) throws MessageRejectedException {
        MessageAnnotations annotations = AMQPMessageBrokerAccessor.getDecodedMessageAnnotations(message);
        if (message.getPropertyNames().stream().anyMatch(ProducerProperties::isReserved)
                || (annotations != null && removeReserved(new HashMap<>(annotations.getValue())))) {
            throw new MessageRejectedException(
                    "a large AMQP message with a property whose name begins with JMS_Signet_ or signet_: only"
                            + " Signet's client library sets such properties");
        }
    }
}
