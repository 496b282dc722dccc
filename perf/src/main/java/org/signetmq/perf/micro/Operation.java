/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A single operation that is measured.
 *
 * @param parameters of {@link MicroBenchmark}, in the order in which they stand in the name
 */
record Operation(Map<String, String> parameters) {
    /**
     * All operations of our own. The first line names the parameters; each other line stands for all combinations of
     * its values, without those that are a dash.
     */
    private static final String TABLE = """
            operation  quality            keys                          key           size              recipients
            limit.aes256gcm.encrypt,limit.aes256gcm.decrypt       -  -  -  2048,256,20480,204800  -
            limit.p256.sign,limit.p256.verify                     -  -  -  2048                   -
            limit.sha512,limit.rsa2048.sign,limit.rsa2048.verify  -  -  -  2048                   -
            seal       INTEGRITY,PRIVACY  0                             P256,RSA2048  2048              1
            seal       CONFIDENTIALITY    0,1,2,4,8,16,32,64,unlimited  P256,RSA2048  2048              1
            open       INTEGRITY,PRIVACY  warm,cold                     P256,RSA2048  2048              1
            open       CONFIDENTIALITY    warm,cold                     P256,RSA2048  2048              1
            seal       CONFIDENTIALITY    32                            P256,RSA2048  256,20480,204800  1
            open       CONFIDENTIALITY    warm                          P256,RSA2048  256,20480,204800  1
            seal       CONFIDENTIALITY    32                            P256,RSA2048  2048              5,20,50
            """;
    /** The parameters that a name leaves out. */
    private static final Map<String, String> USUAL = Map.of("size", "2048", "recipients", "1");
    /** The operations of a first look: those that bars name, and one of each other kind. */
    private static final String QUICK = "limit\\.[a-z0-9]+(\\.[a-z]+)?"
            + "|seal\\.(integrity|privacy)\\.0\\.[a-z0-9]+"
            + "|seal\\.confidentiality\\.(0|1|32|unlimited)\\.[a-z0-9]+"
            + "|open\\.[a-z]+\\.warm\\.[a-z0-9]+";

    /** Returns all operations of our own; of a quick run some. */
    static List<Operation> own(boolean quick) {
        List<String> lines = TABLE.lines().toList();
        List<String> names = List.of(lines.get(0).split(" +"));
        return lines.stream()
                .skip(1)
                .flatMap(line -> combinations(names, List.of(line.split(" +"))))
                .filter(operation -> !quick || operation.name().matches(QUICK))
                .toList();
    }

    private static Stream<Operation> combinations(List<String> names, List<String> lists) {
        List<Map<String, String>> all = List.of(Map.of());
        for (int i = 0; i < names.size(); i++) {
            List<Map<String, String>> longer = new ArrayList<>();
            for (Map<String, String> before : all) {
                for (String value : lists.get(i).split(",")) {
                    Map<String, String> next = new LinkedHashMap<>(before);
                    if (!value.equals("-")) {
                        next.put(names.get(i), value);
                    }
                    longer.add(next);
                }
            }
            all = longer;
        }
        return all.stream().map(Operation::new);
    }

    /** Returns an operation of another system. */
    static Operation ofPeer(String name) {
        return new Operation(Map.of("row", name));
    }

    boolean isOfPeer() {
        return parameters.containsKey("row");
    }

    /** Returns the values between dots, in lower case; rN for N recipients. */
    String name() {
        return parameters.entrySet().stream()
                .filter(one -> !one.getValue().equals(USUAL.get(one.getKey())))
                .map(one -> (one.getKey().equals("recipients") ? "r" : "") + one.getValue())
                .collect(Collectors.joining("."))
                .toLowerCase(Locale.ROOT);
    }
}
