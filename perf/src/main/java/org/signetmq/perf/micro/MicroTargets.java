/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.signetmq.perf.targets.Bar;
import org.signetmq.perf.targets.Figure;
import org.signetmq.perf.targets.Target;

/**
 * What Signet wants to reach, beside what this run came to. A figure is a ratio within one run and one set of
 * providers; the better of Java alone and with the native provider counts.
 */
final class MicroTargets {
    private static final double PAYLOAD = RowName.DEFAULT_SIZE;
    private static final String ENCRYPT = "limit.aes256gcm.encrypt";
    private static final String DECRYPT = "limit.aes256gcm.decrypt";
    private static final String SIGN = "limit.ecdsa-p256.sign";
    private static final String VERIFY = "limit.ecdsa-p256.verify";
    private static final String SEAL = "seal.confidentiality.32.p256";

    private final List<Measured> rows;
    private final Map<String, Integer> sizes;

    /**
     * Targets against what was measured.
     *
     * @param sizes how many bytes sealing adds, by name; see {@link EnvelopeSizes}
     */
    MicroTargets(List<Measured> rows, Map<String, Integer> sizes) {
        this.rows = rows;
        this.sizes = sizes;
    }

    List<Target> targets() {
        List<Target> targets = new ArrayList<>();
        targets.add(times(SEAL, List.of(ENCRYPT), 4));
        targets.add(times(SEAL, List.of("peer.pulsar.seal.32"), 1));
        targets.add(times("seal.confidentiality.32.rsa2048", List.of(ENCRYPT), 5));
        targets.add(times("open.confidentiality.warm.p256", List.of(DECRYPT), 4));
        // what is allocated does not depend on who else uses the machine
        targets.add(Bar.atMost(3)
                .target(
                        SEAL + " bytes/op / payload",
                        own(crypto -> Figure.exact(
                                find(SEAL, 1, crypto).map(Measured::bytesPerOp).orElse(Double.NaN) / PAYLOAD))));
        targets.add(times("seal.privacy.0.p256", List.of(SIGN, ENCRYPT), 1.4));
        targets.add(times("open.privacy.warm.p256", List.of(VERIFY, DECRYPT), 1.3));
        targets.add(times("seal.integrity.0.p256", List.of(SIGN), 1.3));
        targets.add(added("size.confidentiality.p256", 550));
        targets.add(added("size.privacy.referenced.p256", 1000));
        targets.add(added("size.privacy.included.p256", 1350));
        targets.add(Bar.atLeast(1.8)
                .target(
                        SEAL + ": rate of two threads / of one",
                        own(crypto -> twice(time(SEAL, 1, crypto).over(time(SEAL, 2, crypto))))));
        for (String key : List.of("p256", "rsa2048")) {
            String row = "seal.confidentiality.32." + key;
            String unlimited = "seal.confidentiality.unlimited." + key;
            targets.add(Bar.atLeast(0.99)
                    .target(
                            row + ": rate / unlimited's",
                            own(crypto -> time(unlimited, 1, crypto).over(time(row, 1, crypto)))));
            for (String reuse : List.of("1", "32", "unlimited")) {
                targets.add(times(
                        "seal.confidentiality." + reuse + "." + key, List.of("peer.aws.seal." + reuse), 1 / 10.0));
            }
            targets.add(times("open.confidentiality.warm." + key, List.of("peer.aws.open.warm"), 1 / 10.0));
            for (String reuse : List.of("0", "1", "32", "unlimited")) {
                targets.add(
                        times("seal.confidentiality." + reuse + "." + key, List.of("peer.bc-cms.seal.0"), 1 / 20.0));
            }
            targets.add(times("open.confidentiality.warm." + key, List.of("peer.bc-cms.open.warm"), 1 / 20.0));
        }
        return targets;
    }

    private Target added(String name, double bar) {
        Integer bytes = sizes.get(name);
        return Bar.atMost(bar)
                .target(
                        name + ": bytes added to " + RowName.DEFAULT_SIZE,
                        bytes == null ? List.of() : List.of(Figure.exact(bytes)));
    }

    private Target times(String row, List<String> others, double bar) {
        return Bar.atMost(bar)
                .target(
                        row + " / " + String.join(" + ", others),
                        own(crypto -> time(row, 1, crypto)
                                .over(others.stream()
                                        .map(other -> time(other, 1, crypto))
                                        .reduce(Figure.exact(0), Figure::plus))));
    }

    private static Figure twice(Figure figure) {
        return new Figure(2 * figure.value(), figure.isNoisy());
    }

    /** The same by each set of providers. */
    private static List<Figure> own(Function<RowCatalog.Crypto, Figure> figure) {
        return Stream.of(RowCatalog.Crypto.JAVA_ONLY, RowCatalog.Crypto.NATIVE)
                .map(figure)
                .toList();
    }

    private Figure time(String name, int threads, RowCatalog.Crypto crypto) {
        return find(name, threads, crypto)
                .map(row -> new Figure(row.microsPerOp(), row.noisy()))
                .orElse(Figure.exact(Double.NaN));
    }

    private Optional<Measured> find(String name, int threads, RowCatalog.Crypto crypto) {
        RowCatalog.Crypto wanted = name.startsWith("peer.") ? RowCatalog.Crypto.PEER : crypto;
        return rows.stream()
                .filter(row -> row.row().equals(new RowCatalog.Entry(name, threads, wanted)))
                .findFirst();
    }
}
