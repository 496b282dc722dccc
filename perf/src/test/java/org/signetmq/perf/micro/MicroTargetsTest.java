/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.micro.Row.Crypto;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.result.Target.Verdict;

final class MicroTargetsTest {
    private static final String SEAL = "seal.confidentiality.32.p256";

    @Test
    void ratio_isWithinOneSetOfProviders_andTheBetterCounts() {
        List<Result> rows = List.of(
                row("limit.aes256gcm.encrypt", 1, Crypto.JAVA_ONLY, 1),
                row(SEAL, 1, Crypto.JAVA_ONLY, 5),
                row("limit.aes256gcm.encrypt", 1, Crypto.NATIVE, 0.5),
                row(SEAL, 1, Crypto.NATIVE, 1.5));

        Target target = find(rows, SEAL + " / limit.aes256gcm.encrypt");

        assertThat(target.measured()).isEqualTo(3);
        assertThat(target.verdict()).isEqualTo(Verdict.MET);
    }

    @Test
    void twoThreads_areComparedByRate() {
        List<Result> rows = List.of(row(SEAL, 1, Crypto.JAVA_ONLY, 1), row(SEAL, 2, Crypto.JAVA_ONLY, 1.25));

        Target target = find(rows, SEAL + ": rate of two threads / of one");

        assertThat(target.measured()).isEqualTo(1.6);
        assertThat(target.verdict()).isEqualTo(Verdict.MISSED);
    }

    @Test
    void peer_isComparedWithEachSetOfProviders() {
        List<Result> rows = List.of(row(SEAL, 1, Crypto.NATIVE, 2), row("peer.aws.seal.32", 1, Crypto.PEER, 40));

        Target target = find(rows, SEAL + " / peer.aws.seal.32");

        assertThat(target.measured()).isEqualTo(0.05);
        assertThat(target.verdict()).isEqualTo(Verdict.MET);
    }

    @Test
    void missingOrFailedRow_leavesTheTargetUnmeasured() {
        List<Result> rows = List.of(
                row(SEAL, 1, Crypto.NATIVE, 2),
                RowsTest.row("peer.aws.seal.32", 1, Crypto.PEER).measured(Double.NaN, Double.NaN, Double.NaN));

        assertThat(find(rows, SEAL + " / peer.aws.seal.32").measured()).isNaN();
        assertThat(find(rows, SEAL + " / peer.pulsar.seal.32").measured()).isNaN();
        assertThat(find(rows, SEAL + " / peer.aws.seal.32").verdict()).isEqualTo(Verdict.NOT_MEASURED);
    }

    @Test
    void addedBytes_areComparedWithTheirBar() {
        Target met = find(List.of(), "size.confidentiality.p256: bytes added to 2048");
        Target missed = find(List.of(), "size.privacy.included.p256: bytes added to 2048");
        Target unknown = find(List.of(), "size.privacy.referenced.p256: bytes added to 2048");

        assertThat(met.measured()).isEqualTo(525);
        assertThat(met.verdict()).isEqualTo(Verdict.MET);
        assertThat(missed.verdict()).isEqualTo(Verdict.MISSED);
        assertThat(unknown.verdict()).isEqualTo(Verdict.NOT_MEASURED);
    }

    @Test
    void noisyRow_provesNothing_whereverItStandsInTheRatio() {
        Result limit = row("limit.aes256gcm.encrypt", 1, Crypto.NATIVE, 1);
        Result noisyLimit = noisy("limit.aes256gcm.encrypt", 1);
        Result seal = row(SEAL, 1, Crypto.NATIVE, 2);
        Result noisySeal = noisy(SEAL, 2);

        assertThat(find(List.of(limit, noisySeal), SEAL + " / limit.aes256gcm.encrypt")
                        .verdict())
                .isEqualTo(Verdict.NOISY);
        assertThat(find(List.of(noisyLimit, seal), SEAL + " / limit.aes256gcm.encrypt")
                        .verdict())
                .isEqualTo(Verdict.NOISY);
        assertThat(find(List.of(limit, seal), SEAL + " / limit.aes256gcm.encrypt")
                        .verdict())
                .isEqualTo(Verdict.MET);
        assertThat(find(List.of(noisySeal), SEAL + " bytes/op / payload").verdict())
                .as("what is allocated does not scatter with time")
                .isEqualTo(Verdict.MET);
    }

    private static Result row(String name, int threads, Crypto crypto, double micros) {
        return RowsTest.row(name, threads, crypto).measured(micros, 100, 1);
    }

    private static Result noisy(String name, double micros) {
        return RowsTest.row(name, 1, Crypto.NATIVE).measured(micros, 100, 1.6);
    }

    private static Result size(String name, int bytes) {
        return Result.EMPTY.with("name", name).with("bytes_added", bytes);
    }

    private static Target find(List<Result> rows, String name) {
        List<Result> sizes = List.of(size("size.confidentiality.p256", 525), size("size.privacy.included.p256", 1351));
        return new MicroReport(rows, sizes)
                .targets().stream()
                        .filter(target -> target.name().equals(name))
                        .findFirst()
                        .orElseThrow();
    }
}
