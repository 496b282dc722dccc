/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.BytesMessage;
import jakarta.jms.MapMessage;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;

/** Messages that were let through unprotected: body and all are as they arrived. */
public final class UnprotectedMessages {
    private UnprotectedMessages() {}

    public static ReceivedMessage of(ReceivedEnvelope envelope) {
        if (envelope.message() instanceof TextMessage text) {
            return new ReceivedTextMessage(envelope, text);
        } else if (envelope.message() instanceof BytesMessage bytes) {
            return new ReceivedBytesMessage(envelope, bytes);
        } else if (envelope.message() instanceof MapMessage map) {
            return new ReceivedMapMessage(envelope, map);
        } else if (envelope.message() instanceof StreamMessage stream) {
            return new ReceivedStreamMessage(envelope, stream);
        } else if (envelope.message() instanceof ObjectMessage object) {
            return new ReceivedObjectMessage(envelope, object, null);
        } else {
            return new ReceivedMessage(envelope, envelope.message());
        }
    }
}
