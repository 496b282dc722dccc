/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class FileMixTest {
    private static final int FILES = 4096;

    @Test
    void publishedMix_hasItsShareOfSmallFiles() {
        FileMix mix = new FileMix(80);

        long small =
                LongStream.range(0, FILES).filter(i -> mix.size(i) <= 10_000).count();

        assertThat((double) small / FILES).isCloseTo(0.8, within(0.02));
    }

    @Test
    void sizes_stayWithinTheirBounds_andAreTheSameInEachRun() {
        FileMix mix = new FileMix(80);
        FileMix again = new FileMix(80);

        for (int i = 0; i < FILES; i++) {
            assertThat(mix.size(i)).isBetween(1_000, FileMix.LARGEST).isEqualTo(again.size(i));
        }
    }
}
