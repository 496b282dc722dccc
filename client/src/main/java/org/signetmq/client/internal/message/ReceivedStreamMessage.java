/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.JMSException;
import jakarta.jms.StreamMessage;

/** A received stream. The content was reset: the provider itself rejects writing before the body is cleared. */
final class ReceivedStreamMessage extends ReceivedMessage implements StreamMessage {
    private final StreamMessage content;

    ReceivedStreamMessage(ReceivedEnvelope envelope, StreamMessage content) {
        super(envelope, content);
        this.content = content;
    }

    @Override
    public boolean readBoolean() throws JMSException {
        return content.readBoolean();
    }

    @Override
    public byte readByte() throws JMSException {
        return content.readByte();
    }

    @Override
    public short readShort() throws JMSException {
        return content.readShort();
    }

    @Override
    public char readChar() throws JMSException {
        return content.readChar();
    }

    @Override
    public int readInt() throws JMSException {
        return content.readInt();
    }

    @Override
    public long readLong() throws JMSException {
        return content.readLong();
    }

    @Override
    public float readFloat() throws JMSException {
        return content.readFloat();
    }

    @Override
    public double readDouble() throws JMSException {
        return content.readDouble();
    }

    @Override
    public String readString() throws JMSException {
        return content.readString();
    }

    @Override
    public int readBytes(byte[] bytes) throws JMSException {
        return content.readBytes(bytes);
    }

    @Override
    public Object readObject() throws JMSException {
        return content.readObject();
    }

    @Override
    public void writeBoolean(boolean value) throws JMSException {
        content.writeBoolean(value);
    }

    @Override
    public void writeByte(byte value) throws JMSException {
        content.writeByte(value);
    }

    @Override
    public void writeShort(short value) throws JMSException {
        content.writeShort(value);
    }

    @Override
    public void writeChar(char value) throws JMSException {
        content.writeChar(value);
    }

    @Override
    public void writeInt(int value) throws JMSException {
        content.writeInt(value);
    }

    @Override
    public void writeLong(long value) throws JMSException {
        content.writeLong(value);
    }

    @Override
    public void writeFloat(float value) throws JMSException {
        content.writeFloat(value);
    }

    @Override
    public void writeDouble(double value) throws JMSException {
        content.writeDouble(value);
    }

    @Override
    public void writeString(String value) throws JMSException {
        content.writeString(value);
    }

    @Override
    public void writeBytes(byte[] bytes) throws JMSException {
        content.writeBytes(bytes);
    }

    @Override
    public void writeBytes(byte[] bytes, int offset, int length) throws JMSException {
        content.writeBytes(bytes, offset, length);
    }

    @Override
    public void writeObject(Object value) throws JMSException {
        content.writeObject(value);
    }

    @Override
    public void reset() throws JMSException {
        content.reset();
    }
}
