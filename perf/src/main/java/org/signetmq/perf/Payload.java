/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

import java.util.SplittableRandom;

/** The bytes that are sealed and sent: the same in each run, and nothing that could be compressed. */
public final class Payload {
    private static final long SEED = 20_160_613;

    private Payload() {}

    /** So many of them. */
    public static byte[] ofSize(int size) {
        byte[] payload = new byte[size];
        new SplittableRandom(SEED).nextBytes(payload);
        return payload;
    }
}
