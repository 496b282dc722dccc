/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.perf.micro.Row.Crypto;

final class LimitBenchmarkTest {
    static Stream<Row> rows() {
        return Rows.full().stream()
                .flatMap(plan -> plan.rows().stream())
                .filter(row -> row.name().startsWith("limit.") && row.threads() == 1)
                .filter(row -> row.crypto() == Crypto.JAVA_ONLY);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void limit_doesWhatItsNameSays(Row row) throws Exception {
        int size = Integer.parseInt(row.parameter("size"));
        LimitBenchmark benchmark = benchmark(row.parameter("primitive"), size);
        benchmark.prepare();
        Object result = benchmark.measure();

        String name = row.name();
        if (name.endsWith(".verify")) {
            assertThat(result).isEqualTo(true);
        } else if (name.contains(".encrypt")) {
            assertThat(result).isEqualTo(size + 16);
        } else if (name.contains(".decrypt")) {
            assertThat(result).isEqualTo(size);
        } else if (name.equals("limit.rsa2048.sign")) {
            assertThat((byte[]) result).hasSize(256);
        } else {
            assertThat((byte[]) result).hasSizeBetween(64, 72);
        }
    }

    @Test
    void unknownLimit_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(benchmark("rot13.encrypt", 2048)::prepare);
    }

    private static LimitBenchmark benchmark(String primitive, int size) {
        LimitBenchmark benchmark = new LimitBenchmark();
        benchmark.primitive = primitive;
        benchmark.size = size;
        return benchmark;
    }
}
