/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import jdk.jfr.FlightRecorder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.perf.Ran;
import org.signetmq.perf.result.Parts;

/** Wrong options end the command at once: a measurement would run for minutes. */
@Timeout(30)
final class RoundTripCommandTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--size=-1|--size: must not be below zero, found -1",
                "--clients=8,0|--clients: must be above zero, found 0",
                "--queues=0|--queues: must be above zero, found 0",
                "--seconds=-5|--seconds: must be above zero, found -5",
                "--runs=0|--runs: must be above zero, found 0",
                "--warm-up=-1|--warm-up: must not be below zero, found -1",
                "--keys=p256,p257|--keys: must be p256 or rsa2048, found 'p257'",
                "--reuse=32,-3|--reuse: must be a number or 'unlimited', found '-3'",
                "--quality=privacy,secrecy|--quality: unknown, found 'secrecy'"
            })
    void wrongValue_isNamedWithItsOption(String option, String message) throws Exception {
        Ran ran = Ran.perf("rr", option);

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err().lines())
                .containsExactly("signet: error: " + message, "signet: hint: see signet perf rr --help");
        assertThat(ran.out()).isEmpty();
    }

    @Test
    void severalWrongValues_theFirstIsNamed() throws Exception {
        Ran ran = Ran.perf("rr", "--runs=0", "--keys=p257");

        assertThat(ran.err()).startsWith("signet: error: --keys: ");
    }

    @Test
    void recording_isOfTheRunAlone(@TempDir Path folder) throws Exception {
        Parts parts = new Parts();

        int figure = RoundTripCommand.recorded(folder, parts, () -> 7);

        assertThat(figure).isEqualTo(7);
        assertThat(parts.failures()).isEmpty();
        assertThat(folder.resolve("client.jfr")).isNotEmptyFile();
        assertThat(FlightRecorder.getFlightRecorder().getRecordings()).isEmpty();
    }

    @Test
    void runThatFails_isRecordedToo(@TempDir Path folder) {
        Callable<Integer> failing = () -> {
            throw new IllegalStateException("block: broken");
        };

        assertThatIllegalStateException()
                .isThrownBy(() -> RoundTripCommand.recorded(folder, new Parts(), failing))
                .withMessage("block: broken");
        assertThat(folder.resolve("client.jfr")).isNotEmptyFile();
    }

    @Test
    void recordingThatCannotBeWritten_isReported_andTheFiguresStay(@TempDir Path folder) throws Exception {
        Files.createDirectories(folder.resolve("client.jfr/full"));
        Parts parts = new Parts();

        int figure = RoundTripCommand.recorded(folder, parts, () -> 7);

        assertThat(figure).isEqualTo(7);
        assertThat(parts.failures()).extracting(Parts.Failure::name).containsExactly("--flight-recordings " + folder);
        assertThat(parts.exitCode()).isEqualTo(1);
    }
}
