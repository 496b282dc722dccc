/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.IllegalStateException;
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
import org.signetmq.client.internal.failure.OpenExceptions;
import org.signetmq.envelope.SegmentOpener;
import org.signetmq.envelope.message.OpenedMessage;

/**
 * The payload of a message that is opened while it is read. The listener hears once of its end: all parts are verified,
 * or a part failed and no more can be read. For one thread at a time.
 */
public final class PayloadParts {
    private static final int BLOCK = 64 << 10;

    private final DataInputStream in;
    private final OpenExceptions exceptions;
    private Outcome outcome = Outcome.NOBODY;
    private long taken;
    private boolean ended;
    private @Nullable Failed failure;

    /** Hears of the end. */
    public interface Outcome {
        /** Ignores the end, as for a browser. */
        Outcome NOBODY = new Outcome() {
            @Override
            public void ended() {}

            @Override
            public void failed(JMSException e) {}
        };

        void ended() throws JMSException;

        void failed(JMSException e);
    }

    /** Something that is read. */
    @FunctionalInterface
    interface Reading<T> {
        T from(DataInputStream in) throws IOException;
    }

    /**
     * The parts of a message.
     *
     * @param first which was opened already
     * @param rest the following parts
     * @param exceptions makes the exception for a part that cannot be opened
     */
    public PayloadParts(OpenedMessage first, SegmentOpener rest, OpenExceptions exceptions) {
        this.exceptions = exceptions;
        this.in = new DataInputStream(
                new Counting(new SequenceInputStream(new ByteArrayInputStream(first.payload()), rest.payload())));
    }

    /** Sets the listener. */
    public void onOutcome(Outcome whom) {
        outcome = whom;
    }

    /** How much was read so far. */
    long taken() {
        return taken;
    }

    /** Reads something of a fixed length. */
    <T> T read(Reading<T> reading) throws JMSException {
        try {
            return reading.from(in);
        } catch (EOFException e) {
            throw new MessageEOFException("body: read to its end");
        } catch (Failed e) {
            throw e.told;
        } catch (IOException e) {
            throw new MessageFormatException("body: not a text in the encoding of readUTF");
        }
    }

    /** Reads to the end and drops the rest. A later reader learns that the rest is gone, not that it has ended. */
    public void verifyRest() throws JMSException {
        long before = taken;
        copyTo(OutputStream.nullOutputStream());
        if (taken > before) {
            failure = new Failed(new IllegalStateException(
                    "body: not read before the message was acknowledged or the next one asked for"));
        }
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

    /** The provider does not go on; nothing is wrong with the message. */
    public static JMSException notRead(IOException cause) {
        JMSException failure = new JMSException(cause.getMessage());
        failure.initCause(cause);
        return failure;
    }

    /** The application's stream failed, not the message. */
    static JMSException notWritten(IOException cause) {
        JMSException failure = new JMSException("body: the stream that it was to be written to failed");
        failure.initCause(cause);
        return failure;
    }

    /** A failure that was told already; every further read ends in it. */
    private static final class Failed extends IOException {
        private static final long serialVersionUID = 1L;

        private final transient JMSException told;

        private Failed(JMSException told) {
            super(told);
            this.told = told;
        }
    }

    /** Counts, and notices the end. */
    private final class Counting extends InputStream {
        private final InputStream source;

        private Counting(InputStream source) {
            this.source = source;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (failure != null) {
                throw failure;
            }
            if (ended || length == 0) {
                return ended ? -1 : 0;
            }
            int count = next(into, offset, length);
            if (count < 0) {
                end();
            } else {
                taken += count;
            }
            return count;
        }

        private int next(byte[] into, int offset, int length) throws Failed {
            try {
                return source.read(into, offset, length);
            } catch (Throwable e) { // any failure: it is not the end
                JMSException told = e instanceof IOException lost ? notRead(lost) : exceptions.because(e, null);
                failure = new Failed(told);
                outcome.failed(told);
                throw failure;
            }
        }

        private void end() throws Failed {
            ended = true;
            try {
                outcome.ended();
            } catch (JMSException e) {
                failure = new Failed(e);
                throw failure;
            }
        }
    }
}
