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
import org.signetmq.envelope.internal.der.Memory;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.message.Segment;

/** Seals the segments of a stream while others are read and written. For one run. */
public final class SealingStages implements Pipeline.Stages<SealingStages.Place> {
    private static final int NOTHING = -1;

    private final InputStream in;
    private final Envelopes envelopes;
    private final Output output;
    private final LongConsumer progress;
    private boolean begun;
    private int ahead = NOTHING;
    private int count;
    private long written;

    /** Makes the envelope of one segment, in this memory. */
    @FunctionalInterface
    public interface Envelopes {
        Slice of(Slice payload, Segment segment, Memory memory);
    }

    /** Takes envelopes in their order. */
    @FunctionalInterface
    public interface Output {
        void write(byte[] bytes, int offset, int length) throws IOException;
    }

    /** A buffer: all the memory that one segment needs on its way. */
    static final class Place {
        private final byte[] payload = new byte[Segment.FULL_LENGTH];
        private final Memory memory = new Memory();
        private int length;
        private @Nullable Segment segment;
        private @Nullable Slice envelope;
    }

    public SealingStages(InputStream in, Envelopes envelopes, Output output, LongConsumer progress) {
        this.in = in;
        this.envelopes = envelopes;
        this.output = output;
        this.progress = progress;
    }

    public void run() throws IOException {
        List<Place> places = Stream.generate(Place::new).limit(Pipeline.BUFFERS).toList();
        Pipeline.run(places, this);
        places.forEach(place -> Arrays.fill(place.payload, (byte) 0)); // after success: nobody uses them any more
    }

    /** A segment has to know whether it is the last, so one byte is read ahead. */
    @Override
    public boolean read(Place place) throws IOException {
        if (begun && ahead == NOTHING) {
            return false;
        }
        int kept = 0;
        if (begun) {
            place.payload[kept++] = (byte) ahead;
        }
        begun = true;
        place.length = kept + in.readNBytes(place.payload, kept, place.payload.length - kept);
        ahead = place.length < place.payload.length ? NOTHING : in.read();
        place.segment = new Segment(++count, ahead == NOTHING);
        return true;
    }

    @Override
    public void work(Place place) {
        Segment segment = Objects.requireNonNull(place.segment, "segment: nothing was read");
        place.envelope = envelopes.of(new Slice(place.payload, 0, place.length), segment, place.memory);
    }

    @Override
    public void write(Place place) throws IOException {
        Slice envelope = Objects.requireNonNull(place.envelope, "segment: not sealed");
        place.envelope = null;
        output.write(envelope.array(), envelope.offset(), envelope.length());
        written += place.length;
        progress.accept(written);
    }
}
