/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.perf.micro.Row.Crypto;
import org.signetmq.perf.micro.Row.Depth;
import org.signetmq.perf.result.Result;

/** Other tools look for rows by these names. */
final class RowsTest {
    private static final List<String> LIMITS = List.of(
            "limit.aes256gcm.encrypt",
            "limit.aes256gcm.decrypt",
            "limit.sha512",
            "limit.ecdsa-p256.sign",
            "limit.ecdsa-p256.verify");

    private static final List<String> PEERS = List.of(
            "peer.pulsar.seal.1",
            "peer.pulsar.seal.32",
            "peer.pulsar.open.warm",
            "peer.aws.seal.1",
            "peer.aws.seal.32",
            "peer.aws.open.warm",
            "peer.jose4j.seal.0",
            "peer.jose4j.open.warm",
            "peer.bc-cms.seal.0",
            "peer.bc-cms.open.warm");

    private static List<String> names() {
        List<String> names = new ArrayList<>(LIMITS);
        for (String key : List.of("p256", "rsa2048")) {
            names.add("seal.integrity.0." + key);
            names.add("seal.privacy.0." + key);
            for (String reuse : List.of("0", "1", "32", "unlimited")) {
                names.add("seal.confidentiality." + reuse + "." + key);
            }
            for (String quality : List.of("integrity", "privacy", "confidentiality")) {
                names.add("open." + quality + ".warm." + key);
                names.add("open." + quality + ".cold." + key);
            }
        }
        for (String more : List.of("256", "20480", "204800", "r5", "r20", "r50")) {
            names.add("seal.confidentiality.32.p256." + more);
        }
        return names;
    }

    /** Returns the row of this name, as the lists of rows have it. */
    static Row row(String name, int threads, Crypto crypto) {
        Result parameters = crypto == Crypto.PEER ? Result.EMPTY.with("row", name) : Row.parameters(name);
        return new Row(parameters, threads, crypto, Depth.FULL);
    }

    static Stream<List<Row>> runs() {
        return Stream.of(Row.own(true), Row.own(false));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void anyRun_hasEveryName(List<Row> run) {
        assertThat(run).extracting(Row::name).containsAll(names());
    }

    @ParameterizedTest
    @MethodSource("runs")
    void noRow_isMeasuredTwice(List<Row> run) {
        assertThat(run)
                .extracting(row -> row.name() + " " + row.threads() + " " + row.crypto())
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("runs")
    void everyRowThatSigns_hasItsLimitInTheRun(List<Row> run) {
        assertThat(run).extracting(Row::name).contains("limit.rsa2048.sign", "limit.rsa2048.verify");
    }

    @Test
    void fullRun_hasTheReusesOfTheLaw_andTheSizesAndRecipientsOfBothKeys() {
        List<String> full = Row.own(false).stream().map(Row::name).toList();

        for (String key : List.of("p256", "rsa2048")) {
            for (String reuse : List.of("2", "4", "8", "16", "64")) {
                assertThat(full).contains("seal.confidentiality." + reuse + "." + key);
            }
            assertThat(full)
                    .contains(
                            "seal.confidentiality.32." + key + ".204800",
                            "open.confidentiality.warm." + key + ".204800",
                            "seal.confidentiality.32." + key + ".r50",
                            "seal.privacy.0." + key + ".r50");
        }
    }

    @Test
    void quickPeers_areThoseOfTheTargets() {
        List<Row> rows = Row.peers(PEERS, true);

        assertThat(rows).extracting(Row::depth).containsOnly(Depth.QUICK);
        assertThat(rows)
                .extracting(Row::name)
                .containsExactly("peer.pulsar.seal.32", "peer.aws.seal.32", "peer.aws.open.warm", "peer.bc-cms.seal.0");
    }

    @Test
    void fullRun_hasAllPeers() {
        assertThat(Row.peers(PEERS, false)).extracting(Row::name).isEqualTo(PEERS);
    }

    @Test
    void quickRun_isPlannedToEndInTime() {
        List<String> peers = new ArrayList<>();
        for (String peer :
                List.of("pulsar", "aws", "tink", "tink-hpke", "kroxylicious", "jose4j", "bc-cms", "bc-cms-ec")) {
            peers.add("peer." + peer + ".seal.32");
            peers.add("peer." + peer + ".open.warm");
        }
        Duration planned = Stream.concat(Row.own(true).stream(), Row.peers(peers, true).stream())
                .map(row -> row.depth().of(row.threads()))
                .reduce(Duration.ZERO, Duration::plus);

        assertThat(planned).isLessThan(Duration.ofSeconds(200));
    }

    @Test
    void parameters_areThoseOfTheBenchmark() {
        assertThat(Row.parameters("seal.confidentiality.32.rsa2048.r50").json())
                .hasToString(
                        "{\"operation\":\"seal\",\"quality\":\"CONFIDENTIALITY\",\"keys\":\"32\",\"key\":\"RSA2048\","
                                + "\"size\":\"2048\",\"recipients\":\"50\"}");
        assertThat(Row.parameters("limit.aes256gcm.decrypt.256").json())
                .hasToString("{\"operation\":\"limit.aes256gcm.decrypt\",\"size\":\"256\"}");
        assertThat(Row.parameters("peer.aws.seal.32")).isEqualTo(Result.EMPTY);
    }

    @Test
    void fullRun_isAllAtFullDepth_someByTwoThreads() {
        assertThat(Row.own(false)).extracting(Row::depth).containsOnly(Depth.FULL);
        assertThat(Row.own(false))
                .filteredOn(row -> row.threads() == 2)
                .extracting(Row::name)
                .containsOnly("limit.aes256gcm.encrypt", "seal.privacy.0.p256", "seal.confidentiality.32.p256");
    }

    @Test
    void quickRun_glancesAtRowsWithoutTargets_byOneSetOfProviders() {
        List<Row> glances = Row.own(true).stream()
                .filter(row -> row.depth().equals(Depth.SHORT))
                .toList();

        assertThat(glances).extracting(Row::crypto).containsOnly(glances.get(0).crypto());
        assertThat(glances)
                .extracting(Row::name)
                .contains(
                        "limit.sha512",
                        "open.privacy.cold.p256",
                        "seal.privacy.0.rsa2048",
                        "seal.confidentiality.32.p256.r5")
                .doesNotContain(
                        "seal.confidentiality.32.p256", "seal.confidentiality.1.p256", "limit.aes256gcm.encrypt.256");
    }
}
