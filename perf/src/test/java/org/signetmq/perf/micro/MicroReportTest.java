/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
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

    private static String printed(Result... rows) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new MicroReport(List.of(rows), List.of()).print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static Result row(String name, Crypto crypto, double micros) {
        return RowsTest.row(name, 1, crypto).measured(micros, 100, 1);
    }
}
