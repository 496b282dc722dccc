/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.crypto.KeyLease;
import org.signetmq.keystore.epoch.EpochLimits;
import org.signetmq.keystore.epoch.KeyEpochs;
import org.signetmq.testkit.Tier;

@Tag(Tier.LONG)
final class MeasuredWrappingTest {
    private static final int RSA_BYTES = 256;
    private static final int AES_WRAPPED_BYTES = 40;

    @Test
    void all_haveTheirNamesInTheOrderOfTheTables() throws Exception {
        assertThat(MeasuredWrapping.all())
                .extracting(MeasuredWrapping::name)
                .containsExactly(
                        "raw",
                        "wrapped R=1",
                        "wrapped R=5",
                        "wrapped R=20",
                        "wrapped R=50",
                        "agreed R=1",
                        "agreed R=5",
                        "agreed R=20",
                        "agreed R=50",
                        "service 1 ms",
                        "service 3 ms",
                        "service 10 ms");
    }

    @Test
    void key_isWrappedForEachRecipient() throws Exception {
        List<MeasuredWrapping> all = MeasuredWrapping.all();

        assertThat(wrapped(all, "raw")).isEmpty();
        assertThat(wrapped(all, "wrapped R=1")).hasSize(RSA_BYTES);
        assertThat(wrapped(all, "wrapped R=5")).hasSize(5 * RSA_BYTES);
        assertThat(wrapped(all, "agreed R=1")).hasSize(AES_WRAPPED_BYTES);
        assertThat(wrapped(all, "agreed R=20")).hasSize(20 * AES_WRAPPED_BYTES);
    }

    @Test
    void moreRecipients_costMoreProcessorTime() throws Exception {
        assertThat(MeasuredWrapping.rsa(50).cpuNanos())
                .isGreaterThan(MeasuredWrapping.rsa(1).cpuNanos());
    }

    private static byte[] wrapped(List<MeasuredWrapping> all, String name) {
        MeasuredWrapping one = all.stream()
                .filter(wrapping -> wrapping.name().equals(name))
                .findFirst()
                .orElseThrow();
        EpochLimits limits = new EpochLimits(1, Long.MAX_VALUE, Duration.ofHours(1));
        try (KeyEpochs epochs = new KeyEpochs(one.wrapping(), limits, System::nanoTime, MeasuredWrapping.PROVIDERS);
                KeyLease lease = Objects.requireNonNull(epochs.next(0))) {
            return lease.wrapped();
        }
    }
}
