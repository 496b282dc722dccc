/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.signetmq.perf.micro.Row.Crypto;
import org.signetmq.perf.result.Bar;
import org.signetmq.perf.result.Figure;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Payload;

/**
 * The targets of single operations, held against a run. A figure is a ratio within one run and one set of providers;
 * the better of Java alone and with the native provider counts.
 */
record MicroTargets(MicroReport run) {
    private static final String SEAL = "seal.confidentiality.32.p256";

    List<Target> all() {
        List<Target> targets = new ArrayList<>(List.of(
                times(4, SEAL, "limit.aes256gcm.encrypt"),
                times(1, SEAL, "peer.pulsar.seal.32"),
                times(5, "seal.confidentiality.32.rsa2048", "limit.aes256gcm.encrypt"),
                times(4, "open.confidentiality.warm.p256", "limit.aes256gcm.decrypt"),
                target(Bar.atMost(3), SEAL + " bytes/op / payload", this::bytesPerPayload),
                times(1.4, "seal.privacy.0.p256", "limit.ecdsa-p256.sign", "limit.aes256gcm.encrypt"),
                times(1.3, "open.privacy.warm.p256", "limit.ecdsa-p256.verify", "limit.aes256gcm.decrypt"),
                times(1.3, "seal.integrity.0.p256", "limit.ecdsa-p256.sign"),
                added(550, "size.confidentiality.p256"),
                added(1000, "size.privacy.referenced.p256"),
                added(1350, "size.privacy.included.p256"),
                target(Bar.atLeast(1.8), SEAL + ": rate of two threads / of one", this::rateOfTwoThreads)));
        for (KeyKind key : KeyKind.values()) {
            addOfKey("seal.confidentiality.%s." + key.label(), "open.confidentiality.warm." + key.label(), targets);
        }
        return targets;
    }

    private void addOfKey(String seal, String open, List<Target> targets) {
        String row = seal.formatted("32");
        String unlimited = seal.formatted("unlimited");
        targets.add(ratio(Bar.atLeast(0.99), row + ": rate / unlimited's", unlimited, row));
        for (String reuse : List.of("1", "32", "unlimited")) {
            targets.add(times(0.1, seal.formatted(reuse), "peer.aws.seal." + reuse));
        }
        targets.add(times(0.1, open, "peer.aws.open.warm"));
        for (String reuse : List.of("0", "1", "32", "unlimited")) {
            targets.add(times(0.05, seal.formatted(reuse), "peer.bc-cms.seal.0"));
        }
        targets.add(times(0.05, open, "peer.bc-cms.open.warm"));
    }

    /** Returns a target: the time is at most this multiple of the time of other rows together. */
    private Target times(double most, String row, String... others) {
        return ratio(Bar.atMost(most), row + " / " + String.join(" + ", others), row, others);
    }

    private Target ratio(Bar bar, String name, String row, String... others) {
        return target(bar, name, crypto -> {
            Stream<Figure> times = Stream.of(others).map(other -> time(other, 1, crypto));
            return time(row, 1, crypto).over(times.reduce(Figure.exact(0), Figure::plus));
        });
    }

    private Target added(int most, String name) {
        List<Figure> bytes = run.sizes().stream()
                .filter(row -> row.is("name", name))
                .map(row -> Figure.exact(row.number("bytes_added")))
                .toList();
        return Bar.atMost(most).target(name + ": bytes added to " + Payload.USUAL_SIZE, bytes);
    }

    /** Returns a figure that is never noisy: allocation does not depend on other programs. */
    private Figure bytesPerPayload(Crypto crypto) {
        return Figure.exact(run.find(SEAL, 1, crypto).number("bytes_per_op") / Payload.USUAL_SIZE);
    }

    private Figure rateOfTwoThreads(Crypto crypto) {
        Figure half = time(SEAL, 1, crypto).over(time(SEAL, 2, crypto));
        return half.plus(half);
    }

    private static Target target(Bar bar, String name, Function<Crypto, Figure> figure) {
        return bar.target(
                name, Stream.of(Crypto.JAVA_ONLY, Crypto.NATIVE).map(figure).toList());
    }

    private Figure time(String name, int threads, Crypto crypto) {
        Result row = run.find(name, threads, name.startsWith("peer.") ? Crypto.PEER : crypto);
        return Figure.scattered(MicroReport.micros(row), row.number("spread"));
    }
}
