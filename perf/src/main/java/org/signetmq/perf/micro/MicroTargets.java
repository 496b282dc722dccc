/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * What Signet wants to reach, beside what this run came to. A figure is a ratio within one run and one set of
 * providers; the better of Java alone and with the native provider counts.
 */
final class MicroTargets {
    /** Which side of a bar is good. */
    private enum Side {
        AT_MOST,
        AT_LEAST
    }

    /** A bar, and what was measured against it; empty where a row that it needs is missing. */
    record Target(String name, OptionalDouble measured, double bar, boolean met) {}

    private static final double PAYLOAD = RowName.DEFAULT_SIZE;
    private static final String ENCRYPT = "limit.aes256gcm.encrypt";
    private static final String DECRYPT = "limit.aes256gcm.decrypt";
    private static final String SIGN = "limit.ecdsa-p256.sign";
    private static final String VERIFY = "limit.ecdsa-p256.verify";
    private static final String SEAL = "seal.confidentiality.32.p256";

    private final List<MicroRun.Measured> rows;
    private final Map<String, Integer> sizes;

    /**
     * Targets against what was measured.
     *
     * @param sizes how many bytes sealing adds, by name; see {@link EnvelopeSizes}
     */
    MicroTargets(List<MicroRun.Measured> rows, Map<String, Integer> sizes) {
        this.rows = rows;
        this.sizes = sizes;
    }

    void print(PrintStream out) {
        if (rows.stream().anyMatch(MicroRun.Measured::noisy)) {
            out.printf("%nsome rows are noisy: their bars are met or missed by chance; run again on a quiet machine%n");
        }
        out.printf("%n%-72s %10s %8s %s%n", "target", "measured", "bar", "met");
        for (Target target : targets()) {
            String measured = target.measured().isPresent()
                    ? String.format("%.2f", target.measured().getAsDouble())
                    : "-";
            String met = target.measured().isEmpty() ? "not measured in this run" : target.met() ? "yes" : "no";
            out.printf("%-72s %10s %8.2f %s%n", target.name(), measured, target.bar(), met);
        }
    }

    List<Target> targets() {
        List<Target> targets = new ArrayList<>();
        targets.add(times(SEAL, List.of(ENCRYPT), 4));
        targets.add(times(SEAL, List.of("peer.pulsar.seal.32"), 1));
        targets.add(times("seal.confidentiality.32.rsa2048", List.of(ENCRYPT), 5));
        targets.add(times("open.confidentiality.warm.p256", List.of(DECRYPT), 4));
        targets.add(atMost(
                SEAL + " bytes/op / payload",
                best(crypto -> find(SEAL, 1, crypto, MicroRun.Measured::bytesPerOp) / PAYLOAD, Side.AT_MOST),
                3));
        targets.add(times("seal.privacy.0.p256", List.of(SIGN, ENCRYPT), 1.4));
        targets.add(times("open.privacy.warm.p256", List.of(VERIFY, DECRYPT), 1.3));
        targets.add(times("seal.integrity.0.p256", List.of(SIGN), 1.3));
        targets.add(added("size.confidentiality.p256", 550));
        targets.add(added("size.privacy.referenced.p256", 1000));
        targets.add(added("size.privacy.included.p256", 1350));
        OptionalDouble scaling = best(crypto -> 2 * micros(SEAL, 1, crypto) / micros(SEAL, 2, crypto), Side.AT_LEAST);
        targets.add(new Target(SEAL + ": rate of two threads / of one", scaling, 1.8, scaling.orElse(0) >= 1.8));
        for (String key : List.of("p256", "rsa2048")) {
            String row = "seal.confidentiality.32." + key;
            String unlimited = "seal.confidentiality.unlimited." + key;
            OptionalDouble share = best(crypto -> micros(unlimited, 1, crypto) / micros(row, 1, crypto), Side.AT_LEAST);
            targets.add(new Target(row + ": rate / unlimited's", share, 0.99, share.orElse(0) >= 0.99));
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
        return atMost(
                name + ": bytes added to " + RowName.DEFAULT_SIZE,
                bytes == null ? OptionalDouble.empty() : OptionalDouble.of(bytes),
                bar);
    }

    private Target times(String row, List<String> others, double bar) {
        return atMost(
                row + " / " + String.join(" + ", others),
                best(
                        crypto -> micros(row, 1, crypto)
                                / others.stream()
                                        .mapToDouble(other -> micros(other, 1, crypto))
                                        .sum(),
                        Side.AT_MOST),
                bar);
    }

    private static Target atMost(String name, OptionalDouble measured, double bar) {
        return new Target(name, measured, bar, measured.orElse(Double.POSITIVE_INFINITY) <= bar);
    }

    /** NaN for a missing row spreads through the sums and ratios, and is left out here. */
    private static OptionalDouble best(ToDoubleFunction<RowCatalog.Crypto> figure, Side side) {
        double[] figures = List.of(RowCatalog.Crypto.JAVA_ONLY, RowCatalog.Crypto.NATIVE).stream()
                .mapToDouble(figure)
                .filter(value -> !Double.isNaN(value))
                .sorted()
                .toArray();
        if (figures.length == 0) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(figures[side == Side.AT_MOST ? 0 : figures.length - 1]);
    }

    private double micros(String name, int threads, RowCatalog.Crypto crypto) {
        return find(name, threads, crypto, MicroRun.Measured::microsPerOp);
    }

    private double find(
            String name, int threads, RowCatalog.Crypto crypto, ToDoubleFunction<MicroRun.Measured> figure) {
        RowCatalog.Crypto wanted = name.startsWith("peer.") ? RowCatalog.Crypto.PEER : crypto;
        return rows.stream()
                .filter(row -> row.row().equals(new RowCatalog.Entry(name, threads, wanted)))
                .mapToDouble(figure)
                .findFirst()
                .orElse(Double.NaN);
    }
}
