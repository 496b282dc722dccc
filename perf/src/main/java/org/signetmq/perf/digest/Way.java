/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.digest;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A way to read a stream and to work on its bytes in their order. For one run at a time. */
@FunctionalInterface
interface Way {
    /** The work on bytes that were read. */
    @FunctionalInterface
    interface Work {
        void on(byte[] bytes, int offset, int length);
    }

    /** Runs until the stream ends. All threads of the run have ended when it returns or throws. */
    void run(InputStream in, Work work) throws IOException, InterruptedException;

    /** Returns the published loop: one thread reads a block and works on it by turns. */
    static Way loop(int block) {
        byte[] bytes = new byte[block];
        return (in, work) -> {
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                work.on(bytes, 0, read);
            }
        };
    }

    /**
     * Returns the published pipeline: a thread fills buffers that are made once, the caller works on them, and two
     * queues carry the buffers there and back.
     */
    static Way pipeline(int block, int buffers) {
        record Filled(byte[] bytes, int length) {}
        return (in, work) -> {
            BlockingQueue<byte[]> empty = new LinkedBlockingQueue<>();
            BlockingQueue<Filled> filled = new LinkedBlockingQueue<>();
            for (int i = 0; i < buffers; i++) {
                empty.add(new byte[block]);
            }
            Throwable[] failure = new Throwable[1]; // is written before the end is handed over
            Thread reader = new Thread(
                    () -> {
                        try {
                            byte[] buffer = empty.take();
                            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                                filled.add(new Filled(buffer, read));
                                buffer = empty.take();
                            }
                        } catch (IOException | InterruptedException | RuntimeException e) { // the caller throws it
                            failure[0] = e;
                        }
                        filled.add(new Filled(new byte[0], -1));
                    },
                    "signet-perf-read");
            reader.setDaemon(true);
            reader.start();
            try {
                for (Filled next = filled.take(); next.length >= 0; next = filled.take()) {
                    work.on(next.bytes, 0, next.length);
                    empty.add(next.bytes);
                }
            } finally {
                reader.interrupt();
                reader.join();
            }
            if (failure[0] != null) {
                throw new IOException(failure[0].getMessage(), failure[0]);
            }
        };
    }
}
