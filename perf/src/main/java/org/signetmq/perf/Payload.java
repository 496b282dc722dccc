/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.util.SplittableRandom;

/** The bytes that are sealed: the same in each run. */
final class Payload {
    private static final long SEED = 20_160_613;

    private Payload() {}

    static byte[] ofSize(int size) {
        byte[] payload = new byte[size];
        new SplittableRandom(SEED).nextBytes(payload);
        return payload;
    }
}
