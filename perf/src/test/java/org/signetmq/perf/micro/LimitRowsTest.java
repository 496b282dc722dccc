/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class LimitRowsTest {
    private final LimitRows rows =
            new LimitRows(BenchmarkProviders.aes(), BenchmarkProviders.ec(), BenchmarkProviders.rsa());

    static Stream<String> names() {
        return RowCatalog.full().stream()
                .flatMap(plan -> plan.rows().stream())
                .map(RowCatalog.Entry::name)
                .filter(name -> name.startsWith("limit."))
                .distinct();
    }

    @ParameterizedTest
    @MethodSource("names")
    void limit_doesWhatItsNameSays(String name) throws Exception {
        RowName row = RowName.parse(name);

        Object result = rows.operation(row).run();

        if (name.endsWith(".verify")) {
            assertThat(result).isEqualTo(true);
        } else if (name.contains(".encrypt")) {
            assertThat(result).isEqualTo(row.size() + 16);
        } else if (name.contains(".decrypt")) {
            assertThat(result).isEqualTo(row.size());
        } else if (name.equals("limit.rsa2048.sign")) {
            assertThat((byte[]) result).hasSize(256);
        } else {
            assertThat((byte[]) result).hasSizeBetween(64, 72);
        }
    }

    @Test
    void unknownLimit_isRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> rows.operation(RowName.parse("limit.rot13.encrypt")));
    }
}
