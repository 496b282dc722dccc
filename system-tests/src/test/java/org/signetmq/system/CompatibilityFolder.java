/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.awaitility.Awaitility;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.SegmentSealer;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.HiddenProperties;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRenewal;
import org.signetmq.keystore.IdentityRenewal.NextKey;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.HomeReader;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.testkit.BrokerInstance;
import org.signetmq.testkit.Distribution;
import org.signetmq.testkit.Run;

/**
 * Makes the folder of one version that later versions must be able to read: homes, envelopes, a bundle, answers of
 * commands, and the data of a broker. {@code keep-version.sh} runs it before a release.
 *
 * <p>A folder that is released is never made again. Certificates are valid for a hundred years.
 */
final class CompatibilityFolder {
    private static final String PASSWORD = Signet.PASSWORD;

    /** Where {@code CompatibilityIT} and this program let the broker's home and the consumer's home lie. */
    static final String BROKER_HOME = "broker-home";

    static final String CONSUMER_HOME = "consumer-home";

    private static final Duration VALIDITY = Duration.ofDays(36_525);
    static final String TEXT = "Zürich, 100 €\r\n";

    /** The post-quantum keys beside those of ec-p256. */
    private static final String POST_QUANTUM = "ec-p256.pq";

    /** The identities of the home, which else have the name of their key algorithm, and the qualities of each. */
    private static final Map<String, List<String>> QUALITIES = Map.of(
            "ec-p256",
            List.of("integrity", "privacy", "confidentiality", "authenticity"),
            "ec-p384",
            List.of("integrity", "privacy", "confidentiality", "authenticity"),
            "ec-p521",
            List.of("integrity", "privacy", "confidentiality", "authenticity"),
            "rsa-2048",
            List.of("integrity", "privacy", "confidentiality"),
            "rsa-3072",
            List.of("privacy"),
            "ed25519",
            List.of("integrity"),
            POST_QUANTUM,
            List.of("integrity", "privacy", "confidentiality"),
            "ml-dsa-87",
            List.of("confidentiality"));

    private final Path root;
    private final Path work;
    private final Signet signet;
    private final Password password = Password.takeOwnershipOf(PASSWORD.toCharArray());
    private final ObjectMapper json = new ObjectMapper();
    private final ArrayNode envelopes = json.createArrayNode();

