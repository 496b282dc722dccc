/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.upload;

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
    void mixOfOneKind_hasNoFileOfTheOther() {
        FileMix small = new FileMix(100);
        FileMix large = new FileMix(0);

        for (int i = 0; i < FILES; i++) {
            assertThat(small.size(i)).isBetween(1_000, 10_000);
            assertThat(large.size(i)).isBetween(9_999, 1_000_000);
        }
    }

    @Test
    void largeFiles_areSpreadEvenlyInTheirLogarithm() {
        FileMix large = new FileMix(0);

        long belowTheMiddle =
                LongStream.range(0, FILES).filter(i -> large.size(i) <= 100_000).count();

        assertThat((double) belowTheMiddle / FILES).isCloseTo(0.5, within(0.02));
    }

    @Test
    void numbersBeyondTheLastFile_beginAgain() {
        FileMix mix = new FileMix(80);

        assertThat(mix.size(FILES)).isEqualTo(mix.size(0));
        assertThat(mix.size(5L * FILES + 7)).isEqualTo(mix.size(7));
    }

    @Test
    void name_hasBothShares() {
        assertThat(new FileMix(80).name()).isEqualTo("80/20");
        assertThat(new FileMix(0).name()).isEqualTo("0/100");
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
