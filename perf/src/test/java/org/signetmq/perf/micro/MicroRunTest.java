/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.micro.MicroRun.RowRunner;
import org.signetmq.perf.micro.Row.Crypto;
import org.signetmq.perf.micro.Rows.Depth;
import org.signetmq.perf.result.Parts;

final class MicroRunTest {
    @Test
    void progress_saysHowLongItWillGoOn_atThePaceSoFar() throws InterruptedException {
        AtomicLong clock = new AtomicLong();
        RowRunner twiceAsSlow = (depth, rows) -> {
            clock.addAndGet(depth.of(1).multipliedBy(2).toNanos());
            return List.of(rows.get(0).measured(1, 1, 1));
        };
        List<MicroRun.Batch> batches = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Row row = new Row("row." + i, Map.of(), 1, Crypto.NATIVE);
            batches.add(new MicroRun.Batch(twiceAsSlow, Depth.FULL, List.of(row)));
        }
        List<String> said = new ArrayList<>();

        new MicroRun(batches, said::add, clock::get).execute(new Parts());

        assertThat(said.get(0))
                .isEqualTo("[1/10] row.0 native, " + minutes(Depth.FULL.of(1).multipliedBy(10)));
        assertThat(said.get(1))
                .isEqualTo("[2/10] row.1 native, " + minutes(Depth.FULL.of(1).multipliedBy(18)));
        assertThat(said.get(9))
                .isEqualTo("[10/10] row.9 native, " + minutes(Depth.FULL.of(1).multipliedBy(2)));
    }

    private static String minutes(Duration duration) {
        return "%d:%02d min left".formatted(duration.toMinutes(), duration.toSecondsPart());
    }
}
