/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.variant.Payload;

/** An operation that some threads do at the same time; the order of its parameters is that in its name. */
record Row(Result parameters, int threads, Crypto crypto, Depth depth) {
    /**
     * All operations of our own. The first line names the parameters of {@link MicroBenchmark}; each other line stands
     * for all combinations of its values, without those that are a dash.
     */
    private static final String TABLE = """
            operation  quality            keys                          key           size              recipients
            limit.aes256gcm.encrypt,limit.aes256gcm.decrypt       -  -  -  2048,256,20480,204800  -
            limit.ecdsa-p256.sign,limit.ecdsa-p256.verify         -  -  -  2048                   -
            limit.sha512,limit.rsa2048.sign,limit.rsa2048.verify  -  -  -  2048                   -
            seal       INTEGRITY,PRIVACY  0                             P256,RSA2048  2048              1
            seal       CONFIDENTIALITY    0,1,2,4,8,16,32,64,unlimited  P256,RSA2048  2048              1
            open       INTEGRITY,PRIVACY  warm,cold                     P256,RSA2048  2048              1
            open       CONFIDENTIALITY    warm,cold                     P256,RSA2048  2048              1
            seal       CONFIDENTIALITY    32                            P256,RSA2048  256,20480,204800  1
            open       CONFIDENTIALITY    warm                          P256,RSA2048  256,20480,204800  1
            seal       CONFIDENTIALITY    32                            P256,RSA2048  2048              5,20,50
            seal       PRIVACY            0                             P256,RSA2048  2048              5,20,50
            """;

    /** The parameters that a name leaves out. */
    private static final Map<String, String> USUAL = Map.of("size", "" + Payload.USUAL_SIZE, "recipients", "1");

    /** The parameters of each operation by its name, those of P-256 before those of RSA. */
    private static final Map<String, Result> OPERATIONS = operations();

    /** The rows that the targets name, and their limits. */
    private static final String TARGETS = "limit\\.(aes256gcm|ecdsa-p256)\\.[a-z]+"
            + "|seal\\.(integrity|privacy)\\.0\\.p256"
            + "|seal\\.confidentiality\\.(32|unlimited)\\.p256|seal\\.confidentiality\\.32\\.rsa2048"
            + "|open\\.(privacy|confidentiality)\\.warm\\.p256";

    private static final String FRESH_KEYS = "seal\\.confidentiality\\.[01]\\.p256";

    /** A row of each other kind. */
    private static final String OTHER_KINDS = "(?!(" + TARGETS + "|" + FRESH_KEYS + ")$)("
            + "limit\\.[a-z0-9-]+(\\.[a-z]+)?"
            + "|seal\\.(integrity\\.0|privacy\\.0|confidentiality\\.(0|1|32|unlimited))\\.[a-z0-9]+"
            + "|seal\\.confidentiality\\.32\\.p256\\..+"
            + "|open\\.[a-z]+\\.[a-z]+\\.[a-z0-9]+)";

    private static final List<Part> QUICK = List.of(
            new Part(TARGETS, 1, Depth.QUICK, true),
            new Part("seal\\.confidentiality\\.32\\.p256", 2, Depth.QUICK, true),
            new Part(FRESH_KEYS, 1, Depth.QUICK, false),
            new Part(OTHER_KINDS, 1, Depth.SHORT, false));
    private static final List<Part> FULL = List.of(
            new Part(".*", 1, Depth.FULL, true),
            new Part(
                    "limit\\.aes256gcm\\.encrypt|seal\\.(confidentiality\\.32|privacy\\.0)\\.p256",
                    2,
                    Depth.FULL,
                    true));

    /** The rows of peers that the targets name. */
    private static final Set<String> PEERS =
            Set.of("peer.pulsar.seal.32", "peer.aws.seal.32", "peer.aws.open.warm", "peer.bc-cms.seal.0");

    /** A set of providers. */
    enum Crypto {
        /** The JDK and Bouncy Castle. */
        JAVA_ONLY,
        /** The native provider where it has the algorithm. */
        NATIVE,
        /** Those that another system takes. */
        PEER;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * How long a row is measured: iterations of this length in each forked process, or in this process without forks.
     */
    record Depth(int forks, int warmups, int measurements, long millis) {
        /** For rows that no target depends on: in one process, each finds the code of those before it compiled. */
        static final Depth SHORT = new Depth(0, 2, 2, 350);
        /** For rows that a target depends on, in a run of a few minutes. */
        static final Depth QUICK = new Depth(1, 3, 3, 600);
        /** For figures to be published. */
        static final Depth FULL = new Depth(3, 5, 5, 1000);

