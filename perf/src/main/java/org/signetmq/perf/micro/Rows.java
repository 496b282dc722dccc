/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.perf.micro.Row.Crypto;
import org.signetmq.perf.micro.Row.Depth;
import org.signetmq.perf.result.Result;

/** The rows that are measured. */
final class Rows {
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

    /** The parameters of each operation by its name, those of P-256 before those of RSA. */
    private static final Map<String, Result> OPERATIONS = operations();

    private static final String BY_TWO_THREADS =
            "limit\\.aes256gcm\\.encrypt|seal\\.confidentiality\\.32\\.p256|seal\\.privacy\\.0\\.p256";

    /** The rows that the targets name, and their limits. */
    private static final String TARGETS = "limit\\.(aes256gcm|ecdsa-p256)\\.[a-z]+"
            + "|seal\\.(integrity|privacy)\\.0\\.p256"
            + "|seal\\.confidentiality\\.(32|unlimited)\\.p256|seal\\.confidentiality\\.32\\.rsa2048"
            + "|open\\.(privacy|confidentiality)\\.warm\\.p256";

    private static final String FRESH_KEYS = "seal\\.confidentiality\\.[01]\\.p256";

    /** Other kinds of rows, with those above among them. */
    private static final String KINDS = "limit\\.[a-z0-9-]+(\\.[a-z]+)?"
            + "|(seal\\.(integrity|privacy)\\.0|seal\\.confidentiality\\.(0|1|32|unlimited)|open\\.[a-z]+\\.[a-z]+)"
            + "\\.(p256|rsa2048)"
            + "|seal\\.confidentiality\\.32\\.p256\\..+";

    /** The rows of peers that the targets name. */
    private static final Set<String> PEERS =
            Set.of("peer.pulsar.seal.32", "peer.aws.seal.32", "peer.aws.open.warm", "peer.bc-cms.seal.0");

    private Rows() {}

    private static Map<String, Result> operations() {
        List<String> lines = TABLE.lines().toList();
        Map<String, Result> operations = new LinkedHashMap<>();
        lines.stream()
                .skip(1)
                .flatMap(line -> combinations(lines.get(0).split(" +", -1), line.split(" +", -1)))
                .sorted(Comparator.comparing(parameters -> parameters.text("key")))
                .forEach(parameters -> operations.put(Row.name(parameters), parameters));
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

    private static Stream<Row> rows(String names, int threads, Crypto crypto, Depth depth) {
        return OPERATIONS.entrySet().stream()
                .filter(operation -> operation.getKey().matches(names))
                .map(operation -> new Row(operation.getValue(), threads, crypto, depth));
    }

    /** Returns the sets of providers; without the native one its rows would be those of Java alone again. */
    private static List<Crypto> own() {
        boolean isNative = CryptoProviders.standard().accelerated().isPresent();
        return isNative ? List.of(Crypto.JAVA_ONLY, Crypto.NATIVE) : List.of(Crypto.JAVA_ONLY);
    }

    /** Returns all rows of our own. */
    static List<Row> full() {
        return own().stream()
                .flatMap(crypto ->
                        Stream.concat(rows(".*", 1, crypto, Depth.FULL), rows(BY_TWO_THREADS, 2, crypto, Depth.FULL)))
                .toList();
    }

    /** Returns the rows of the targets by each set of providers, and a row of each other kind by the better set. */
    static List<Row> quick() {
        List<Row> rows = new ArrayList<>();
        for (Crypto crypto : own()) {
            rows(TARGETS, 1, crypto, Depth.QUICK).forEach(rows::add);
            rows("seal\\.confidentiality\\.32\\.p256", 2, crypto, Depth.QUICK).forEach(rows::add);
        }
        Crypto better = own().get(own().size() - 1);
        rows(FRESH_KEYS, 1, better, Depth.QUICK).forEach(rows::add);
        rows(KINDS, 1, better, Depth.SHORT)
                .filter(row -> !row.name().matches(TARGETS + "|" + FRESH_KEYS))
                .forEach(rows::add);
        return rows;
    }

    /** Returns the rows of peers with these names; of a quick run those of the targets alone. */
    static List<Row> peers(List<String> names, boolean quick) {
        return names.stream()
                .filter(name -> !quick || PEERS.contains(name))
                .map(name -> new Row(Result.EMPTY.with("row", name), 1, Crypto.PEER, quick ? Depth.QUICK : Depth.FULL))
                .toList();
    }
}
