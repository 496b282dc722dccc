/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.StreamMessage;

/** The body of a message as receiveBody wants it: there, and of the type asked for. */
public final class BodyAccess {
    private BodyAccess() {}

    public static <T> T message(ReceivedMessage message, Class<T> type) throws JMSException {
        if (message instanceof StreamMessage) {
            throw new MessageFormatException("body: a stream cannot be received as an object");
        }
        T body = message.getBody(type);
        if (body == null) {
            throw new MessageFormatException("body: missing");
        }
        return body;
    }
}
