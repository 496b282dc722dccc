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
public final class MicroTargets {
    private static final String SEAL = "seal.confidentiality.32.p256";

    private final List<Result> rows;
    private final List<Result> sizes;

    private MicroTargets(List<Result> rows, List<Result> sizes) {
        this.rows = rows;
        this.sizes = sizes;
    }

    /** Returns all targets against these rows of JSON and the sizes beside them. */
    public static List<Target> of(List<Result> rows, List<Result> sizes) {
        return new MicroTargets(rows, sizes).targets();
    }

    private List<Target> targets() {
        List<Target> targets = new ArrayList<>(List.of(
                times(4, SEAL, "limit.aes256gcm.encrypt"),
                times(1, SEAL, "peer.pulsar.seal.32"),
                times(5, "seal.confidentiality.32.rsa2048", "limit.aes256gcm.encrypt"),
                times(4, "open.confidentiality.warm.p256", "limit.aes256gcm.decrypt"),
                target(Bar.atMost(3), SEAL + " bytes/op / payload", crypto -> {
                    // allocation does not depend on other programs, so it is never noisy
                    return Figure.exact(find(SEAL, 1, crypto).number("bytes_per_op") / Payload.USUAL_SIZE);
                }),
                times(1.4, "seal.privacy.0.p256", "limit.ecdsa-p256.sign", "limit.aes256gcm.encrypt"),
                times(1.3, "open.privacy.warm.p256", "limit.ecdsa-p256.verify", "limit.aes256gcm.decrypt"),
                times(1.3, "seal.integrity.0.p256", "limit.ecdsa-p256.sign"),
                added(550, "size.confidentiality.p256"),
                added(1000, "size.privacy.referenced.p256"),
                added(1350, "size.privacy.included.p256"),
                target(Bar.atLeast(1.8), SEAL + ": rate of two threads / of one", crypto -> {
                    Figure half = time(SEAL, 1, crypto).over(time(SEAL, 2, crypto));
                    return half.plus(half);
                })));
        for (KeyKind key : KeyKind.values()) {
            addOfKey(key.label(), targets);
        }
        return targets;
    }

    private void addOfKey(String key, List<Target> targets) {
        String seal = "seal.confidentiality.%s." + key;
        String open = "open.confidentiality.warm." + key;
        String row = seal.formatted("32");
        targets.add(target(
                Bar.atLeast(0.99),
                row + ": rate / unlimited's",
                crypto -> time(seal.formatted("unlimited"), 1, crypto).over(time(row, 1, crypto))));
        for (String reuse : List.of("1", "32", "unlimited")) {
            targets.add(times(1 / 10.0, seal.formatted(reuse), "peer.aws.seal." + reuse));
        }
        targets.add(times(1 / 10.0, open, "peer.aws.open.warm"));
        for (String reuse : List.of("0", "1", "32", "unlimited")) {
            targets.add(times(1 / 20.0, seal.formatted(reuse), "peer.bc-cms.seal.0"));
        }
        targets.add(times(1 / 20.0, open, "peer.bc-cms.open.warm"));
    }

    /** Returns a target: the time is at most this multiple of the time of other rows together. */
    private Target times(double most, String row, String... others) {
        return target(
                Bar.atMost(most),
                row + " / " + String.join(" + ", others),
                crypto -> time(row, 1, crypto)
                        .over(Stream.of(others)
                                .map(other -> time(other, 1, crypto))
                                .reduce(Figure.exact(0), Figure::plus)));
    }

    private Target added(int most, String name) {
        List<Figure> bytes = sizes.stream()
                .filter(row -> row.is("name", name))
                .map(row -> Figure.exact(row.number("bytes_added")))
                .toList();
        return Bar.atMost(most).target(name + ": bytes added to " + Payload.USUAL_SIZE, bytes);
    }

    private static Target target(Bar bar, String name, Function<Crypto, Figure> figure) {
        return bar.target(
                name, Stream.of(Crypto.JAVA_ONLY, Crypto.NATIVE).map(figure).toList());
    }

    private Figure time(String name, int threads, Crypto crypto) {
        Result row = find(name, threads, name.startsWith("peer.") ? Crypto.PEER : crypto);
        return Figure.scattered(row.number("us_per_op"), row.number("spread"));
    }

    private Result find(String name, int threads, Crypto crypto) {
        return rows.stream()
                .filter(row -> row.is("name", name) && row.is("threads", threads) && row.is("crypto", crypto))
                .findFirst()
                .orElse(Result.EMPTY);
    }
}
