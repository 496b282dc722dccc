/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.cms.EnvelopeSplitter;
import org.signetmq.envelope.internal.codec.CodecBuffers;
import org.signetmq.envelope.internal.codec.Pipeline;
import org.signetmq.envelope.internal.der.OutputBuffer;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.message.OpenedMessage;

/** Opens the segments of a stream on several threads. For one run. */
public final class OpeningPipeline implements Pipeline.Stages<OpeningPipeline.Slot> {
    private final EnvelopeSplitter envelopes;
    private final Opening opening;
    private final Output output;
    private @Nullable OpenedPart first;
    private long written;

    /** Opens the envelopes of a message. */
    public interface Opening {
        /** Makes the buffers of one thread. */
        CodecBuffers newBuffers();

        /** Opens one envelope. Several threads call it. */
        OpenedPart part(Slice envelope, CodecBuffers buffers);

        /** Accepts the parts in their order, and rejects a part that is not the next one. */
        void accept(OpenedPart part);
    }

    /**
     * The receiver of the bytes.
     *
     * @param progress takes the number of bytes written so far
     * @param selection selects the bytes of a part that are written
     */
    public record Output(OutputStream out, LongConsumer progress, Function<OpenedPart, Slice> selection) {}

    static final class Slot {
        private final OutputBuffer buffer = new OutputBuffer();
        private final CodecBuffers buffers;
        private @Nullable Slice envelope;
        private @Nullable OpenedPart part;

        private Slot(CodecBuffers buffers) {
            this.buffers = buffers;
        }

        private void close() {
            buffers.close();
            if (part != null) {
                part.close(); // it was opened but not written
            }
        }
    }

    public OpeningPipeline(EnvelopeSplitter envelopes, Opening opening, Output output) {
        this.envelopes = envelopes;
        this.opening = opening;
        this.output = output;
    }

    /** Runs the pipeline and returns the message without its payload. */
    public OpenedMessage run() throws IOException {
        List<Slot> slots = Stream.generate(() -> new Slot(opening.newBuffers()))
                .limit(Pipeline.BUFFERS)
                .toList();
        try {
            Pipeline.run(slots, this);
        } finally {
            slots.forEach(Slot::close); // all threads that used them have ended
        }
        if (first == null) {
            throw new IllegalStateException("segments: nothing read");
        }
        return first.facts();
    }

    @Override
    public boolean read(Slot slot) throws IOException {
        slot.envelope = envelopes.next(slot.buffer);
        return slot.envelope != null;
    }

    @Override
    public void work(Slot slot) {
        Slice envelope = Objects.requireNonNull(slot.envelope, "segment: nothing was read");
        slot.part = opening.part(envelope, slot.buffers);
    }

    @Override
    public void write(Slot slot) throws IOException {
        OpenedPart part = Objects.requireNonNull(slot.part, "segment: not opened");
        slot.part = null;
        try (part) {
            opening.accept(part);
        }
        if (first == null) {
            first = part;
        }
        Slice slice = output.selection().apply(part);
        output.out().write(slice.array(), slice.offset(), slice.length());
        written += slice.length();
        output.progress().accept(written);
    }
}
