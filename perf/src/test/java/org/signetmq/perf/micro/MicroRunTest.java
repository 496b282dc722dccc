/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.micro.MicroRun.RowRunner;
import org.signetmq.perf.micro.Row.Crypto;
import org.signetmq.perf.micro.Row.Depth;
import org.signetmq.perf.result.Parts;
import org.signetmq.perf.result.Parts.Failure;
import org.signetmq.perf.result.Result;

final class MicroRunTest {
    private static final Duration EACH = Depth.FULL.of(1);

    private final AtomicLong clock = new AtomicLong();
    private final List<String> said = new ArrayList<>();
    private final Parts parts = new Parts();

    @Test
    void progress_saysHowLongItWillGoOn_atThePaceSoFar() throws InterruptedException {
        RowRunner twiceAsSlow = row -> {
            clock.addAndGet(EACH.multipliedBy(2).toNanos());
            return row.measured(1, 1, 1);
        };

        new MicroRun(twiceAsSlow, said::add, clock::get).execute(rows(10), parts);

        assertThat(said.get(0)).isEqualTo("[1/10] row.0 native, " + minutes(EACH.multipliedBy(10)));
        assertThat(said.get(1)).isEqualTo("[2/10] row.1 native, " + minutes(EACH.multipliedBy(18)));
        assertThat(said.get(9)).isEqualTo("[10/10] row.9 native, " + minutes(EACH.multipliedBy(2)));
    }

    @Test
    void failedRow_isReported_andTheOthersAreMeasured() throws InterruptedException {
        RowRunner failingFirst = row -> {
            if (row.name().equals("row.0")) {
                throw new IOException("no space left on device");
            }
            return row.measured(7, 1, 1);
        };

        List<Result> results = new MicroRun(failingFirst, said::add, clock::get).execute(rows(2), parts);

        assertThat(results).extracting(row -> row.text("name")).containsExactly("row.0", "row.1");
        assertThat(results).extracting(row -> row.number("us_per_op")).containsExactly(Double.NaN, 7.0);
        assertThat(parts.failures()).containsExactly(new Failure("row.0 native", "no space left on device"));
    }

    @Test
    void noRows_giveNoResults() throws InterruptedException {
        RowRunner none = row -> row.measured(1, 1, 1);

        assertThat(new MicroRun(none, said::add, clock::get).execute(List.of(), parts))
                .isEmpty();
        assertThat(said).isEmpty();
    }

    private static List<Row> rows(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Row(Result.EMPTY.with("row", "row." + i), 1, Crypto.NATIVE, Depth.FULL))
                .toList();
    }

    private static String minutes(Duration duration) {
        return "%d:%02d min left".formatted(duration.toMinutes(), duration.toSecondsPart());
    }
}
