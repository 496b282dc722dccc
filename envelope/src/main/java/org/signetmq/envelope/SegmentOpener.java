/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.internal.cms.EnvelopeSplitter;
import org.signetmq.envelope.internal.codec.CodecBuffers;
import org.signetmq.envelope.internal.codec.OperationBudget;
import org.signetmq.envelope.internal.codec.PendingCacheEntries;
import org.signetmq.envelope.internal.codec.Pipeline;
import org.signetmq.envelope.internal.der.OutputBuffer;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.open.EnvelopeOpener;
import org.signetmq.envelope.internal.open.EnvelopeOpener.OpeningRules;
import org.signetmq.envelope.internal.open.OpenedPart;
import org.signetmq.envelope.internal.open.SegmentSequence;
import org.signetmq.envelope.message.OpenedMessage;

/**
 * Opens one message part by part, in the memory of one segment. It returns a segment only after its verification, and
 * ends only if the message is complete. A later part may still be rejected after earlier ones were returned. For one
 * thread at a time. {@link Opener#openSegments} creates it.
 */
public final class SegmentOpener {
    private final EnvelopeOpener opener;
    private final OpeningRules rules;
    private final EnvelopeSplitter envelopes;
    private final SegmentSequence sequence = new SegmentSequence();
    private final OutputBuffer buffer = new OutputBuffer();
    private final OperationBudget budget = new OperationBudget();
    private final PendingCacheEntries kept = new PendingCacheEntries();
    private State state = State.GOING_ON;

    private enum State {
        GOING_ON,
        ENDED,
        FAILED
    }

    SegmentOpener(EnvelopeOpener opener, OpeningRules rules, InputStream in) {
        this.opener = opener;
        this.rules = rules;
        this.envelopes = new EnvelopeSplitter(in);
    }

    /**
     * Returns the next part of the message, with its part of the payload; empty after the last one. All parts have the
     * same quality, body kind, content type, sender, signer and properties. A message in one envelope has one part. A
     * message in clear has at least one.
     *
     * @throws IOException if the stream cannot be read
     * @throws EnvelopeException if the part must not reach the application, or if the stream ends before the message;
     *     the type says why
     * @throws IllegalStateException after a failure, and after the opener was closed
     */
    public Optional<OpenedMessage> next() throws IOException {
        return opener.withBuffers(
                buffers -> Optional.ofNullable(nextPart(buffers)).map(OpenedPart::message));
    }

    /**
     * Opens a whole message in memory.
     *
     * @param length the length of all envelopes, which is more than that of the payload
     */
    OpenedMessage openAll(int length) {
        try {
            return opener.withBuffers(buffers -> {
                OpenedPart first = null;
                byte[] joined = new byte[length];
                int end = 0;
                for (OpenedPart part = nextPart(buffers); part != null; part = nextPart(buffers)) {
                    part.payload().copyTo(joined, end);
                    end += part.payload().length();
                    first = first == null ? part : first;
                }
                return Objects.requireNonNull(first, "segments: none").whole(Arrays.copyOf(joined, end));
            });
        } catch (IOException impossible) {
            throw new IllegalStateException("bytes: cannot be read", impossible);
        }
    }

    /** Returns the next part, which lies in the buffers; null after the last one. */
    private @Nullable OpenedPart nextPart(CodecBuffers buffers) throws IOException {
        requireSound();
        if (state == State.ENDED) {
            return null;
        }
        state = State.FAILED; // after any failure the message has neither a next part nor an end
        try {
            Slice envelope = envelopes.next(buffer);
            OpenedPart part = envelope == null ? null : accepted(part(envelope, buffers));
            if (part == null) {
                end();
            }
            state = part == null ? State.ENDED : State.GOING_ON;
            return part;
        } catch (Throwable rejected) {
            kept.forgetAll();
            throw rejected;
        }
    }

    /** Opens one envelope. Several threads call it. */
    private OpenedPart part(Slice envelope, CodecBuffers own) {
        if (!envelopes.isSealed()) {
            opener.rejectClear(rules, envelope);
            return OpenedPart.inClear(envelope);
        }
        return opener.part(envelope, rules, own, budget);
    }

    /** Accepts the parts in their order, and rejects a part that is not the next one. */
    private OpenedPart accepted(OpenedPart part) {
        try (part) {
            if (envelopes.isSealed()) {
                sequence.accept(part);
                part.accept(kept);
            }
        }
        return part;
    }

    private void end() {
        if (envelopes.isSealed()) {
            sequence.end();
        }
        kept.keepAll();
    }

