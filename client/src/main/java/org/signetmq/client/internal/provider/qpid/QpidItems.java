/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider.qpid;

import jakarta.jms.StreamMessage;
import org.apache.qpid.jms.message.JmsStreamMessage;
import org.apache.qpid.jms.message.facade.JmsStreamMessageFacade;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.TypeNames;

/** Items of AMQP types in stream messages of Qpid JMS, which holds any that it receives. Needs its classes. */
public final class QpidItems {
    private static final String STREAM_MESSAGE = "org.apache.qpid.jms.message.JmsStreamMessage";

    private QpidItems() {}

    /** Whether the message is one of Qpid JMS. */
    public static boolean areTakenBy(StreamMessage message) {
        return TypeNames.isA(message, STREAM_MESSAGE);
    }

    /** Appends an item of any type. */
    public static void append(@Nullable Object item, StreamMessage message) {
        ((JmsStreamMessageFacade) ((JmsStreamMessage) message).getFacade()).put(item);
    }
}
