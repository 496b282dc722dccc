/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.BulkInputStream;
import org.signetmq.client.internal.provider.Wrapper;
import org.signetmq.envelope.SegmentOpener;
import org.signetmq.envelope.message.OpenedMessage;

/**
 * The payload of a message that is opened while the application reads it. It notifies a listener once: after it
 * verified all parts, or after a part failed. For one thread at a time.
 */
public final class PayloadParts {
    private static final int BLOCK = 64 << 10;

    private final DataInputStream in;
    private final OpenOutcomes outcomes;
    private EndListener endListener = EndListener.NONE;
    private long taken;
    private boolean ended;
    private @Nullable ReportedFailure failure;

    /** Receives the end of the payload. */
    public interface EndListener {
        /** Ignores the end, for a browser. */
        EndListener NONE = new EndListener() {};

        default void ended() throws JMSException {}

        default void failed(JMSException e) {}
    }

    /** Reads a value from the payload. */
    @FunctionalInterface
    interface ValueReader<T> {
        T from(DataInputStream in) throws IOException;
    }

    /**
     * Makes the payload of a message.
     *
     * @param first the first segment, opened
     * @param rest the following parts
     * @param outcomes makes the exception for a part that cannot be opened
     */
    public PayloadParts(OpenedMessage first, SegmentOpener rest, OpenOutcomes outcomes) {
        this.outcomes = outcomes;
        this.in = new DataInputStream(
                new CountingStream(new SequenceInputStream(new ByteArrayInputStream(first.payload()), rest.payload())));
    }

    /** Sets the listener. */
    public void setEndListener(EndListener listener) {
        endListener = listener;
    }

    /** Returns the listener; one without effect after the end or a failure. */
    EndListener endListener() {
        return ended || failure != null ? EndListener.NONE : endListener;
    }

    /** Returns the number of bytes that were read so far. */
    long taken() {
        return taken;
    }

    /** Throws the failure that ended the payload, if there was one. */
    void requireSound() throws JMSException {
        if (failure != null) {
            throw failure.reported;
        }
    }

    /** Lets a later read throw, and not return the end. */
    void fail(JMSException reported) {
        failure = new ReportedFailure(reported);
    }

    /** Reads a value of a fixed length. */
    <T> T read(ValueReader<T> reader) throws JMSException {
        try {
            return reader.from(in);
        } catch (EOFException e) {
            throw new MessageEOFException("body: read to its end");
        } catch (ReportedFailure e) {
            throw e.reported;
        } catch (IOException e) {
            throw new MessageFormatException("body: not a text in the encoding of readUTF");
        }
    }

    /** Reads bytes that were read before, and drops them. */
    void skip(long count) throws JMSException {
        read(stream -> {
            stream.skipNBytes(count);
            return count;
        });
    }

    /** Writes the unread rest. */
    void copyTo(OutputStream out) throws JMSException {
        byte[] block = new byte[BLOCK];
        int count = read(stream -> stream.read(block));
        while (count > 0) {
            try {
                out.write(block, 0, count);
            } catch (IOException e) {
                throw notWritten(e);
            }
            count = read(stream -> stream.read(block));
        }
    }

    /** Makes the exception for a provider that delivers no more bytes; the message itself may be sound. */
    public static JMSException notRead(IOException cause) {
        return Wrapper.caused(new JMSException(cause.getMessage()), cause);
    }

    /** Makes the exception for a failure of the application's stream; the message itself may be sound. */
    static JMSException notWritten(IOException cause) {
        return Wrapper.caused(new JMSException("body: cannot be written to the application's stream"), cause);
    }

    /** A failure that was already reported; every further read throws it. */
    private static final class ReportedFailure extends IOException {
        private static final long serialVersionUID = 1L;

        private final transient JMSException reported;

        private ReportedFailure(JMSException reported) {
            super(reported);
            this.reported = reported;
        }
    }

    /** Counts the bytes and reports the end. */
    private final class CountingStream extends BulkInputStream {
        private final InputStream source;

        private CountingStream(InputStream source) {
            this.source = source;
        }

        @Override
        protected int readSome(byte[] into, int offset, int length) throws IOException {
            if (failure != null) {
                throw failure;
            }
            if (ended) {
                return -1;
            }
            int count = next(into, offset, length);
            if (count < 0) {
                end();
            } else {
                taken += count;
            }
            return count;
        }

        private int next(byte[] into, int offset, int length) throws ReportedFailure {
            try {
                return source.read(into, offset, length);
            } catch (Throwable e) { // any failure: the application must not take it for the end
                JMSException reported = e instanceof IOException lost ? notRead(lost) : outcomes.because(e, null);
                failure = new ReportedFailure(reported);
                endListener.failed(reported);
                throw failure;
            }
        }

        private void end() throws ReportedFailure {
            ended = true;
            try {
                endListener.ended();
            } catch (JMSException e) {
                failure = new ReportedFailure(e);
                throw failure;
            }
        }
    }
}
