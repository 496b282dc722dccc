/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.seal;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.codec.Pipeline;
import org.signetmq.envelope.internal.der.OutputBuffer;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.message.Segment;

/** Seals the segments of a stream on several threads. For one run. */
public final class SealingPipeline implements Pipeline.Stages<SealingPipeline.Slot> {
    private static final int NOTHING = -1;

    private final InputStream in;
    private final Envelopes envelopes;
    private final Output output;
    private final LongConsumer progress;
    private boolean begun;
    private int ahead = NOTHING;
    private int count;
    private long written;

    /** Makes the envelope of one segment in this buffer. */
    @FunctionalInterface
    public interface Envelopes {
        Slice of(Slice payload, Segment segment, OutputBuffer buffer);
    }

    /** Takes the envelopes in their order. */
    @FunctionalInterface
    public interface Output {
        void write(byte[] bytes, int offset, int length) throws IOException;
    }

    static final class Slot {
        private final byte[] payload = new byte[Segment.FULL_LENGTH];
        private final OutputBuffer buffer = new OutputBuffer();
        private int length;
        private @Nullable Segment segment;
        private @Nullable Slice envelope;
    }

    public SealingPipeline(InputStream in, Envelopes envelopes, Output output, LongConsumer progress) {
        this.in = in;
        this.envelopes = envelopes;
        this.output = output;
        this.progress = progress;
    }

    public void run() throws IOException {
        List<Slot> slots = Stream.generate(Slot::new).limit(Pipeline.BUFFERS).toList();
        Pipeline.run(slots, this);
        slots.forEach(slot -> Arrays.fill(slot.payload, (byte) 0)); // after success no thread uses them
    }

    /** Fills a slot, and reads one byte ahead to know whether the segment is the last. */
    @Override
    public boolean read(Slot slot) throws IOException {
        if (begun && ahead == NOTHING) {
            return false;
        }
        int kept = 0;
        if (begun) {
            slot.payload[kept++] = (byte) ahead;
        }
        begun = true;
        slot.length = kept + in.readNBytes(slot.payload, kept, slot.payload.length - kept);
        ahead = slot.length < slot.payload.length ? NOTHING : in.read();
        slot.segment = new Segment(++count, ahead == NOTHING);
        return true;
    }

    @Override
    public void work(Slot slot) {
        Segment segment = Objects.requireNonNull(slot.segment, "segment: nothing was read");
        slot.envelope = envelopes.of(new Slice(slot.payload, 0, slot.length), segment, slot.buffer);
    }

    @Override
    public void write(Slot slot) throws IOException {
        Slice envelope = Objects.requireNonNull(slot.envelope, "segment: not sealed");
        slot.envelope = null;
        output.write(envelope.array(), envelope.offset(), envelope.length());
        written += slot.length;
        progress.accept(written);
    }
}
