/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.util.SplittableRandom;

/**
 * Files as the published test had them: small ones of 1 to 10 kB, uniform, and large ones of 10 kB to 1 MB, uniform in
 * their logarithm. The same sizes in each run.
 */
final class FileMix {
    static final int LARGEST = 1_000_000;

    private static final long SEED = 20_221_219;
    private static final int SMALLEST = 1_000;
    private static final int BORDER = 10_000;
    private static final int FILES = 1 << 12;

    private final int smallPercent;
    private final int[] sizes = new int[FILES];

    FileMix(int smallPercent) {
        this.smallPercent = smallPercent;
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < FILES; i++) {
            sizes[i] = random.nextInt(100) < smallPercent ? small(random) : large(random);
        }
    }

    private static int small(SplittableRandom random) {
        return random.nextInt(SMALLEST, BORDER + 1);
    }

    private static int large(SplittableRandom random) {
        return (int) Math.exp(random.nextDouble(Math.log(BORDER), Math.log(LARGEST)));
    }

    /** The size of the file of this number, which goes round. */
    int size(long number) {
        return sizes[(int) (number & (FILES - 1))];
    }

    /** Such as 80/20. */
    String name() {
        return smallPercent + "/" + (100 - smallPercent);
    }
}
