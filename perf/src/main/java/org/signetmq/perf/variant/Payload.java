/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.variant;

import java.util.SplittableRandom;

/** The bytes that are sealed and sent: the same in each run, and not compressible. */
public final class Payload {
    /** The usual size in bytes. */
    public static final int USUAL_SIZE = 2048;

    private static final long SEED = 20_160_613;

    private Payload() {}

    /** Returns a payload of this size in bytes. */
    public static byte[] ofSize(int size) {
        byte[] payload = new byte[size];
        new SplittableRandom(SEED).nextBytes(payload);
        return payload;
    }
}
