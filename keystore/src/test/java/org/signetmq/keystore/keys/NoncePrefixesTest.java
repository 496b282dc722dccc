/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.keys.KeyWrapping.PreparedKey;

/** Two copies of one machine: the same keys, and the same state of the random generator. */
final class NoncePrefixesTest {
    private static final int DRAWS = 10_000;

    @Test
    void copies_usedAtOtherTimes_drawOtherPrefixes() {
        Random random = new Random(42);
        for (int i = 0; i < DRAWS; i++) {
            int same = random.nextInt();
            int prefix = KeyEpochs.noncePrefix(same, 77, 1_000);
            assertThat(KeyEpochs.noncePrefix(same, 78, 1_000)).isNotEqualTo(prefix);
            assertThat(KeyEpochs.noncePrefix(same, 77, 3_601_000)).isNotEqualTo(prefix);
            assertThat(KeyEpochs.noncePrefix(same, i + 1, i + 1)).isNotEqualTo(prefix);
        }
    }

    @Test
    void prefix_staysRandom_whenTimeStandsStill() {
        Random random = new Random(1);

        assertThat(IntStream.generate(() -> KeyEpochs.noncePrefix(random.nextInt(), 5, 5))
                        .limit(1000)
                        .distinct()
                        .count())
                .isGreaterThan(990);
    }

    /** The oracle is the JDK's generator that has the same finalizer. */
    @Test
    void prefix_isTheRandomNumber_mixedWithProcessAndTimes() {
        long seed = new Random().nextLong();
        Random inputs = new Random(seed);
        for (int i = 0; i < DRAWS; i++) {
            int random = inputs.nextInt();
            long nanos = inputs.nextLong();
            long millis = inputs.nextLong();
            long process = splitMix(ProcessHandle.current().pid());
            int mixed = (int) (splitMix(splitMix(process + nanos) + millis) >>> 32);

            assertThat(KeyEpochs.noncePrefix(random, nanos, millis))
                    .as("seed %d", seed)
                    .isEqualTo(random ^ mixed);
        }
    }

    private static long splitMix(long value) {
        return new SplittableRandom(value).nextLong();
    }

    @Test
    void copiesOfOneUnusedKey_haveNoNonceInCommon() {
        PreparedKey key = PreparedKey.generate(CryptoProviders.standard(), new FakeWrapping());
        KeyLease onOriginal = new KeyLease(key, KeyEpochs.noncePrefix(42, 77, 1_000), 0, null);
        KeyLease onCopy = new KeyLease(key, KeyEpochs.noncePrefix(42, 79, 1_000), 0, null);

        assertThat(onOriginal.nonce()).isNotEqualTo(onCopy.nonce());
    }
}
