/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.cms.EnvelopeInput;
import org.signetmq.envelope.internal.codec.Pipeline;
import org.signetmq.envelope.internal.codec.Workspace;
import org.signetmq.envelope.internal.der.Memory;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.message.OpenedMessage;

/** Opens the segments of a stream while others are read and written. For one run. */
public final class OpeningStages implements Pipeline.Stages<OpeningStages.Place> {
    private final EnvelopeInput envelopes;
    private final Opening opening;
    private final Output output;
    private @Nullable OpenedPart first;
    private long written;

    /** Opens the envelopes of a message. */
    public interface Opening {
        /** One by itself. Several threads. */
        OpenedPart part(Slice envelope, Workspace workspace);

        /** Refuses one that is not the next. In the order in which they stand. */
        void accept(OpenedPart part);
    }

    /** What of a part is written. */
    @FunctionalInterface
    public interface Release {
        Slice of(OpenedPart part);
    }

    /** Where it is written. */
    public record Output(OutputStream out, LongConsumer progress, Release release) {}

    /** A buffer: all the memory that one segment needs on its way. */
    static final class Place {
        private final Memory memory = new Memory();
        private final Workspace workspace = new Workspace();
        private @Nullable Slice envelope;
        private @Nullable OpenedPart part;

        private void close() {
            workspace.close();
            if (part != null) {
                part.close(); // it was opened and not written
            }
        }
    }

    public OpeningStages(EnvelopeInput envelopes, Opening opening, Output output) {
        this.envelopes = envelopes;
        this.opening = opening;
        this.output = output;
    }

    /** What is known of the message, without its payload. */
    public OpenedMessage run() throws IOException {
        List<Place> places = Stream.generate(Place::new).limit(Pipeline.BUFFERS).toList();
        try {
            Pipeline.run(places, this);
        } finally {
            places.forEach(Place::close); // whoever worked in it has ended
        }
        if (first == null) {
            throw new IllegalStateException("segments: nothing read");
        }
        return first.facts();
    }

    @Override
    public boolean read(Place place) throws IOException {
        place.envelope = envelopes.next(place.memory);
        return place.envelope != null;
    }

    @Override
    public void work(Place place) {
        Slice envelope = Objects.requireNonNull(place.envelope, "segment: nothing was read");
        place.part = opening.part(envelope, place.workspace);
    }

    @Override
    public void write(Place place) throws IOException {
        OpenedPart part = Objects.requireNonNull(place.part, "segment: not opened");
        place.part = null;
        try (part) {
            opening.accept(part);
        }
        if (first == null) {
            first = part;
        }
        Slice slice = output.release().of(part);
        output.out().write(slice.array(), slice.offset(), slice.length());
        written += slice.length();
        output.progress().accept(written);
    }
}
