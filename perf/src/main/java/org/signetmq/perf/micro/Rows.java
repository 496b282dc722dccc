/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.perf.micro.Row.Crypto;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Payload;

/** The rows that are measured. Each line of a list stands for all combinations of the benchmark parameters in it. */
final class Rows {
    private static final String LIMITS = """
            aes256gcm.encrypt,aes256gcm.decrypt,ecdsa-p256.sign,ecdsa-p256.verify  2048
            sha512,rsa2048.sign,rsa2048.verify                                     2048
            """;
    private static final String OTHER_LIMITS = """
            aes256gcm.encrypt,aes256gcm.decrypt  256,20480,204800
            """;

    private static final String ENVELOPES = """
            seal       INTEGRITY,PRIVACY                  0                             KEY  2048              1
            seal       CONFIDENTIALITY                    0,1,2,4,8,16,32,64,unlimited  KEY  2048              1
            warm,cold  INTEGRITY,PRIVACY,CONFIDENTIALITY  32                            KEY  2048              1
            seal,warm  CONFIDENTIALITY                    32                            KEY  256,20480,204800  1
            seal       CONFIDENTIALITY                    32                            KEY  2048              5,20,50
            seal       PRIVACY                            0                             KEY  2048              5,20,50
            """;

    /** The rows that the targets name, and their limits. */
    private static final String TARGETS = """
            seal       CONFIDENTIALITY    32            P256,RSA2048  2048  1
            warm       CONFIDENTIALITY    32            P256          2048  1
            seal       PRIVACY            0             P256          2048  1
            warm       PRIVACY            32            P256          2048  1
            seal       INTEGRITY          0             P256          2048  1
            seal       CONFIDENTIALITY    unlimited     P256          2048  1
            """;

    private static final String FRESH_KEYS = """
            seal       CONFIDENTIALITY    0,1           P256          2048  1
            """;
    private static final String OTHER_KINDS = """
            seal       INTEGRITY,PRIVACY                  0                 P256,RSA2048  2048              1
            seal       CONFIDENTIALITY                    0,1,32,unlimited  P256,RSA2048  2048              1
            warm,cold  INTEGRITY,PRIVACY,CONFIDENTIALITY  32                P256,RSA2048  2048              1
            seal       CONFIDENTIALITY                    32                P256          256,20480,204800  1
            seal       CONFIDENTIALITY                    32                P256          2048              5,20,50
            """;

    /** The rows of peers that the targets name. */
    private static final Set<String> PEERS =
            Set.of("peer.pulsar.seal.32", "peer.aws.seal.32", "peer.aws.open.warm", "peer.bc-cms.seal.0");

    /** How long a row is measured. */
    enum Depth {
        /**
         * For rows that no target depends on: in one process, so that each finds the code of those before it compiled.
         */
        SHORT(0, 2, 2, Duration.ofMillis(350)),
        /** For rows that a target depends on, in a run of a few minutes. */
        QUICK(1, 3, 3, Duration.ofMillis(600)),
        /** For figures to be published. */
        FULL(3, 5, 5, Duration.ofSeconds(1));

        final int forks;
        final int measurements;
        final Duration iteration;
        private final int warmups;

        Depth(int forks, int warmups, int measurements, Duration iteration) {
            this.forks = forks;
            this.warmups = warmups;
            this.measurements = measurements;
            this.iteration = iteration;
        }

        /** Returns more iterations for more threads: they leave the compiler no core. */
        int warmups(int threads) {
            return threads == 1 ? warmups : 3 * warmups;
        }

        /** Returns how long a row takes about; a second of each process is for its start, keys and messages. */
        Duration of(int threads) {
            Duration iterations = iteration.multipliedBy(warmups(threads) + measurements);
            return iterations.plusSeconds(1).multipliedBy(Math.max(1, forks));
        }
    }

    /** Rows that are measured for as long. */
    record Planned(Depth depth, List<Row> rows) {}

    private Rows() {}

    private static List<Row> limits(String lists) {
        return combinations(lists, List.of("primitive", "size"));
    }

    private static List<Row> envelopes(String lists) {
        return combinations(lists, List.of("operation", "quality", "reuse", "key", "size", "recipients"));
    }

