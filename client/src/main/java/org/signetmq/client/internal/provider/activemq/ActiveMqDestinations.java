/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider.activemq;

import jakarta.jms.Message;
import org.apache.activemq.command.ActiveMQDestination;
import org.apache.activemq.command.ActiveMQMessage;
import org.jspecify.annotations.Nullable;

/** The destination that a dead letter had first, as OpenWire tells it. Needs the classes of the ActiveMQ client. */
public final class ActiveMqDestinations {
    private ActiveMqDestinations() {}

    static @Nullable public String original(Message message) {
        ActiveMQDestination original = ((ActiveMQMessage) message).getOriginalDestination();
        return original == null ? null : original.getPhysicalName();
    }
}