    private void requireSound() {
        if (state == State.FAILED) {
            throw new IllegalStateException("segments: used after a failure");
        }
    }

    /** Returns a stream of the payload of the whole message. It throws the exceptions of {@link #next}. */
    public InputStream payload() {
        return new Payload();
    }

    /**
     * Writes the rest of the payload, in the memory of a few segments. Other threads read and open segments meanwhile.
     * Each segment is written after its verification. So a part of the payload is already written if a later segment is
     * rejected.
     *
     * @param progress takes the number of bytes written so far
     * @return the message without its payload
     * @throws IOException if a stream fails
     * @see #next for further exceptions
     */
    public OpenedMessage transferTo(OutputStream out, LongConsumer progress) throws IOException {
        return transferTo(out, progress, OpenedPart::payload);
    }

    /** Writes as {@link #transferTo(OutputStream, LongConsumer)}, with the header before the payload. */
    public OpenedMessage transferEntityTo(OutputStream out, LongConsumer progress) throws IOException {
        return transferTo(out, progress, OpenedPart::entityBytes);
    }

    private OpenedMessage transferTo(OutputStream out, LongConsumer progress, Function<OpenedPart, Slice> selection)
            throws IOException {
        requireSound();
        if (state == State.ENDED) {
            throw new IllegalStateException("segments: the message has ended");
        }
        state = State.FAILED;
        try {
            OpenedMessage facts = new Transfer(out, progress, selection).run();
            end();
            state = State.ENDED;
            return facts;
        } catch (Throwable rejected) {
            kept.forgetAll();
            throw rejected;
        }
    }

    /** The payload of the message, which is opened part by part. */
    private final class Payload extends InputStream {
        private byte[] chunk = {};
        private int position;

        @Override
        public int read() throws IOException {
            return hasMore() ? chunk[position++] & 0xFF : -1;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, into.length);
            if (length == 0) {
                return 0;
            }
            if (!hasMore()) {
                return -1;
            }
            int count = Math.min(length, chunk.length - position);
            System.arraycopy(chunk, position, into, offset, count);
            position += count;
            return count;
        }

        /** Tells whether bytes remain. Skips empty parts. */
        private boolean hasMore() throws IOException {
            while (position == chunk.length) {
                Optional<OpenedMessage> next = next();
                if (next.isEmpty()) {
                    return false;
                }
                chunk = next.get().payload();
                position = 0;
            }
            return true;
        }

        /** The bytes that are verified and not yet read. */
        @Override
        public int available() {
            return chunk.length - position;
        }
    }

    /** Opens the segments on several threads, and writes the bytes that are selected of each part. For one run. */
    private final class Transfer implements Pipeline.Stages<Slot> {
        private final OutputStream out;
        private final LongConsumer progress;
        private final Function<OpenedPart, Slice> selection;
        private @Nullable OpenedPart first;
        private long written;

        Transfer(OutputStream out, LongConsumer progress, Function<OpenedPart, Slice> selection) {
            this.out = out;
            this.progress = progress;
            this.selection = selection;
        }

        /** Returns the message without its payload. */
        OpenedMessage run() throws IOException {
            List<Slot> slots = Stream.generate(() -> new Slot(opener.newBuffers()))
                    .limit(Pipeline.BUFFERS)
                    .toList();
            try {
                Pipeline.run(slots, this);
            } finally {
                slots.forEach(Slot::close); // all threads that used them have ended
            }
            return Objects.requireNonNull(first, "segments: nothing read").facts();
        }

        @Override
        public boolean read(Slot slot) throws IOException {
            slot.envelope = envelopes.next(slot.buffer);
            return slot.envelope != null;
        }

        @Override
        public void work(Slot slot) {
            slot.part = part(Objects.requireNonNull(slot.envelope, "segment: nothing was read"), slot.buffers);
        }

        @Override
        public void write(Slot slot) throws IOException {
            OpenedPart part = Objects.requireNonNull(slot.part, "segment: not opened");
            slot.part = null;
            Slice slice = selection.apply(accepted(part));
            if (first == null) {
                first = part;
            }
            out.write(slice.array(), slice.offset(), slice.length());
            written += slice.length();
            progress.accept(written);
        }
    }

    private static final class Slot {
        private final OutputBuffer buffer = new OutputBuffer();
        private final CodecBuffers buffers;
        private @Nullable Slice envelope;
        private @Nullable OpenedPart part;

        Slot(CodecBuffers buffers) {
            this.buffers = buffers;
        }

        void close() {
            buffers.close();
            if (part != null) {
                part.close(); // it was opened but not written
            }
        }
    }
}
