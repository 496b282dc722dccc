/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.activemq.artemis.utils.FileUtil;
import org.signetmq.envelope.EnvelopeCheck;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.PregenerationSettings;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.perf.pair.Load;
import org.signetmq.perf.pair.Setting;
import org.signetmq.perf.pair.Setting.KeyKind;
import org.signetmq.perf.pair.Setting.Protection;
import org.signetmq.perf.process.Runner;
import org.signetmq.perf.result.Row;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;

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
            limit.p256.agree                                      -  -  -  2048                   -
            limit.mldsa65.sign,limit.mldsa65.verify,limit.mldsa87.sign,limit.mldsa87.verify  -  -  -  2048  -
            limit.mlkem768.encapsulate,limit.mlkem768.decapsulate     -  -  -  2048               -
            limit.mlkem1024.encapsulate,limit.mlkem1024.decapsulate   -  -  -  2048               -
            limit.sha512,limit.rsa2048.sign,limit.rsa2048.verify  -  -  -  2048                   -
            seal       INTEGRITY,PRIVACY  0                             P256,RSA2048  2048              1
            seal       CONFIDENTIALITY    0,1,2,4,8,16,32,64,unlimited  P256,RSA2048  2048              1
            seal       AUTHENTICITY       32                            P256          2048              1
            seal       INTEGRITY_SHARED,PRIVACY_SHARED  0               P256          2048              1
            open       INTEGRITY,PRIVACY  warm,cold                     P256,RSA2048  2048              1
            open       CONFIDENTIALITY    warm,cold                     P256,RSA2048  2048              1
            open       AUTHENTICITY       warm,cold                     P256          2048              1
            open       INTEGRITY_SHARED,PRIVACY_SHARED  warm            P256          2048              1
            check      INTEGRITY,CONFIDENTIALITY  warm                  P256,RSA2048  2048              1
            seal       CONFIDENTIALITY    32                            P256,RSA2048  256,20480,204800  1
            open       CONFIDENTIALITY    warm                          P256,RSA2048  256,20480,204800  1
            seal       CONFIDENTIALITY    32                            P256,RSA2048  2048              5,20,50
            seal       INTEGRITY,PRIVACY  0                             PQ,HYBRID     2048              1
            seal       CONFIDENTIALITY    0,32                          PQ,HYBRID     2048              1
            open,check INTEGRITY,CONFIDENTIALITY  warm                  PQ,HYBRID     2048              1
            open       PRIVACY            warm,cold                     PQ,HYBRID     2048              1
            open       INTEGRITY,CONFIDENTIALITY  cold                  PQ,HYBRID     2048              1
            """;
    /** The parameters that a name leaves out. */
    private static final Map<String, String> USUAL = Map.of("size", "2048", "recipients", "1");
    /** The operations of a first look: those that bars name, and one of each other kind. */
    private static final String QUICK = "limit\\.[a-z0-9]+(\\.[a-z]+)?"
            + "|seal\\.(integrity|privacy)\\.0\\.(p256|rsa2048)"
            + "|seal\\.(confidentiality|authenticity)\\.(0|1|32|unlimited)\\.(p256|rsa2048)"
            + "|(open|check)\\.[a-z]+\\.warm\\.(p256|rsa2048)";

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
                for (String value : lists.get(i).split(",", -1)) {
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
                .replace('_', '.')
                .toLowerCase(Locale.ROOT);
    }

    /** A producer, its recipients and a policy, in a home of their own. All of them are the product's own code. */
    static final class ProducerAndRecipients implements AutoCloseable {
        static final String ADDRESS = "orders.eu";

        /** Signatures of elliptic curves differ by some bytes: the longest envelope of this number counts. */
        private static final int SIZED_ENVELOPES = 64;

        private final Path folder = Files.createTempDirectory("signet-perf");
        private final Home home = new Home(folder);
        private final RecipientDirectory directory = home.recipientDirectory();
        private final CertificateTrust trust = home.certificateTrust();
        private final Identity producer;
        private final List<List<Identity>> recipients;
        private final PolicySet policies;

        /** Makes all of them, with this number of recipients. */
        ProducerAndRecipients(Setting setting, int count, CertificateInclusion certificate) throws IOException {
            producer = identity(home, "producer", setting.key()).get(0);
            List<String> names = IntStream.rangeClosed(1, count)
                    .mapToObj(i -> "recipient-" + i)
                    .toList();
            recipients = names.stream()
                    .map(name -> identity(home, name, setting.key()))
                    .toList();
            Policy policy = setting.policy(ADDRESS, names, producer.name());
            Policy.Signing signing = policy.signing();
            policies = PolicySet.of(
                    17,
                    UnmatchedAddress.PASS,
                    List.of(policy.with(new Policy.Signing(
                            signing.algorithm(),
                            signing.signers(),
                            certificate,
                            signing.brokers(),
                            signing.sharing()))));
        }

        /** Makes the identities of this name in a home, and returns all their keys. */
        static List<Identity> identity(Home home, String name, KeyKind kind) {
            try (Password password = Password.takeOwnershipOf("benchmark".toCharArray())) {
                kind.create(home, name, "", password);
                return kind.load(home, name, password);
            }
        }

        Sealer sealer(PregenerationSettings settings) {
            return Sealer.create(directory, trust, Clock.systemUTC(), settings);
        }

        Supplier<byte[]> sealing(Sealer sealer, byte[] payload) {
            ClearMessage.Body body = new ClearMessage.Body(BodyKind.JMS_BYTES, "application/octet-stream");
            ClearMessage message = new ClearMessage(ADDRESS, body, payload, "alice", Map.of());
            EffectivePolicy policy = policies.find(ADDRESS).orElseThrow();
            return () -> sealer.seal(message, policy, producer);
        }

        /** Returns an opener with the keys of this number of recipients; without keys it opens what is only signed. */
        Opener opener(int keys) {
            List<Identity> readers =
                    recipients.subList(0, keys).stream().flatMap(List::stream).toList();
            return Opener.create(new Opener.Keys(readers, directory, trust), () -> policies);
        }

        /** Returns a broker's check of the next of these envelopes. */
        Supplier<Boolean> checking(Supplier<byte[]> envelopes) {
            EnvelopeCheck check = EnvelopeCheck.create(directory, trust, CryptoProviders.standard());
            EffectivePolicy policy = policies.find(ADDRESS).orElseThrow();
            return () -> {
                check.require(envelopes.get(), ADDRESS, policy, (sender, signer) -> sender.equals("alice"));
                return true;
            };
        }

        /** Measures how many bytes sealing adds to the usual payload, for one recipient. */
        static void addBytes(Runner runner) throws InterruptedException {
            for (KeyKind key : KeyKind.values()) {
                addBytes(runner, Setting.confidentiality(key), CertificateInclusion.INCLUDED);
                for (CertificateInclusion certificate : CertificateInclusion.values()) {
                    for (Protection signed : List.of(Protection.INTEGRITY, Protection.PRIVACY)) {
                        addBytes(runner, Setting.of(signed, "", key), certificate);
                    }
                }
                if (key != KeyKind.RSA2048) {
                    addBytes(runner, Setting.of(Protection.INTEGRITY_SHARED, "", key), CertificateInclusion.REFERENCED);
                    addBytes(runner, Setting.of(Protection.PRIVACY_SHARED, "", key), CertificateInclusion.REFERENCED);
                }
            }
            Setting authenticity = Setting.of(Protection.AUTHENTICITY, "32", KeyKind.P256);
            addBytes(runner, authenticity, CertificateInclusion.INCLUDED);
        }

        private static void addBytes(Runner runner, Setting setting, CertificateInclusion certificate)
                throws InterruptedException {
            boolean signs = setting.protection().quality().orElseThrow().signs();
            String name = setting.label() + (signs ? " " + certificate.label() : "");
            runner.part("size of " + name, () -> {
                int added = longest(setting, certificate) - Load.USUAL_SIZE;
                runner.add(Row.of("part", "size").with(Runner.SETTING, name).with("bytes_added", added));
            });
        }

        /** Returns the length of the longest envelope. Many threads seal at once: that fills shared signatures. */
        private static int longest(Setting setting, CertificateInclusion certificate) throws Exception {
            ExecutorService threads =
                    Executors.newFixedThreadPool(setting.protection().sharesSignatures() ? 32 : 1);
            try (ProducerAndRecipients parties = new ProducerAndRecipients(setting, 1, certificate);
                    Sealer sealer = parties.sealer(PregenerationSettings.of(Map.of()))) {
                Supplier<byte[]> sealing = parties.sealing(sealer, Load.payload(Load.USUAL_SIZE));
                int longest = 0;
                for (Future<byte[]> envelope :
                        threads.invokeAll(Collections.nCopies(SIZED_ENVELOPES, (Callable<byte[]>) sealing::get))) {
                    longest = Math.max(longest, envelope.get().length);
                }
                return longest;
            } finally {
                threads.shutdownNow();
            }
        }

        @Override
        public void close() {
            FileUtil.deleteDirectory(folder.toFile());
        }
    }
}
