/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.BytesMessage;
import jakarta.jms.MapMessage;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;

/** Messages that were let through unprotected: body and all are as they arrived. */
public final class Unopened {
    private Unopened() {}

    public static ReceivedMessage of(Arrival arrival) {
        if (arrival.message() instanceof TextMessage text) {
            return new ReceivedTextMessage(arrival, text);
        } else if (arrival.message() instanceof BytesMessage bytes) {
            return new ReceivedBytesMessage(arrival, bytes);
        } else if (arrival.message() instanceof MapMessage map) {
            return new ReceivedMapMessage(arrival, map);
        } else if (arrival.message() instanceof StreamMessage stream) {
            return new ReceivedStreamMessage(arrival, stream);
        } else if (arrival.message() instanceof ObjectMessage object) {
            return new ReceivedObjectMessage(arrival, object, null);
        } else {
            return new ReceivedMessage(arrival, arrival.message());
        }
    }
}
