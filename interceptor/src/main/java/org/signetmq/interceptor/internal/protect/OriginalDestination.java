/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;

/**
 * Tells clients that speak OpenWire where the broker took a message from, so that they can open dead letters: Artemis
 * notes the address on the message, but keeps the note from these clients. They get it as the original destination,
 * where ActiveMQ's own brokers put it. In messages stored as AMQP they see the annotation.
 */
public final class OriginalDestination {
    /** The property that Artemis gives to OpenWire clients as the original destination. */
    private static final SimpleString PROPERTY = SimpleString.of("__HDR_ORIG_DESTINATION");

    private OriginalDestination() {}

    public static void tell(Message moved, SimpleString address) {
        if (moved instanceof ICoreMessage) {
            moved.putStringProperty(PROPERTY, address);
        }
    }
}