    private CompatibilityFolder(Path root) throws IOException {
        this.root = root;
        this.work = Files.createTempDirectory("signet-compatibility-");
        this.signet = new Signet(root);
    }

    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[0]).toAbsolutePath().normalize();
        Files.createDirectories(root);
        CompatibilityFolder folder = new CompatibilityFolder(root);
        folder.makeHome();
        folder.makeEnvelopes();
        folder.makeBundle();
        folder.makeAnswers();
        folder.makeStore();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.toList()) {
                if (file.getFileName().toString().endsWith(".lock")) {
                    Files.delete(file);
                }
            }
        }
    }

    private Run run(String home, String... command) throws IOException {
        return signet.in(home, command).ok();
    }

    private static IdentityStore store(Path home) {
        return new Home(home).identityStore().withValidity(VALIDITY);
    }

    private void create(Path home, String name, KeyAlgorithm algorithm) {
        IdentityStore store = store(home);
        IdentityRequest request = new IdentityRequest(name, "CN=" + name + ",O=Example", algorithm, null);
        if (!algorithm.isMlDsa()) {
            var unused = store.create(request, password);
            return;
        }
        var unused = store.signingOnly().create(request, password);
        unused = store.renewReceiving(
                new IdentityRenewal(name, new NextKey.New(algorithm.receiving()), null, VALIDITY), password);
    }

    /** A home with what a home can hold. */
    private void makeHome() throws IOException {
        Path home = root.resolve("home");
        for (String name : QUALITIES.keySet()) {
            KeyAlgorithm algorithm = KeyAlgorithm.named(name).orElse(KeyAlgorithm.ML_DSA_65);
            create(home, name, algorithm);
        }
        IdentityStore store = store(home);
        var unused = store.createAuthority(
                new IdentityRequest("root", "CN=root,O=Example", KeyAlgorithm.EC_P256, null), password);
        unused = store.create(
                new IdentityRequest("issued", "CN=issued,O=Example", KeyAlgorithm.EC_P256, "root"), password);
        unused = store.create(
                new IdentityRequest("renewed", "CN=renewed,O=Example", KeyAlgorithm.EC_P256, null), password);
        run(
                "home",
                "identity",
                "request",
                "issued",
                "--out",
                work.resolve("issued.csr").toString());
        Files.writeString(home.resolve("trust.json"), """
                {"schema": 1, "least-rsa-bits": 2048, "curves": ["P-256", "P-384", "P-521"],
                 "revocation": {"crl": "files", "fail": "soft"}}
                """);

        for (var entry : QUALITIES.entrySet()) {
            for (String quality : entry.getValue()) {
                set(entry.getKey(), quality, entry.getKey());
            }
        }
        set("renewed", "privacy", "renewed");
        set("referenced", "privacy", "ec-p256", "--certificate", "referenced");
        set("pss", "integrity", "rsa-2048", "--signature-algorithm", "SHA-512-RSA-PSS");
        set("shared", "privacy", "ec-p256", "--signature", "shared");
        set("both", "privacy", "ec-p256", "--require", "both");
        set("issued", "privacy", "issued", "--signer", "CN=issued,O=Example; issuer=root");
        set("hidden", "privacy", "ec-p256", "--hide", "Account");
        set("sender", "privacy", "ec-p256", "--vouching-broker", "ec-p256");
        set("large", "integrity", "ec-p256");
        set("recovered", "confidentiality", "rsa-2048");
        set("large-encrypted", "privacy", "ec-p256");
        set("several", "authenticity", "ec-p256", "--recipient", "issued");
        // the remaining keys of a policy, which are there to be read
        run("home", "policy", "set", "open.#", "--quality", "none");
        run("home", "policy", "set", "tenant.{t}.#", "--quality", "privacy", "--recipient", "{t}-archive");
        run(
                "home",
                "policy",
                "set",
                "prices.*",
                "--quality",
                "integrity",
                "--signer",
                "ec-p256",
                "--signer",
                "CN=rsa-2048,O=Example",
                "--where",
                "client",
                "--replay-window",
                "10m",
                "--tolerate-until",
                "2027-01-31T12:00:00Z",
                "--on-failure",
                "skip",
                "--audit",
                "each");
        run(
                "home",
                "policy",
                "set",
                "cards.#",
                "--quality",
                "confidentiality",
                "--recipient",
                "rsa-2048",
                "--key-reuse",
                "64",
                "--max-key-age",
                "30m",
                "--max-bytes-per-key",
                "512MiB",
                "--extra-recipients",
                "allow",
                "--accept-legacy",
                "--on-failure",
                "quarantine",
                "--quarantine",
                "CARDS.BAD",
                "--where",
                "either");
        run("home", "policy", "set", "unverified", "--quality", "integrity", "--verify", "structure");
        run("home", "policy", "set", "bound", "--quality", "integrity", "--bind-user", "certificate");
        run("home", "policy", "default", "reject");
    }

    /** Sets the policy of an address, which is made of a name and the quality, for a party that sends to itself. */
    private void set(String name, String quality, String party, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of("policy", "set", address(name, quality), "--quality", quality));
        if (!quality.equals("integrity")) {
            command.addAll(List.of("--recipient", party));
        }
        List<String> options = Arrays.asList(more);
        if (!quality.equals("confidentiality") && !options.contains("--signer")) {
            command.addAll(List.of("--signer", party));
        }
        if (quality.equals("authenticity")) {
            command.addAll(List.of("--mutual-trust", "accepted"));
        }
        command.addAll(options);
        run("home", command.toArray(String[]::new));
    }

    private static String address(String name, String quality) {
        return name.replace('.', '-') + "." + quality;
    }

    private static PolicySet policies(Home home) throws IOException {
        return PolicyFile.read(home.policies(), PartyValidator.acceptAll());
    }

    /** The envelopes. */
    private void makeEnvelopes() throws Exception {
        Home home = new Home(root.resolve("home"));
        PolicySet policies = policies(home);
        Files.createDirectories(root.resolve("envelopes"));
        try (HomeReader reader = home.reader();
                Sealer sealer = Sealer.create(reader, reader)) {
            for (var entry : QUALITIES.entrySet()) {
                for (String quality : entry.getValue()) {
                    seal(sealer, policies, entry.getKey(), quality, entry.getKey());
                }
            }
            for (String name : List.of("referenced", "both", "issued", "hidden", "sender", "renewed")) {
                seal(sealer, policies, name, "privacy", party(name));
            }
            seal(sealer, policies, "pss", "integrity", "rsa-2048");
            seal(sealer, policies, "several", "authenticity", "ec-p256");
            shared(sealer, policies);
            large(sealer, policies);
            run("home", "policy", "recovery", "issued");
            seal(sealer, policies(home), "recovered", "confidentiality", "issued");
        }
        // from now on the key that "renewed" had only opens
        IdentityRenewal renewal = new IdentityRenewal("renewed", new NextKey.New(KeyAlgorithm.EC_P384), null, VALIDITY);
        var unused = store(home.root()).renew(renewal, password);
        json.writerWithDefaultPrettyPrinter()
                .writeValue(root.resolve("envelopes.json").toFile(), envelopes);
    }

    private static String party(String name) {
        return switch (name) {
            case "issued", "renewed" -> name;
            default -> "ec-p256";
        };
    }

    private ClearMessage message(String name, String quality, byte[] payload) {
        return switch (name) {
            case "hidden" ->
                new ClearMessage(
                        address(name, quality),
                        ClearMessage.Body.TEXT.deflated(),
                        payload,
                        null,
                        Map.of(
                                HiddenProperties.KEY,
                                HiddenProperties.encode(Map.of("Account", "DE12", "Amount", 12L))));
            case "sender" ->
                new ClearMessage(
                        address(name, quality), ClearMessage.Body.TEXT, payload, "Änne 50%", Map.of("Region", "eu"));
            default -> ClearMessage.of(address(name, quality), ClearMessage.Body.TEXT, payload);
        };
    }

    private void seal(Sealer sealer, PolicySet policies, String name, String quality, String party) throws Exception {
        ClearMessage message = message(name, quality, TEXT.getBytes(UTF_8));
        keep(name, quality, party, sealer.seal(message, policy(policies, name, quality), signer(party)));
    }

    private static EffectivePolicy policy(PolicySet policies, String name, String quality) {
        return policies.find(address(name, quality)).orElseThrow();
    }

    private Identity signer(String party) {
        return store(root.resolve("home")).loadSigner(party, password);
    }

    private void keep(String name, String quality, String party, byte[] envelope) throws IOException {
        String file = address(name, quality) + ".cms";
        Files.write(root.resolve("envelopes").resolve(file), envelope);
        ObjectNode entry = envelopes
                .addObject()
                .put("file", file)
                .put("address", address(name, quality))
                .put("reader", party)
                .put("quality", quality);
        if (!quality.equals("confidentiality")) {
            entry.put("signer", "CN=" + party + ",O=Example");
        }
    }

    /** Of messages that are sealed at the same time one that shares its signature with most others. */
    private void shared(Sealer sealer, PolicySet policies) throws Exception {
        Identity signer = signer("ec-p256");
        int count = 24;
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            CyclicBarrier start = new CyclicBarrier(count);
            Callable<List<byte[]>> work = () -> {
                start.await();
                List<byte[]> sealed = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    ClearMessage message = message("shared", "privacy", TEXT.getBytes(UTF_8));
                    sealed.add(sealer.seal(message, policy(policies, "shared", "privacy"), signer));
                }
                return sealed;
            };
            List<byte[]> all = new ArrayList<>();
            for (Future<List<byte[]>> made : threads.invokeAll(
                    IntStream.range(0, count).mapToObj(i -> work).toList())) {
                all.addAll(made.get());
            }
            List<byte[]> byLength = all.stream()
                    .sorted(Comparator.comparingInt(envelope -> envelope.length))
                    .toList();
            // each further message of the list is one more digest of 32 bytes or more
            if (byLength.get(all.size() - 1).length < byLength.get(0).length + 64) {
                throw new IllegalStateException("no signature was shared; run it again");
            }
            keep("shared", "privacy", "ec-p256", byLength.get(all.size() - 1));
        } finally {
            threads.shutdownNow();
        }
    }

    /** Two segments of a text that a file compresses, and one segment that is encrypted. */
    private void large(Sealer sealer, PolicySet policies) throws Exception {
        byte[] text = new byte[SegmentSealer.SEGMENT_LENGTH + 1000];
        Arrays.fill(text, (byte) 'x');
        byte[] signed = segments(sealer, policies, "large", "integrity", text);
        String file = "large.integrity.cms.gz";
        try (GZIPOutputStream out = new GZIPOutputStream(
                Files.newOutputStream(root.resolve("envelopes").resolve(file)))) {
            out.write(signed);
        }
        envelopes
                .addObject()
                .put("file", file)
                .put("address", "large.integrity")
                .put("reader", "ec-p256")
                .put("quality", "integrity")
                .put("signer", "CN=ec-p256,O=Example")
                .put("length", text.length);
        byte[] encrypted = segments(sealer, policies, "large-encrypted", "privacy", Arrays.copyOf(text, 2000));
        keep("large-encrypted", "privacy", "ec-p256", encrypted);
        ((ObjectNode) envelopes.get(envelopes.size() - 1)).put("length", 2000);
    }

    private byte[] segments(Sealer sealer, PolicySet policies, String name, String quality, byte[] payload)
            throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ClearMessage head = ClearMessage.of(address(name, quality), ClearMessage.Body.BYTES, new byte[0]);
        try (SegmentSealer segments =
                sealer.segments(head, policy(policies, name, quality), signer("ec-p256"), out::write)) {
            segments.add(payload, 0, payload.length);
            segments.finish();
        }
        return out.toByteArray();
    }

    /** A bundle of the home, and a home that took one in. */
    private void makeBundle() throws IOException {
        String bundle = root.resolve("rsa-2048.bundle").toString();
        run(
                "home",
                "bundle",
                "export",
                "--address",
                "rsa-2048.#",
                "--recipient",
                "rsa-2048",
                "--as",
                "ec-p256",
                "--out",
                bundle,
                "--valid-for",
                "825");
        run(
                "bundle-home",
                "bundle",
                "import",
                bundle,
                "--signed-by",
                root.resolve("home/recipients/ec-p256.pem").toString());
        run(
                "home",
                "policy",
                "sign",
                "--as",
                "ec-p521",
                "--out",
                root.resolve("signed-policies.pem").toString());
    }

    /** Answers for programs, of commands that only read. */
    private void makeAnswers() throws IOException {
        ObjectNode answers = json.createObjectNode();
        for (String command : ANSWERS) {
            answers.set(
                    command,
                    json.readTree(run("home", (command + " --json").split(" ")).out()));
        }
        json.writerWithDefaultPrettyPrinter()
                .writeValue(root.resolve("answers.json").toFile(), answers);
    }

    /** Commands whose answers are kept. */
    private static final List<String> ANSWERS = List.of(
            "identity list",
            "identity show renewed",
            "certificate list",
            "certificate list --issued",
            "trust list",
            "policy list",
            "policy explain ec-p256.privacy",
            "policy recovery",
            "doctor home");

    /** The homes and the data of a broker with messages, policies of several versions, quarantine and replay memory. */
    private void makeStore() throws Exception {
        Path broker = root.resolve(BROKER_HOME);
        Path consumer = root.resolve(CONSUMER_HOME);
        create(broker, "broker", KeyAlgorithm.EC_P256);
        create(consumer, "alice", KeyAlgorithm.EC_P256);
        create(consumer, "carol", KeyAlgorithm.EC_P256);
        for (String kind : List.of("recipients", "trust")) {
            Files.copy(consumer.resolve(kind + "/alice.pem"), broker.resolve(kind + "/alice.pem"));
            Files.copy(broker.resolve(kind + "/broker.pem"), consumer.resolve(kind + "/broker.pem"));
        }
        Files.copy(consumer.resolve("trust/carol.pem"), broker.resolve("trust/carol.pem"));
        run(BROKER_HOME, "policy", "set", "orders", "--quality", "privacy", "--recipient", "alice");
        try (BrokerInstance instance = BrokerInstance.create(Distribution.ARTEMIS_2_44, work.resolve("broker"))) {
            install(signet, instance);
            instance.start();
            fill(instance, consumer);
            instance.stop();
            Run.of(
                            instance.folder(),
                            List.of("tar", "czf", root.resolve("data.tar.gz").toString(), "data"))
                    .ok();
        }
    }

    static void install(Signet signet, BrokerInstance instance) throws IOException {
        signet.install(instance, "--admin-role", BrokerInstance.ROLE, "--dead-letter-settings")
                .ok();
    }

    private void fill(BrokerInstance instance, Path consumer) throws Exception {
        ask(
                instance,
                "certificate",
                "add",
                "carol",
                "--in",
                consumer.resolve("recipients/carol.pem").toString());
        ask(instance, "policy", "set", "orders", "--quality", "privacy", "--recipient", "alice", "--hide", "Account");
        ask(instance, "policy", "set", "cards", "--quality", "confidentiality", "--recipient", "carol");
        ask(instance, "policy", "set", "letters", "--quality", "authenticity", "--recipient", "alice");
        ask(
                instance,
                "policy",
                "set",
                "prices",
                "--quality",
                "integrity",
                "--where",
                "client",
                "--replay-window",
                "7d");
        ask(
                instance,
                "policy",
                "export",
                "--out",
                consumer.resolve("policies.json").toString());
        ask(
                instance,
                "policy",
                "export",
                "--out",
                root.resolve("store-policies.json").toString());
        for (ConnectionFactory plain : List.of(
                new ActiveMQConnectionFactory(instance.url()), new JmsConnectionFactory(instance.url("amqp")))) {
            send(plain);
        }
        ActiveMQConnectionFactory large = new ActiveMQConnectionFactory(instance.url() + "?minLargeMessageSize=1024");
        try (JMSContext context = large.createContext(BrokerInstance.USER, BrokerInstance.PASSWORD)) {
            BytesMessage message = context.createBytesMessage();
            message.writeBytes(new byte[5000]);
            context.createProducer().send(context.createQueue("orders"), message);
        }
        ActiveMQConnectionFactory core = new ActiveMQConnectionFactory(instance.url());
        try (Password password = Password.takeOwnershipOf(PASSWORD.toCharArray());
                SignetConnectionFactory alice = SignetConnectionFactory.open(core, consumer, "alice", password);
                JMSContext context = alice.createContext(BrokerInstance.USER, BrokerInstance.PASSWORD)) {
            context.createProducer().send(context.createQueue("prices"), TEXT);
            // alice is no recipient of the cards: her listener puts the first one into the quarantine
            quarantine(context);
        }
        await(() -> ask(instance, "quarantine", "list", "--json").out().contains("not-a-recipient"));
        try (Password password = Password.takeOwnershipOf(PASSWORD.toCharArray());
                SignetConnectionFactory fetching = SignetConnectionFactory.open(core, consumer, "alice", password)
                        .withPoliciesOfBroker();
                JMSContext context = fetching.createContext(BrokerInstance.USER, BrokerInstance.PASSWORD)) {
            context.start();
            await(() -> Files.exists(consumer.resolve("fetched-policies")));
        }
        Files.writeString(
                root.resolve("store-history.json"),
                ask(instance, "policy", "history", "--json").out());
    }

    private static void quarantine(JMSContext context) throws InterruptedException {
        JMSConsumer cards = context.createConsumer(context.createQueue("cards"));
        CountDownLatch came = new CountDownLatch(1);
        cards.setMessageListener(message -> came.countDown());
        // no message comes, and the quarantine has them when the connection ends
        if (came.await(5, TimeUnit.SECONDS)) {
            throw new IllegalStateException("a message for carol opened for alice");
        }
    }

    private static void await(Callable<Boolean> state) throws Exception {
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(state);
    }

    private static void send(ConnectionFactory plain) throws Exception {
        try (JMSContext context = plain.createContext(BrokerInstance.USER, BrokerInstance.PASSWORD)) {
            TextMessage text = context.createTextMessage(TEXT);
            text.setStringProperty("Account", "DE12");
            MapMessage map = context.createMapMessage();
            map.setString("name", TEXT);
            map.setLong("number", 12);
            for (Message message : List.of(text, map)) {
                context.createProducer().send(context.createQueue("orders"), message);
            }
            context.createProducer().send(context.createQueue("letters"), TEXT);
            context.createProducer().send(context.createQueue("cards"), TEXT);
        }
    }

    private Run ask(BrokerInstance instance, String... command) throws IOException {
        return run(
                BROKER_HOME,
                Stream.concat(Stream.of(command), Stream.of("--broker", instance.url(), "--user", BrokerInstance.USER))
                        .toArray(String[]::new));
    }
}
