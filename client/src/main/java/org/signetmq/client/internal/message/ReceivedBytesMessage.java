/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.ClientLibrary.MessageMaker;

/**
 * A received bytes message. Applications mostly read the whole body at once, so the bytes go into the provider's
 * message only for other calls. The provider's message then rejects writing until the body is cleared.
 */
class ReceivedBytesMessage extends ReceivedMessage {
    /** Makes the content; null once it is made. */
    private @Nullable MessageMaker<BytesMessage> maker;

    private @Nullable BytesMessage content;

    /** The bytes; null once they are in the content. */
    private byte @Nullable [] whole;

    private boolean wholeWasRead;

    /** Makes a message with the bytes in its content. */
    ReceivedBytesMessage(Envelope envelope, BytesMessage content) {
        super(envelope, BytesMessage.class, content);
        this.content = content;
    }

    /**
     * Makes a message with the bytes beside its content.
     *
     * @param maker makes the content when the application needs it
     * @param whole at least one byte
     */
    ReceivedBytesMessage(Envelope envelope, MessageMaker<BytesMessage> maker, byte[] whole) {
        super(envelope, BytesMessage.class, null);
        this.maker = maker;
        this.whole = whole;
    }

    /** Returns the content, filled with the bytes. */
    @Override
    final BytesMessage content() throws JMSException {
        if (content == null) {
            content = Objects.requireNonNull(maker, "content: cannot be made").make();
            maker = null;
        }
        if (whole != null) {
            byte[] bytes = whole;
            whole = null;
            content.writeBytes(bytes);
            content.reset();
            if (wholeWasRead) {
                content.readBytes(new byte[bytes.length]);
            }
        }
        return content;
    }

    @Override
    void saveTo(OutputStream out) throws JMSException {
        try {
            out.write(whole == null ? content().getBody(byte[].class) : whole);
        } catch (IOException e) {
            throw PayloadParts.notWritten(e);
        }
    }

    @Override
    public <T> @Nullable T getBody(Class<T> type) throws JMSException {
        return whole != null && !wholeWasRead && type == byte[].class ? type.cast(whole.clone()) : super.getBody(type);
    }

    @Own
    public long getBodyLength() throws JMSException {
        return whole == null ? content().getBodyLength() : whole.length;
    }

    @Own
    int readBytes(byte[] bytes) throws JMSException {
        return readsWhole(bytes.length) ? readWhole(bytes) : content().readBytes(bytes);
    }

    @Own
    int readBytes(byte[] bytes, int length) throws JMSException {
        return length <= bytes.length && readsWhole(length)
                ? readWhole(bytes)
                : content().readBytes(bytes, length);
    }

    private boolean readsWhole(int length) {
        return whole != null && !wholeWasRead && length >= whole.length;
    }

    private int readWhole(byte[] into) {
        byte[] bytes = Objects.requireNonNull(whole);
        System.arraycopy(bytes, 0, into, 0, bytes.length);
        wholeWasRead = true;
        return bytes.length;
    }

    @Own
    void reset() throws JMSException {
        if (whole == null) {
            content().reset();
        } else {
            wholeWasRead = false;
        }
    }
}
