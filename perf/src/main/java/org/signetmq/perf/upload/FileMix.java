/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.upload;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The files of the published test. Small ones have 1 to 10 kB, spread evenly; large ones 10 kB to 1 MB, spread evenly
 * in their logarithm. Their sizes are the same in each run.
 */
public final class FileMix {
    /** The least bytes of a file. */
    public static final int SMALLEST = 1_000;
    /** The most bytes of a file. */
    public static final int LARGEST = 1_000_000;

    private static final long SEED = 20_221_219;
    private static final int BORDER = 10_000;
    private static final int FILES = 1 << 12;

    private final int smallPercent;
    private final int[] sizes;

    /** Makes a mix with this share of small files. */
    public FileMix(int smallPercent) {
        this.smallPercent = smallPercent;
        SplittableRandom random = new SplittableRandom(SEED);
        sizes = IntStream.range(0, FILES)
                .map(i -> random.nextInt(100) < smallPercent
                        ? random.nextInt(SMALLEST, BORDER + 1)
                        : (int) Math.exp(random.nextDouble(Math.log(BORDER), Math.log(LARGEST))))
                .toArray();
    }

    /** Returns the size of the file of this number; numbers beyond the last file begin again. */
    public int size(long number) {
        return sizes[(int) (number & (FILES - 1))];
    }

    /** Returns the shares of small and large files, such as 80/20. */
    public String name() {
        return smallPercent + "/" + (100 - smallPercent);
    }
}
