/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.perf.experiment.DigestRun.Throttle;
import org.signetmq.perf.experiment.DigestRun.Way;
import org.signetmq.perf.pair.Load;
import org.signetmq.perf.process.Runner;
import org.signetmq.testkit.Tier;

final class DigestRunTest {
    @TempDir
    private Path folder;

    static Stream<Way> ways() {
        return Stream.of(Way.loop(1000), Way.pipeline(1000, 1), Way.pipeline(1000, 5));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void way_givesAllBytesInTheirOrder_alsoInASecondRun(Way way) throws Exception {
        byte[] content = Load.payload(123_456);
        for (int run = 0; run < 2; run++) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();

            way.run(new ByteArrayInputStream(content), out::write);

            assertThat(out.toByteArray()).isEqualTo(content);
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void failureOfTheStream_isThrown(Way way) {
        InputStream failing = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("disk");
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                return read();
            }
        };

        assertThatIOException()
                .isThrownBy(() -> way.run(failing, (bytes, offset, length) -> {}))
                .withMessage("disk");
    }

    @Test
    void throttle_letsTheBucketPass_andThenTheRate() {
        long[] now = {0};
        List<Long> slept = new ArrayList<>();
        Throttle throttle = new Throttle(
                1e9,
                100,
                () -> now[0],
                nanos -> { // a nanosecond for each byte
                    slept.add(nanos);
                    now[0] += nanos;
                });

        throttle.accept(50);
        now[0] += 1_000;
        throttle.accept(100);
        throttle.accept(30);

        assertThat(slept).containsExactly(50L, 30L);
    }

    @Test
    @Tag(Tier.LONG)
    void files_areReadAndWorkedOn_inEachWay_andDeleted() throws Exception {
        Runner runner = new Runner(true, folder, line -> {});
        try (DigestRun run = new DigestRun(folder, 150_000)) {
            run.measure(runner);
        }

        assertThat(runner.failures()).isEmpty();
        assertThat(runner.rows()).hasSize(3 * 4 * 3).allSatisfy(row -> {
            assertThat(row.number("rate")).isPositive();
            assertThat(row.number("of_work")).isPositive();
        });
        assertThat(runner.rows()).extracting(row -> row.text("part")).contains("sha-256 throttled", "aes-256-gcm");
        assertThat(folder).isEmptyDirectory();
    }
}