        /** Returns more iterations for more threads: they leave the compiler no core. */
        int warmups(int threads) {
            return threads == 1 ? warmups : 3 * warmups;
        }

        /** Returns how long a row takes about; a second of each process is for its start, keys and messages. */
        Duration of(int threads) {
            return Duration.ofMillis((warmups(threads) + measurements) * millis + 1000)
                    .multipliedBy(Math.max(1, forks));
        }
    }

    /** The rows whose names match a pattern, by each set of providers or by the better one alone. */
    private record Part(String names, int threads, Depth depth, boolean byEachSet) {
        /** Returns the sets of providers; without the native one its rows would be those of Java alone again. */
        List<Crypto> providers() {
            if (CryptoProviders.standard().accelerated().isEmpty()) {
                return List.of(Crypto.JAVA_ONLY);
            }
            return byEachSet ? List.of(Crypto.JAVA_ONLY, Crypto.NATIVE) : List.of(Crypto.NATIVE);
        }

        Stream<Row> rows(Crypto crypto) {
            return OPERATIONS.values().stream()
                    .map(parameters -> new Row(parameters, threads, crypto, depth))
                    .filter(row -> row.name().matches(names));
        }
    }

    private static Map<String, Result> operations() {
        List<String> lines = TABLE.lines().toList();
        Map<String, Result> operations = new LinkedHashMap<>();
        lines.stream()
                .skip(1)
                .flatMap(line -> combinations(lines.get(0).split(" +", -1), line.split(" +", -1)))
                .sorted(Comparator.comparing(parameters -> parameters.text("key")))
                .forEach(parameters -> operations.put(name(parameters), parameters));
        return operations;
    }

    private static Stream<Result> combinations(String[] names, String[] lists) {
        Stream<Result> combinations = Stream.of(Result.EMPTY);
        for (int i = 0; i < names.length; i++) {
            String name = names[i];
            List<String> values = List.of(lists[i].split(",", -1));
            combinations = combinations.flatMap(
                    before -> values.stream().map(value -> value.equals("-") ? before : before.with(name, value)));
        }
        return combinations;
    }

    /** Returns the parameters of an operation of our own by its name; none of a peer's. */
    static Result parameters(String name) {
        return OPERATIONS.getOrDefault(name, Result.EMPTY);
    }

    /** Returns the rows of our own; of a quick run those of the targets, and one of each other kind. */
    static List<Row> own(boolean quick) {
        return (quick ? QUICK : FULL)
                .stream()
                        .flatMap(part -> part.providers().stream().flatMap(part::rows))
                        .toList();
    }

    /** Returns the rows of peers with these names; of a quick run those of the targets alone. */
    static List<Row> peers(List<String> names, boolean quick) {
        return names.stream()
                .filter(name -> !quick || PEERS.contains(name))
                .map(name -> new Row(Result.EMPTY.with("row", name), 1, Crypto.PEER, quick ? Depth.QUICK : Depth.FULL))
                .toList();
    }

    /** Returns the name in results. */
    String name() {
        return name(parameters);
    }

    /** Returns the values between dots, in lower case; rN for N recipients. */
    static String name(Result parameters) {
        return parameters.json().properties().stream()
                .filter(one -> !one.getValue().asText().equals(USUAL.get(one.getKey())))
                .map(one -> (one.getKey().equals("recipients") ? "r" : "")
                        + one.getValue().asText())
                .collect(Collectors.joining("."))
                .toLowerCase(Locale.ROOT);
    }

    /** Returns the result; its spread is the slowest iteration's time over the fastest one's. NaN is left out. */
    Result measured(double microsPerOp, double bytesPerOp, double spread) {
        return Result.EMPTY
                .with("name", name())
                .with("us_per_op", microsPerOp)
                .with("bytes_per_op", bytesPerOp)
                .with("spread", spread)
                .with("threads", threads)
                .with("crypto", crypto.toString());
    }
}
