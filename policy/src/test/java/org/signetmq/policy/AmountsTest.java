/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads and writes sizes and durations at the edges of their ranges. */
final class AmountsTest {
    @ParameterizedTest
    @CsvSource({
        "0B, 0",
        "1B, 1",
        "1 B, 1",
        "1KiB, 1024",
        "3 MiB, 3145728",
        "1GiB, 1073741824",
        "1TiB, 1099511627776",
        "999999999999999B, 999999999999999",
        // the largest number of a unit that a long can hold, and the next one
        "8388607TiB, 9223370937343148032",
        "8388608TiB, 9223372036854775807",
        "8589934591GiB, 9223372035781033984",
        "8589934592GiB, 9223372036854775807",
        "999999999999999TiB, 9223372036854775807"
    })
    void size_isReadInBytes(String text, long bytes) {
        assertThat(Amounts.bytes(text)).hasValue(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "B",
                "1",
                "-1B",
                "+1B",
                "1.5MiB",
                "1MB",
                "1mib",
                "1  MiB",
                " 1MiB",
                "1MiB ",
                "1000000000000000B"
            })
    void textThatIsNoSize_isNone(String text) {
        assertThat(Amounts.bytes(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1B",
        "1023, 1023B",
        "1024, 1KiB",
        "1025, 1025B",
        "1536, 1536B",
        "1048576, 1MiB",
        "1073741824, 1GiB",
        "1099511627776, 1TiB",
        "1125899906842624, 1024TiB"
    })
    void bytes_areWrittenInTheLargestUnitThatLeavesNoRemainder(long bytes, String text) {
        assertThat(Amounts.format(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"PT0.001S, 1ms", "PT1M30S, 90s", "PT30M, 30m", "PT1H30M, 90m", "PT24H, 1d", "PT0.0001S, PT0.0001S"})
    void duration_isWrittenInTheLargestUnitThatLeavesNoRemainder(Duration duration, String text) {
        assertThat(Amounts.format(duration)).isEqualTo(text);
        assertThat(Amounts.duration(text)).contains(duration);
    }

    @Test
    void writtenSize_isReadBack() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 1_000; i++) {
            long bytes = random.nextLong(1, KeyLimits.MOST_BYTES + 1) >> random.nextInt(46);
            if (bytes > 0) {
                assertThat(Amounts.bytes(Amounts.format(bytes)))
                        .as("seed %d", seed)
                        .isEqualTo(OptionalLong.of(bytes));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1 h, PT1H",
        "7d, PT168H",
        "999999999s, PT277777H46M39S",
        "PT1H30M, PT1H30M",
        "P1D, PT24H",
        "PT-1S, PT-1S",
        "PT0S, PT0S"
    })
    void duration_isRead(String text, Duration duration) {
        assertThat(Amounts.duration(text)).contains(duration);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "s",
                "1",
                "-1s",
                "1.5h",
                "1w",
                "1  s",
                "1s ",
                "1000000000s",
                "P1Y",
                "PT",
                "PT9223372036854775808S"
            })
    void textThatIsNoDuration_isNone(String text) {
        assertThat(Amounts.duration(text)).isEmpty();
    }
}