    private static List<Row> combinations(String lists, List<String> parameters) {
        List<Row> rows = new ArrayList<>();
        for (String line : lists.lines().toList()) {
            List<Map<String, String>> combinations = List.of(Map.of());
            for (int i = 0; i < parameters.size(); i++) {
                String parameter = parameters.get(i);
                String[] values = line.strip().split(" +", -1)[i].split(",", -1);
                combinations = combinations.stream()
                        .flatMap(before -> Stream.of(values).map(value -> {
                            Map<String, String> one = new HashMap<>(before);
                            one.put(parameter, value);
                            return one;
                        }))
                        .toList();
            }
            combinations.forEach(one -> rows.add(new Row(name(one), one, 1, Crypto.NATIVE)));
        }
        return rows;
    }

    /** Returns words between dots, the last ones the size unless it is usual, and rN for N recipients unless one. */
    private static String name(Map<String, String> of) {
        String operation = of.getOrDefault("operation", "");
        String name = switch (operation) {
            case "" -> "limit." + of.get("primitive");
            case "seal" -> "seal." + of.get("quality") + "." + of.get("reuse") + "." + of.get("key");
            default -> "open." + of.get("quality") + "." + operation + "." + of.get("key");
        };
        String size = "." + of.get("size");
        String recipients = ".r" + of.getOrDefault("recipients", "1");
        return name.toLowerCase(Locale.ROOT)
                + (size.equals("." + Payload.USUAL_SIZE) ? "" : size)
                + (recipients.equals(".r1") ? "" : recipients);
    }

    /** Returns the sets of providers; without the native one its rows would be those of Java alone again. */
    private static List<Crypto> own() {
        boolean isNative = CryptoProviders.standard().accelerated().isPresent();
        return isNative ? List.of(Crypto.JAVA_ONLY, Crypto.NATIVE) : List.of(Crypto.JAVA_ONLY);
    }

    /** Returns all rows of our own. */
    static List<Planned> full() {
        List<Row> all = new ArrayList<>(limits(LIMITS));
        for (KeyKind key : KeyKind.values()) {
            all.addAll(envelopes(ENVELOPES.replace("KEY", key.name())));
        }
        all.addAll(limits(OTHER_LIMITS));
        Set<String> byTwo = Set.of("limit.aes256gcm.encrypt", "seal.confidentiality.32.p256", "seal.privacy.0.p256");
        List<Row> rows = new ArrayList<>();
        for (Crypto crypto : own()) {
            all.forEach(row -> rows.add(row.by(1, crypto)));
            all.stream().filter(row -> byTwo.contains(row.name())).forEach(row -> rows.add(row.by(2, crypto)));
        }
        return List.of(new Planned(Depth.FULL, rows));
    }

    /** Returns the rows of the targets by each set of providers, and a row of each other kind by the better set. */
    static List<Planned> quick() {
        List<Row> targets = new ArrayList<>(limits(LIMITS).subList(0, 4));
        targets.addAll(envelopes(TARGETS));
        Row byTwo = targets.get(4);
        List<Row> rows = new ArrayList<>();
        for (Crypto crypto : own()) {
            targets.forEach(row -> rows.add(row.by(1, crypto)));
            rows.add(byTwo.by(2, crypto));
        }
        Crypto better = own().get(own().size() - 1);
        envelopes(FRESH_KEYS).forEach(row -> rows.add(row.by(1, better)));

        Set<String> named = rows.stream().map(Row::name).collect(Collectors.toSet());
        List<Row> others = Stream.concat(limits(LIMITS).stream(), envelopes(OTHER_KINDS).stream())
                .filter(row -> !named.contains(row.name()))
                .map(row -> row.by(1, better))
                .toList();
        return List.of(new Planned(Depth.QUICK, rows), new Planned(Depth.SHORT, others));
    }

    /** Returns the rows of peers with these names; of a quick run those of the targets alone. */
    static Planned peers(List<String> names, boolean quick) {
        List<Row> rows = names.stream()
                .filter(name -> !quick || PEERS.contains(name))
                .map(name -> new Row(name, Map.of(), 1, Crypto.PEER))
                .toList();
        return new Planned(quick ? Depth.QUICK : Depth.FULL, rows);
    }
}
