/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.BytesMessage;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A received bytes message that is opened while the application reads it. It needs the memory of two segments. A call
 * for the length or for the whole body reads the rest into memory. If a later part cannot be opened, the application
 * gets a {@code MessageOpenException} when it reads that part, and never the end.
 */
public final class StreamedBytesMessage extends ReceivedBytesMessage {
    private final BytesMessage content;
    private @Nullable PayloadParts parts;

    /**
     * Makes a message with an unread body.
     *
     * @param content empty, read-only
     */
    public StreamedBytesMessage(ReceivedEnvelope envelope, BytesMessage content, PayloadParts parts) {
        super(envelope, content);
        this.content = content;
        this.parts = parts;
    }

    /** Returns the unread body; null once it is in memory. */
    @Nullable
    public PayloadParts parts() {
        return parts;
    }

    /** Loads the whole body into memory. */
    private void intoMemory() throws JMSException {
        if (parts == null) {
            return;
        }
        if (parts.taken() > 0) {
            throw new IllegalStateException(
                    "body: already read in part, and a message of this size can be read only once");
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        parts.copyTo(whole);
        content.clearBody();
        content.writeBytes(whole.toByteArray());
        content.reset();
        parts = null;
    }

    @Override
    void completeContent() throws JMSException {
        intoMemory();
    }

    @Override
    void saveTo(OutputStream out) throws JMSException {
        if (parts == null) {
            super.saveTo(out);
        } else {
            parts.copyTo(out);
        }
    }

    @Override
    public void clearBody() throws JMSException {
        if (parts != null) {
            parts.verifyRest();
            parts = null;
        }
        super.clearBody();
    }

    @Override
    public <T> T getBody(Class<T> type) throws JMSException {
        if (!isBodyAssignableTo(type)) {
            throw new MessageFormatException("body: bytes, not " + type.getName());
        }
        intoMemory();
        return super.getBody(type);
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"}) // as the interface declares
    public boolean isBodyAssignableTo(Class type) throws JMSException {
        return parts == null ? super.isBodyAssignableTo(type) : type.isAssignableFrom(byte[].class);
    }

    @Override
    public long getBodyLength() throws JMSException {
        intoMemory();
        return super.getBodyLength();
    }

    @Override
    public void reset() throws JMSException {
        if (parts != null && parts.taken() > 0) {
            intoMemory(); // throws the reason
        }
        super.reset();
    }

    @Override
    public int readBytes(byte[] bytes) throws JMSException {
        return readBytes(bytes, bytes.length);
    }

    @Override
    public int readBytes(byte[] bytes, int length) throws JMSException {
        if (parts == null) {
            return super.readBytes(bytes, length);
        }
        if (length < 0 || length > bytes.length) {
            throw new IndexOutOfBoundsException("length: must be from 0 to " + bytes.length + ", found " + length);
        }
        int count = parts.read(in -> in.readNBytes(bytes, 0, length));
        return count == 0 && length > 0 ? -1 : count;
    }

    @Override
    public boolean readBoolean() throws JMSException {
        return parts == null ? super.readBoolean() : parts.read(DataInputStream::readBoolean);
    }

    @Override
    public byte readByte() throws JMSException {
        return parts == null ? super.readByte() : parts.read(DataInputStream::readByte);
    }

    @Override
    public int readUnsignedByte() throws JMSException {
        return parts == null ? super.readUnsignedByte() : parts.read(DataInputStream::readUnsignedByte);
    }

    @Override
    public short readShort() throws JMSException {
        return parts == null ? super.readShort() : parts.read(DataInputStream::readShort);
    }

    @Override
    public int readUnsignedShort() throws JMSException {
        return parts == null ? super.readUnsignedShort() : parts.read(DataInputStream::readUnsignedShort);
    }

    @Override
    public char readChar() throws JMSException {
        return parts == null ? super.readChar() : parts.read(DataInputStream::readChar);
    }

    @Override
    public int readInt() throws JMSException {
        return parts == null ? super.readInt() : parts.read(DataInputStream::readInt);
    }

    @Override
    public long readLong() throws JMSException {
        return parts == null ? super.readLong() : parts.read(DataInputStream::readLong);
    }

    @Override
    public float readFloat() throws JMSException {
        return parts == null ? super.readFloat() : parts.read(DataInputStream::readFloat);
    }

    @Override
    public double readDouble() throws JMSException {
        return parts == null ? super.readDouble() : parts.read(DataInputStream::readDouble);
    }

    @Override
    public String readUTF() throws JMSException {
        return parts == null ? super.readUTF() : parts.read(in -> in.readUTF());
    }
}
