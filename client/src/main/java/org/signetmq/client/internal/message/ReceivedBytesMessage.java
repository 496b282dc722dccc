/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.MessageMaker;

/**
 * A received bytes message. Applications mostly read the whole body at once, so the bytes go into the provider's
 * message only for other calls. The provider's message then rejects writing until the body is cleared.
 */
class ReceivedBytesMessage extends ReceivedMessage implements BytesMessage {
    /** Makes the content; null once it is made. */
    private @Nullable MessageMaker<BytesMessage> maker;

    private @Nullable BytesMessage content;

    /** The bytes; null once they are in the content. */
    private byte @Nullable [] whole;

    private boolean wholeWasRead;

    /** Makes a message with the bytes in its content. */
    ReceivedBytesMessage(ReceivedEnvelope envelope, BytesMessage content) {
        super(envelope, content);
        this.content = content;
    }

    /**
     * Makes a message with the bytes beside its content.
     *
     * @param maker makes the content when the application needs it
     * @param whole at least one byte
     */
    ReceivedBytesMessage(ReceivedEnvelope envelope, MessageMaker<BytesMessage> maker, byte[] whole) {
        super(envelope, null);
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
    public void clearBody() throws JMSException {
        super.clearBody(); // fills the content: providers treat a cleared body differently if it was never written
    }

    @Override
    public <T> T getBody(Class<T> type) throws JMSException {
        if (whole != null && !wholeWasRead && type == byte[].class) {
            return type.cast(whole.clone());
        }
        return super.getBody(type);
    }

    @Override
    public long getBodyLength() throws JMSException {
        return whole == null ? content().getBodyLength() : whole.length;
    }

    @Override
    public int readBytes(byte[] bytes) throws JMSException {
        return readsWhole(bytes.length) ? readWhole(bytes) : content().readBytes(bytes);
    }

    @Override
    public int readBytes(byte[] bytes, int length) throws JMSException {
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

    @Override
    public void reset() throws JMSException {
        if (whole == null) {
            content().reset();
        } else {
            wholeWasRead = false;
        }
    }

    @Override
    public boolean readBoolean() throws JMSException {
        return content().readBoolean();
    }

    @Override
    public byte readByte() throws JMSException {
        return content().readByte();
    }

    @Override
    public int readUnsignedByte() throws JMSException {
        return content().readUnsignedByte();
    }

    @Override
    public short readShort() throws JMSException {
        return content().readShort();
    }

    @Override
    public int readUnsignedShort() throws JMSException {
        return content().readUnsignedShort();
    }

    @Override
    public char readChar() throws JMSException {
        return content().readChar();
    }

    @Override
    public int readInt() throws JMSException {
        return content().readInt();
    }

    @Override
    public long readLong() throws JMSException {
        return content().readLong();
    }

    @Override
    public float readFloat() throws JMSException {
        return content().readFloat();
    }

    @Override
    public double readDouble() throws JMSException {
        return content().readDouble();
    }

    @Override
    public String readUTF() throws JMSException {
        return content().readUTF();
    }

    @Override
    public void writeBoolean(boolean value) throws JMSException {
        content().writeBoolean(value);
    }

    @Override
    public void writeByte(byte value) throws JMSException {
        content().writeByte(value);
    }

    @Override
    public void writeShort(short value) throws JMSException {
        content().writeShort(value);
    }

    @Override
    public void writeChar(char value) throws JMSException {
        content().writeChar(value);
    }

    @Override
    public void writeInt(int value) throws JMSException {
        content().writeInt(value);
    }

    @Override
    public void writeLong(long value) throws JMSException {
        content().writeLong(value);
    }

    @Override
    public void writeFloat(float value) throws JMSException {
        content().writeFloat(value);
    }

    @Override
    public void writeDouble(double value) throws JMSException {
        content().writeDouble(value);
    }

    @Override
    public void writeUTF(String value) throws JMSException {
        content().writeUTF(value);
    }

    @Override
    public void writeBytes(byte[] bytes) throws JMSException {
        content().writeBytes(bytes);
    }

    @Override
    public void writeBytes(byte[] bytes, int offset, int length) throws JMSException {
        content().writeBytes(bytes, offset, length);
    }

    @Override
    public void writeObject(Object value) throws JMSException {
        content().writeObject(value);
    }
}
