/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.internal.cms.EnvelopeInput;
import org.signetmq.envelope.internal.codec.KeptUnlessRefused;
import org.signetmq.envelope.internal.codec.OperationBudget;
import org.signetmq.envelope.internal.codec.Workspace;
import org.signetmq.envelope.internal.der.Memory;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.open.EnvelopeOpener;
import org.signetmq.envelope.internal.open.OpenedPart;
import org.signetmq.envelope.internal.open.OpeningStages;
import org.signetmq.envelope.internal.open.PayloadStream;
import org.signetmq.envelope.internal.open.Reception;
import org.signetmq.envelope.internal.open.SegmentSequence;
import org.signetmq.envelope.message.OpenedMessage;

/**
 * Opens one message as it comes in, part by part, in the memory of one segment: nothing of a segment is given out
 * before all of it was verified, and the end of the message is told only if nothing of it is missing. What is wrong
 * with a later part shows when it comes: what was given out before is right, but not all there is. For one thread at a
 * time. Made by {@link Opener#openSegments}.
 */
public final class SegmentOpener {
    private final EnvelopeOpener opener;
    private final Reception reception;
    private final EnvelopeInput envelopes;
    private final SegmentSequence sequence = new SegmentSequence();
    private final OpeningStages.Opening parts = new Parts();
    private final Memory buffer = new Memory();
    private final OperationBudget budget = new OperationBudget();
    private final KeptUnlessRefused kept = new KeptUnlessRefused();
    private State state = State.GOING_ON;

    private enum State {
        GOING_ON,
        ENDED,
        FAILED
    }

    SegmentOpener(EnvelopeOpener opener, Reception reception, InputStream in) {
        this.opener = opener;
        this.reception = reception;
        this.envelopes = new EnvelopeInput(in);
    }

    /**
     * The next part of the message, with its piece of the payload; empty behind the last one. All parts are of one
     * quality, body kind, content type, sender and signer, and have the same properties. A message in one envelope has
     * one part; so has, at least, one that was let through in clear.
     *
     * @throws IOException if the stream cannot be read
     * @throws EnvelopeException if the part must not reach the application, or is not the one that must follow; or if
     *     the stream ends before the message does. The type says why
     * @throws IllegalStateException after a failure, and after the opener was closed
     */
    public Optional<OpenedMessage> next() throws IOException {
        return opener.inWorkspace(
                workspace -> Optional.ofNullable(nextPart(workspace)).map(OpenedPart::message));
    }

    /** The next part, which lies in the workspace or in memory of this; null behind the last one. */
    @Nullable
    OpenedPart nextPart(Workspace workspace) throws IOException {
        requireSound();
        if (state == State.ENDED) {
            return null;
        }
        state = State.FAILED; // until proved otherwise: after any failure there is neither more nor an end
        try {
            Slice envelope = envelopes.next(buffer);
            OpenedPart part = envelope == null ? null : accepted(parts.part(envelope, workspace));
            if (part == null) {
                end();
            }
            state = part == null ? State.ENDED : State.GOING_ON;
            return part;
        } catch (Throwable refused) {
            kept.forgetAll();
            throw refused;
        }
    }

    private OpenedPart accepted(OpenedPart part) {
        try (part) {
            parts.accept(part);
        }
        return part;
    }

    /** What makes parts of envelopes, and a message of parts. */
    private final class Parts implements OpeningStages.Opening {
        @Override
        public OpenedPart part(Slice envelope, Workspace workspace) {
            if (!envelopes.isSealed()) {
                opener.refuseClear(reception);
                return OpenedPart.inClear(envelope);
            }
            return opener.part(envelope, reception, workspace, budget);
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

    /**
     * The payload of the whole message. Reading it ends in -1 only where the message does; the exceptions of
     * {@link #next} come out of it as they are.
     */
    public InputStream payload() {
        return new PayloadStream(this::next);
    }

    /**
     * Writes what is left of the payload, in the memory of a few segments: while one is written others are read and
     * opened, on threads of their own. Each is written after all of it was verified, so a stream of which a later part
     * is wrong has been written in part when this fails.
     *
     * @param progress is told how many bytes were written so far
     * @return what is known of the message, without its payload
     * @throws IOException if a stream fails
     * @see #next for what else is thrown
     */
    public OpenedMessage transferTo(OutputStream out, LongConsumer progress) throws IOException {
        return transferTo(out, progress, OpenedPart::payload);
    }

    /** As {@link #transferTo(OutputStream, LongConsumer)}, with the header of the first segment before the payload. */
    public OpenedMessage transferEntityTo(OutputStream out, LongConsumer progress) throws IOException {
        return transferTo(out, progress, OpenedPart::entityPiece);
    }

    private OpenedMessage transferTo(OutputStream out, LongConsumer progress, OpeningStages.Release release)
            throws IOException {
        requireSound();
        if (state == State.ENDED) {
            throw new IllegalStateException("segments: the message has ended");
        }
        state = State.FAILED;
        OpeningStages stages = new OpeningStages(envelopes, parts, new OpeningStages.Output(out, progress, release));
        try {
            OpenedMessage facts = stages.run();
            end();
            state = State.ENDED;
            return facts;
        } catch (Throwable refused) {
            kept.forgetAll();
            throw refused;
        }
    }
}
