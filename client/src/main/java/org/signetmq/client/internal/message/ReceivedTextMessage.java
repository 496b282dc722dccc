/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.MessageMaker;

/**
 * A received text message. Applications mostly read the text only, so it goes into the provider's message only for
 * other calls.
 */
final class ReceivedTextMessage extends ReceivedMessage implements TextMessage {
    /** Makes the content; null once it is made. */
    private @Nullable MessageMaker<TextMessage> maker;

    private @Nullable TextMessage content;
    private @Nullable String text;

    /** Makes a message with the text in its content. */
    ReceivedTextMessage(ReceivedEnvelope envelope, TextMessage content) {
        super(envelope, content);
        this.content = content;
    }

    /**
     * Makes a message with the text beside its content.
     *
     * @param maker makes the content when the application needs it
     */
    ReceivedTextMessage(ReceivedEnvelope envelope, MessageMaker<TextMessage> maker, @Nullable String text) {
        super(envelope, null);
        this.maker = maker;
        this.text = text;
    }

    /** Returns the content, with the text. */
    @Override
    TextMessage content() throws JMSException {
        if (content == null) {
            TextMessage made =
                    Objects.requireNonNull(maker, "content: cannot be made").make();
            made.setText(text);
            content = made;
            maker = null;
            text = null;
        }
        return content;
    }

    @Override
    public @Nullable String getText() throws JMSException {
        return content == null ? text : content.getText();
    }

    @Override
    public void setText(String text) throws JMSException {
        checkBodyWritable();
        content().setText(text);
    }

    @Override
    public <T> T getBody(Class<T> type) throws JMSException {
        return content == null && text != null && type == String.class ? type.cast(text) : super.getBody(type);
    }
}
