/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.internal.cms.EnvelopeSplitter;
import org.signetmq.envelope.internal.codec.CodecBuffers;
import org.signetmq.envelope.internal.codec.OperationBudget;
import org.signetmq.envelope.internal.codec.PendingCacheEntries;
import org.signetmq.envelope.internal.der.OutputBuffer;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.open.EnvelopeOpener;
import org.signetmq.envelope.internal.open.OpenedPart;
import org.signetmq.envelope.internal.open.OpeningPipeline;
import org.signetmq.envelope.internal.open.OpeningRules;
import org.signetmq.envelope.internal.open.PayloadStream;
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
    private final OpeningPipeline.Opening parts = new Parts();
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
            OpenedPart part = envelope == null ? null : accepted(parts.part(envelope, buffers));
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

    private OpenedPart accepted(OpenedPart part) {
        try (part) {
            parts.accept(part);
        }
        return part;
    }

    /** Opens envelopes to parts, and accepts parts in their order. */
    private final class Parts implements OpeningPipeline.Opening {
        @Override
        public CodecBuffers newBuffers() {
            return opener.newBuffers();
        }

        @Override
        public OpenedPart part(Slice envelope, CodecBuffers buffers) {
            if (!envelopes.isSealed()) {
                opener.rejectClear(rules, envelope);
                return OpenedPart.inClear(envelope);
            }
            return opener.part(envelope, rules, buffers, budget);
        }

        @Override
        public void accept(OpenedPart part) {
            if (envelopes.isSealed()) {
                sequence.accept(part);
                part.accept(kept);
            }
        }
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
        return new PayloadStream(this::next);
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
        OpeningPipeline stages =
                new OpeningPipeline(envelopes, parts, new OpeningPipeline.Output(out, progress, selection));
        try {
            OpenedMessage facts = stages.run();
            end();
            state = State.ENDED;
            return facts;
        } catch (Throwable rejected) {
            kept.forgetAll();
            throw rejected;
        }
    }
}
