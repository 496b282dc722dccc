/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.Golden;
import org.signetmq.perf.micro.Row.Crypto;
import org.signetmq.perf.result.Result;

final class MicroReportTest {
    @Test
    void signingRow_isComparedWithTheLimitOfItsKey() {
        String table = printed(
                row("limit.ecdsa-p256.sign", Crypto.NATIVE, 10),
                row("limit.rsa2048.sign", Crypto.NATIVE, 1000),
                row("seal.integrity.0.p256", Crypto.NATIVE, 12),
                row("seal.integrity.0.rsa2048", Crypto.NATIVE, 1100));

        assertThat(table)
                .containsPattern("seal\\.integrity\\.0\\.p256 +1 native +12\\.000 +100 +1\\.20 ")
                .containsPattern("seal\\.integrity\\.0\\.rsa2048 +1 native +1100\\.000 +100 +1\\.10 ");
    }

    @Test
    void rowOfAPeersKind_isComparedWithTheFastestOfThem() {
        String table = printed(
                row("seal.confidentiality.32.p256", Crypto.NATIVE, 2),
                row("seal.confidentiality.32.p256.204800", Crypto.NATIVE, 80),
                row("seal.privacy.0.p256", Crypto.NATIVE, 20),
                row("open.confidentiality.warm.p256", Crypto.NATIVE, 1),
                row("peer.aws.seal.32", Crypto.PEER, 20),
                row("peer.pulsar.seal.32", Crypto.PEER, 4),
                row("peer.pulsar.seal.1", Crypto.PEER, 1),
                row("peer.aws.open.warm", Crypto.PEER, 10));

        assertThat(table)
                .containsPattern("seal\\.confidentiality\\.32\\.p256 .* 0\\.50 pulsar ")
                .containsPattern("open\\.confidentiality\\.warm\\.p256 .* 0\\.10 aws ");
        assertThat(table.lines().filter(line -> line.contains("privacy") || line.contains("204800")))
                .as("no peer does this")
                .hasSize(2)
                .noneMatch(line -> line.contains("pulsar") || line.contains("aws"));
    }

    @Test
    void failedRow_isShown() {
        assertThat(printed(RowsTest.row("limit.sha512", 1, Crypto.NATIVE).measured(Double.NaN, Double.NaN, Double.NaN)))
                .containsPattern("limit\\.sha512 +1 native +failed");
    }

    @Test
    void rowThatSignsAndEncrypts_isComparedWithBothPrimitives() {
        String table = printed(
                row("limit.aes256gcm.encrypt", Crypto.NATIVE, 1),
                row("limit.aes256gcm.decrypt", Crypto.NATIVE, 2),
                row("limit.ecdsa-p256.sign", Crypto.NATIVE, 9),
                row("limit.ecdsa-p256.verify", Crypto.NATIVE, 18),
                row("seal.privacy.0.p256", Crypto.NATIVE, 20),
                row("open.privacy.warm.p256", Crypto.NATIVE, 50));

        assertThat(table)
                .containsPattern("seal\\.privacy\\.0\\.p256 +1 native +20\\.000 +100 +2\\.00 ")
                .containsPattern("open\\.privacy\\.warm\\.p256 +1 native +50\\.000 +100 +2\\.50 ");
    }

    @Test
    void row_isComparedWithThePrimitiveOfItsSizeThreadsAndProviders() {
        String seal = "seal.confidentiality.32.p256";
        String table = printed(
                row("limit.aes256gcm.encrypt", Crypto.NATIVE, 1),
                row("limit.aes256gcm.encrypt", Crypto.JAVA_ONLY, 2),
                row("limit.aes256gcm.encrypt.256", Crypto.NATIVE, 0.5),
                RowsTest.row("limit.aes256gcm.encrypt", 2, Crypto.NATIVE).measured(4, 100, 1),
                row(seal + ".256", Crypto.NATIVE, 4),
                row(seal, Crypto.JAVA_ONLY, 4),
                RowsTest.row(seal, 2, Crypto.NATIVE).measured(4, 100, 1));

        assertThat(table)
                .containsPattern("p256\\.256 +1 native +4\\.000 +100 +8\\.00 ")
                .containsPattern("p256 +1 java-only +4\\.000 +100 +2\\.00 ")
                .containsPattern("p256 +2 native +4\\.000 +100 +1\\.00 ");
    }

    @Test
    void rowWithoutItsPrimitive_hasNoRatio() {
        assertThat(printed(row("seal.confidentiality.32.p256", Crypto.NATIVE, 4)))
                .containsPattern("seal\\.confidentiality\\.32\\.p256 +1 native +4\\.000 +100 +1\\.00\n");
    }

    @Test
    void rowThatScatters_isCalledNoisy() {
        Result noisy = RowsTest.row("limit.sha512", 1, Crypto.NATIVE).measured(4, 100, 1.51);
        Result calm = RowsTest.row("limit.rsa2048.sign", 1, Crypto.NATIVE).measured(4, 100, 1.5);

        assertThat(printed(noisy, calm))
                .containsPattern("limit\\.sha512 .* 1\\.51 noisy\n")
                .containsPattern("limit\\.rsa2048\\.sign .* 1\\.50\n");
    }

    @Test
    void failedRow_isNoFigureOfAnyOther() {
        Result failed =
                RowsTest.row("limit.aes256gcm.encrypt", 1, Crypto.NATIVE).measured(Double.NaN, Double.NaN, Double.NaN);
        Result seal = row("seal.confidentiality.32.p256", Crypto.NATIVE, 4);
        MicroReport report = new MicroReport(List.of(failed, seal), List.of());

        assertThat(report.measured()).containsExactly(seal);
        assertThat(report.find("limit.aes256gcm.encrypt", 1, Crypto.NATIVE)).isEqualTo(failed);
        assertThat(report.find("limit.sha512", 1, Crypto.NATIVE)).isEqualTo(Result.EMPTY);
    }

    @Test
    void sizesAndLaws_standBelowTheRows() {
        List<Result> rows = List.of(
                row("seal.confidentiality.1.p256", Crypto.NATIVE, 3),
                row("seal.confidentiality.2.p256", Crypto.NATIVE, 2),
                row("seal.confidentiality.4.p256", Crypto.NATIVE, 1.5),
                row("seal.confidentiality.unlimited.p256", Crypto.NATIVE, 1));
        Result size = Result.EMPTY.with("name", "size.confidentiality.p256").with("bytes_added", 528);

        assertThat(Golden.printed(new MicroReport(rows, List.of(size))::print))
                .containsPattern("size added to 2048 bytes, one recipient +bytes\nsize\\.confidentiality\\.p256 +528\n")
                .contains("seal.confidentiality.N.p256, native: T(N) = 1.000 us + 2.000 us / N, R2 = 1.000");
    }

    private static String printed(Result... rows) {
        return Golden.printed(new MicroReport(List.of(rows), List.of())::print);
    }

    private static Result row(String name, Crypto crypto, double micros) {
        return RowsTest.row(name, 1, crypto).measured(micros, 100, 1);
    }
}
