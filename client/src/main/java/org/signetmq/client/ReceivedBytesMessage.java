/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.OutputStream;

/** Received bytes. The content was reset: the provider itself refuses writing before the body is cleared. */
class ReceivedBytesMessage extends ReceivedMessage implements BytesMessage {
    private final BytesMessage content;

    ReceivedBytesMessage(Arrival arrival, BytesMessage content) {
        super(arrival, content);
        this.content = content;
    }

    @Override
    void saveTo(OutputStream out) throws JMSException {
        try {
            out.write(content.getBody(byte[].class));
        } catch (IOException e) {
            throw PayloadParts.notWritten(e);
        }
    }

    @Override
    public long getBodyLength() throws JMSException {
        return content.getBodyLength();
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
    public int readUnsignedByte() throws JMSException {
        return content.readUnsignedByte();
    }

    @Override
    public short readShort() throws JMSException {
        return content.readShort();
    }

    @Override
    public int readUnsignedShort() throws JMSException {
        return content.readUnsignedShort();
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
    public String readUTF() throws JMSException {
        return content.readUTF();
    }

    @Override
    public int readBytes(byte[] bytes) throws JMSException {
        return content.readBytes(bytes);
    }

    @Override
    public int readBytes(byte[] bytes, int length) throws JMSException {
        return content.readBytes(bytes, length);
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
    public void writeUTF(String value) throws JMSException {
        content.writeUTF(value);
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
