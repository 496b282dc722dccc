/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.micro.RowCatalog.Crypto;

final class MicroTargetsTest {
    private static final String SEAL = "seal.confidentiality.32.p256";

    @Test
    void ratio_isWithinOneSetOfProviders_andTheBetterCounts() {
        List<MicroRun.Measured> rows = List.of(
                row("limit.aes256gcm.encrypt", 1, Crypto.JAVA_ONLY, 1),
                row(SEAL, 1, Crypto.JAVA_ONLY, 5),
                row("limit.aes256gcm.encrypt", 1, Crypto.NATIVE, 0.5),
                row(SEAL, 1, Crypto.NATIVE, 1.5));

        MicroTargets.Target target = find(rows, SEAL + " / limit.aes256gcm.encrypt");

        assertThat(target.measured()).hasValue(3);
        assertThat(target.met()).isTrue();
    }

    @Test
    void twoThreads_areComparedByRate() {
        List<MicroRun.Measured> rows = List.of(row(SEAL, 1, Crypto.JAVA_ONLY, 1), row(SEAL, 2, Crypto.JAVA_ONLY, 1.25));

        MicroTargets.Target target = find(rows, SEAL + ": rate of two threads / of one");

        assertThat(target.measured()).hasValue(1.6);
        assertThat(target.met()).isFalse();
    }

    @Test
    void peer_isComparedWithEachSetOfProviders() {
        List<MicroRun.Measured> rows =
                List.of(row(SEAL, 1, Crypto.NATIVE, 2), row("peer.aws.seal.32", 1, Crypto.PEER, 40));

        MicroTargets.Target target = find(rows, SEAL + " / peer.aws.seal.32");

        assertThat(target.measured()).hasValue(0.05);
        assertThat(target.met()).isTrue();
    }

    @Test
    void missingOrFailedRow_leavesTheTargetUnmeasured() {
        List<MicroRun.Measured> rows = List.of(
                row(SEAL, 1, Crypto.NATIVE, 2),
                MicroRun.Measured.failed(new RowCatalog.Entry("peer.aws.seal.32", 1, Crypto.PEER)));

        assertThat(find(rows, SEAL + " / peer.aws.seal.32").measured()).isEmpty();
        assertThat(find(rows, SEAL + " / peer.pulsar.seal.32").measured()).isEmpty();
        assertThat(find(rows, SEAL + " / peer.aws.seal.32").met()).isFalse();
    }

    @Test
    void addedBytes_areComparedWithTheirBar() {
        MicroTargets.Target met = find(List.of(), "size.confidentiality.p256: bytes added to 2048");
        MicroTargets.Target missed = find(List.of(), "size.privacy.included.p256: bytes added to 2048");
        MicroTargets.Target unknown = find(List.of(), "size.privacy.referenced.p256: bytes added to 2048");

        assertThat(met.measured()).hasValue(525);
        assertThat(met.met()).isTrue();
        assertThat(missed.met()).isFalse();
        assertThat(unknown.measured()).isEmpty();
    }

    private static MicroRun.Measured row(String name, int threads, Crypto crypto, double micros) {
        return new MicroRun.Measured(new RowCatalog.Entry(name, threads, crypto), micros, 100, 1);
    }

    private static MicroTargets.Target find(List<MicroRun.Measured> rows, String name) {
        return new MicroTargets(rows, Map.of("size.confidentiality.p256", 525, "size.privacy.included.p256", 1351))
                .targets().stream()
                        .filter(target -> target.name().equals(name))
                        .findFirst()
                        .orElseThrow();
    }
}
