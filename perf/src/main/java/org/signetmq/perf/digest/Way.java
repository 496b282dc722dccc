/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.digest;

import java.io.IOException;
import java.io.InputStream;

/** A way to read a stream and to work on its bytes in their order. For one run at a time. */
@FunctionalInterface
interface Way {
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
}
