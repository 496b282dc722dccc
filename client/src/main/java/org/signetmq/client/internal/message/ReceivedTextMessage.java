/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;

/** A received text. */
final class ReceivedTextMessage extends ReceivedMessage implements TextMessage {
    private final TextMessage content;

    ReceivedTextMessage(ReceivedEnvelope envelope, TextMessage content) {
        super(envelope, content);
        this.content = content;
    }

    @Override
    public String getText() throws JMSException {
        return content.getText();
    }

    @Override
    public void setText(String text) throws JMSException {
        checkBodyWritable();
        content.setText(text);
    }
}
