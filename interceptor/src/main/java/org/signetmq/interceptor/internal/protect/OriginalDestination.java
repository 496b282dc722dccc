/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;

/**
 * Shows OpenWire consumers the original address of a moved message, so that they can open dead letters. Artemis notes
 * the address in a property that these consumers do not receive. They receive it as the original destination, as from
 * ActiveMQ's own brokers. Of messages that are stored as AMQP they receive the annotation.
 */
public final class OriginalDestination {
    /** The property that OpenWire consumers receive as the original destination. */
    private static final SimpleString PROPERTY = SimpleString.of("__HDR_ORIG_DESTINATION");

    private OriginalDestination() {}

    public static void set(Message moved, SimpleString address) {
        if (moved instanceof ICoreMessage) {
            moved.putStringProperty(PROPERTY, address);
        }
    }
}
