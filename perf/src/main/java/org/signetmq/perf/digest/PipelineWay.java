/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.digest;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The published pipeline: a thread fills buffers that are made once, the caller works on them, and two queues carry the
 * buffers there and back.
 */
final class PipelineWay implements Way {
    /** The published number of buffers. */
    static final int BUFFERS = 5;

    private final List<Buffer> buffers;
    private final Handover.Kind kind;

    PipelineWay(int block, int count, Handover.Kind kind) {
        this.buffers =
                Stream.generate(() -> new Buffer(new byte[block])).limit(count).toList();
        this.kind = kind;
    }

    private static final class Buffer {
        private final byte[] bytes;
        private int length;

        Buffer(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    /** The thread that reads, and the failure that ended it. */
    private final class Reader extends Thread {
        private final InputStream in;
        private final Handover<Buffer> empty = kind.queue(buffers.size());
        private final Handover<Buffer> filled = kind.queue(buffers.size() + 1);
        private final Buffer end = new Buffer(new byte[0]);
        private @Nullable Throwable failure; // is written before the end is handed over

        Reader(InputStream in) {
            super("signet-perf-read");
            setDaemon(true);
            this.in = in;
            buffers.forEach(empty::put);
        }

        @Override
        public void run() {
            try {
                Buffer buffer = empty.take();
                for (buffer.length = in.read(buffer.bytes); buffer.length >= 0; buffer.length = in.read(buffer.bytes)) {
                    filled.put(buffer);
                    buffer = empty.take();
                }
            } catch (Throwable e) { // the caller throws it
                failure = e;
            }
            filled.put(end);
        }
    }

    @Override
    public void run(InputStream in, Work work) throws IOException, InterruptedException {
        Reader reader = new Reader(in);
        reader.start();
        try {
            for (Buffer buffer = reader.filled.take(); buffer != reader.end; buffer = reader.filled.take()) {
                work.on(buffer.bytes, 0, buffer.length);
                reader.empty.put(buffer);
            }
        } finally {
            reader.interrupt();
            reader.join(); // its buffers serve the next run
        }
        if (reader.failure != null) {
            throw reader.failure instanceof IOException io ? io : new IOException(reader.failure);
        }
    }
}
