/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.BytesMessage;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * A received bytes message that is opened while the application reads it. It needs the memory of two segments. To be
 * read again it is opened again. If a later part cannot be opened, the application gets a {@code MessageOpenException}
 * when it reads that part, and never the end.
 */
public final class StreamedBytesMessage extends ReceivedBytesMessage {
    private static final long UNKNOWN = -1;

    private final BytesMessage content;
    private final KeptBody kept;
    private final Again again;
    private @Nullable PayloadParts parts; // null once the body is in memory
    private long length = UNKNOWN;

    /** Where the application goes on if the parts were read to their end for another purpose; else unknown. */
    private long resume = UNKNOWN;

    /** Opens the kept body again, from its start. */
    public interface Again {
        PayloadParts open(InputStream kept) throws JMSException;
    }

    /**
     * Makes a message with an unread body.
     *
     * @param content empty, read-only
     */
    public StreamedBytesMessage(
            Envelope envelope, BytesMessage content, PayloadParts parts, KeptBody kept, Again again) {
        super(envelope, content);
        this.content = content;
        this.parts = parts;
        this.kept = kept;
        this.again = again;
    }

    /** Sets the listener for the end of the body. */
    public void setEndListener(PayloadParts.EndListener listener) {
        if (parts != null) {
            parts.setEndListener(listener);
        }
    }

    /** Drops what is needed to read the body again. */
    public void release() {
        kept.release();
    }

    /** Verifies the whole body before the application reads it, if it can be read again. */
    public void verifyFirst() throws JMSException {
        if (kept.isKept()) {
            verifyRest();
            reset();
        }
    }

    /** Reads to the end. The application goes on where it was, if the body can be opened again. */
    public void verifyRest() throws JMSException {
        if (parts == null || resume != UNKNOWN) {
            return;
        }
        long before = parts.taken();
        parts.copyTo(OutputStream.nullOutputStream());
        length = parts.taken();
        if (before == length) {
            return;
        }
        if (kept.isKept()) {
            resume = before;
        } else {
            parts.fail(new IllegalStateException(
                    "body: not read before the message was acknowledged or the next one requested"));
        }
    }

    /** Returns the body where the application goes on. */
    private PayloadParts unread(PayloadParts open) throws JMSException {
        if (resume == UNKNOWN) {
            return open;
        }
        long position = resume;
        PayloadParts restarted = restart(open);
        restarted.skip(position);
        return restarted;
    }

    private PayloadParts restart(PayloadParts open) throws JMSException {
        if (open.taken() == 0) {
            return open;
        }
        open.requireSound();
        if (!kept.isKept()) {
            throw new IllegalStateException("body: read before, and not kept to be read again");
        }
        PayloadParts restarted = again.open(kept.fromStart());
        restarted.setEndListener(open.endListener());
        parts = restarted;
        resume = UNKNOWN;
        return restarted;
    }

    /** Loads the whole body into memory. */
    private void intoMemory() throws JMSException {
        if (parts == null) {
            return;
        }
        PayloadParts whole = restart(parts);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        whole.copyTo(bytes);
        content.clearBody();
        content.writeBytes(bytes.toByteArray());
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
            unread(parts).copyTo(out);
        }
    }

    @Override
    void clearBody() throws JMSException {
        if (parts != null) {
            verifyRest();
            parts = null;
        }
        super.clearBody();
    }

    @Override
    public <T> @Nullable T getBody(Class<T> type) throws JMSException {
        if (!isBodyAssignableTo(type)) {
            throw new MessageFormatException("body: bytes, not " + type.getName());
        }
        intoMemory();
        return super.getBody(type);
    }

    @Override
    boolean isBodyAssignableTo(Class<?> type) throws JMSException {
        return parts == null ? super.isBodyAssignableTo(type) : type.isAssignableFrom(byte[].class);
    }

    @Override
    public long getBodyLength() throws JMSException {
        if (parts != null && length == UNKNOWN && !kept.isKept()) {
            intoMemory();
        }
        if (parts == null) {
            return super.getBodyLength();
        }
        verifyRest();
        return length;
    }

    @Override
    void reset() throws JMSException {
        if (parts == null) {
            super.reset();
        } else {
            restart(parts);
        }
    }

    @Override
    int readBytes(byte[] bytes) throws JMSException {
        return readBytes(bytes, bytes.length);
    }

    @Override
    int readBytes(byte[] bytes, int length) throws JMSException {
        if (parts == null) {
            return super.readBytes(bytes, length);
        }
        if (length < 0 || length > bytes.length) {
            throw new IndexOutOfBoundsException("length: must be from 0 to " + bytes.length + ", found " + length);
        }
        int count = unread(parts).read(in -> in.readNBytes(bytes, 0, length));
        return count == 0 && length > 0 ? -1 : count;
    }

    /** Returns the reader of a value; null for another method of the API. */
    private static PayloadParts.@Nullable ValueReader<?> reader(String method) {
        return switch (method) {
            case "readBoolean" -> DataInputStream::readBoolean;
            case "readByte" -> DataInputStream::readByte;
            case "readUnsignedByte" -> DataInputStream::readUnsignedByte;
            case "readShort" -> DataInputStream::readShort;
            case "readUnsignedShort" -> DataInputStream::readUnsignedShort;
            case "readChar" -> DataInputStream::readChar;
            case "readInt" -> DataInputStream::readInt;
            case "readLong" -> DataInputStream::readLong;
            case "readFloat" -> DataInputStream::readFloat;
            case "readDouble" -> DataInputStream::readDouble;
            case "readUTF" -> in -> in.readUTF();
            default -> null;
        };
    }

    @Override
    protected @Nullable Object other(Method method, @Nullable Object[] arguments) throws JMSException {
        PayloadParts.ValueReader<?> reader = reader(method.getName());
        return parts == null || reader == null
                ? super.other(method, arguments)
                : unread(parts).read(reader);
    }
}
