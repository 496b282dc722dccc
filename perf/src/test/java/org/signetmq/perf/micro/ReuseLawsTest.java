/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.micro.Row.Crypto;
import org.signetmq.perf.result.Result;

final class ReuseLawsTest {
    @Test
    void law_isFittedForEachKeyAndSetOfProviders_withEnoughRows() {
        List<Result> rows = new ArrayList<>();
        for (String reuse : List.of("1", "2", "4", "unlimited")) {
            rows.add(row("seal.confidentiality." + reuse + ".p256", Crypto.JAVA_ONLY));
            rows.add(row("seal.confidentiality." + reuse + ".rsa2048", Crypto.NATIVE));
        }
        for (String reuse : List.of("1", "2", "4")) {
            rows.add(row("seal.confidentiality." + reuse + ".p256", Crypto.NATIVE));
        }

        assertThat(ReuseLaws.fitted(new MicroReport(rows, List.of())))
                .extracting(law -> law.text("rows") + ", " + law.text("crypto"))
                .containsExactly("seal.confidentiality.N.p256, java-only", "seal.confidentiality.N.rsa2048, native");
    }

    @Test
    void otherRows_areNoPointsOfTheLaw() {
        List<Result> rows = Stream.of("0", "32.p256.256", "32.p256.r5", "32.rsa2048", "unlimited.p256")
                .map(rest -> row("seal.confidentiality." + rest, Crypto.NATIVE))
                .toList();

        assertThat(ReuseLaws.fitted(new MicroReport(rows, List.of()))).isEmpty();
    }

    private static Result row(String name, Crypto crypto) {
        return RowsTest.row(name, 1, crypto).measured(1, 100, 1);
    }
}
