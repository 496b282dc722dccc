/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.management.QueueControl;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.Toleration;
import org.signetmq.testkit.Openssl;
import org.signetmq.testkit.RecordingLogs;
import org.signetmq.testkit.Tier;

/** Messages of CMS that stock openssl makes, at addresses whose policies they do not satisfy. */
final class PartnerEnvelopeIT {
    private static final int MEGABYTE = 1 << 20;
    private static final String TO_RSA = "recipient.pem";

    @TempDir
    private static Path folder;

    private static Openssl openssl;
    private static TestHomes homes;
    private static TestBroker broker;
    private static QueueReader reader;
    private static PolicySet set;

    /** An envelope by its options, the address that it is sent to, and words of the reason. */
    private record Bad(String address, String reason, String options) {}

    private static final String GCM = "-encrypt -aes-256-gcm ";
    private static final String OAEP = GCM + "-recip recipient.pem -keyopt rsa_padding_mode:oaep";
    private static final String SHA256 = " -keyopt ecdh_kdf_md:sha256";
    private static final String SIGN = "-sign -nodetach -md ";
    private static final String PARTNER = " -signer partner.pem -inkey partner.key";
    private static final String KEY = "00112233445566778899aabbccddeeff";

    private static final List<Bad> BAD = List.of(
            new Bad("rsa", "RSA PKCS#1 v1.5", GCM + "-recip recipient.pem"),
            new Bad("rsa", "RSA OAEP with SHA-1", OAEP),
            new Bad("rsa", "RSA OAEP with SHA-384", OAEP + " -keyopt rsa_oaep_md:sha384"),
            new Bad("ec", "key derivation with SHA-1", GCM + "-recip consumer.pem"),
            new Bad("ec", "other recipients than those of policy", GCM + "-recip broker.pem" + SHA256),
            new Bad("ec", "AES-256-CBC", "-encrypt -aes-256-cbc -recip consumer.pem" + SHA256),
            new Bad("ec", "a key that Signet does not know", GCM + "-secretkey " + KEY + " -secretkeyid 01"),
            new Bad("rsa", "CBC", "-encrypt -des3 -recip recipient.pem"),
            new Bad("rsa", "AES-256-CBC", "-EncryptedData_encrypt -aes256 -secretkey " + KEY + KEY),
            new Bad("rsa", "DigestedData", "-digest_create"),
            new Bad("rsa", "Data, which protects nothing", "-data_create"),
            new Bad("rsa", "quality integrity where policy", SIGN + "sha512" + PARTNER),
            new Bad("signed", "made with SHA-256", SIGN + "sha256" + PARTNER),
            new Bad("signed", "entity:", SIGN + "sha512" + PARTNER),
            new Bad("signed", "unsupported digest", SIGN + "sha1" + PARTNER),
            new Bad("signed", "CN=stranger", SIGN + "sha512 -signer stranger.pem -inkey stranger.key"),
            new Bad("signed", "encrypted where policy", GCM + "-recip consumer.pem" + SHA256));

    @BeforeAll
    static void start() throws Exception {
        RecordingLogs.forget();
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        homes = setup.homes();
        openssl = new Openssl(Files.createDirectory(folder.resolve("openssl")));
        try (Password password = Password.fromFile(homes.passwordFile)) {
            Identity unused = homes.consumer
                    .identityStore()
                    .create(new IdentityRequest("recipient", "CN=recipient", KeyAlgorithm.RSA_2048, null), password);
        }
        for (String name : List.of("recipient", "consumer")) {
            Path certificate = homes.consumer.recipients().resolve(name + ".pem");
            Files.copy(certificate, openssl.folder().resolve(name + ".pem"));
        }
        Files.copy(
                homes.consumer.recipients().resolve("recipient.pem"),
                homes.broker.recipients().resolve("recipient.pem"));
        Files.copy(
                homes.consumer.trust().resolve("recipient.pem"),
                homes.broker.trust().resolve("recipient.pem"));
        Files.copy(
                homes.broker.recipients().resolve("broker.pem"),
                openssl.folder().resolve("broker.pem"));
        for (String name : List.of("partner", "stranger")) {
            openssl.line("req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=" + name + " -keyout " + name
                    + ".key -out " + name + ".pem -addext keyUsage=critical,digitalSignature"
                    + " -addext basicConstraints=critical,CA:FALSE");
        }
        Files.copy(openssl.folder().resolve("partner.pem"), homes.broker.trust().resolve("partner.pem"));
        List<Policy> policies = new ArrayList<>();
        for (SealingPlace place : SealingPlace.values()) {
            for (Policy policy : List.of(
                    Policy.confidentiality("rsa", List.of("recipient"), KeyLimits.DEFAULT),
                    Policy.privacy("ec", List.of("consumer")),
                    Policy.integrity("signed"))) {
                policies.add(new Policy(
                        place.label() + "." + policy.pattern(),
                        policy.quality(),
                        policy.signing(),
                        policy.encryption(),
                        new Policy.Acceptance(Toleration.ENFORCE, place)));
            }
        }
        set = homes.policies(1, policies.toArray(Policy[]::new));
        broker = setup.start();
        reader = new QueueReader(broker);
        for (Policy policy : policies) {
            reader.queue(policy.pattern());
        }
    }

    @AfterAll
    static void stop() throws Exception {
        reader.close();
        broker.close();
    }

    @BeforeEach
    void forget() {
        RecordingLogs.forget();
    }

    private static byte[] make(Bad bad, int length, String... more) throws Exception {
        byte[] payload = new byte[length];
        Arrays.fill(payload, (byte) 'p');
        openssl.write("payload", payload);
        List<String> command = new ArrayList<>(List.of("cms", "-binary", "-outform", "DER"));
        command.addAll(List.of(more));
        command.addAll(List.of(bad.options().split(" ")));
        command.addAll(List.of("-in", "payload", "-out", "envelope"));
        openssl.run(command.toArray(String[]::new));
        return openssl.read("envelope");
    }

    private static void send(Producers producer, String address, byte[] bytes) throws Exception {
        Producers.Making making = Producers.bytes(bytes);
        switch (producer) {
            case CORE -> Producers.jms(Producers.core(broker), address, making);
            case AMQP -> Producers.jms(Producers.amqp(broker), address, making);
            case MQTT_3 ->
                Producers.mqtt3(
                        broker, address.replace('.', '/'), new org.eclipse.paho.client.mqttv3.MqttMessage(bytes));
            case MQTT_5 ->
                Producers.mqtt5(
                        broker, address.replace('.', '/'), new org.eclipse.paho.mqttv5.common.MqttMessage(bytes));
            case OPENWIRE ->
                OpenWire.inSession(broker, session -> {
                    var message = session.createBytesMessage();
                    message.writeBytes(bytes);
                    session.createProducer(session.createQueue(address)).send(message);
                });
            default -> {
                try (var client = Producers.stomp(broker)) {
                    client.sendBytes(address, bytes);
                }
            }
        }
    }

    static Stream<Integer> lengths() {
        return Tier.cases(2, 100, 300_000, 3 * MEGABYTE);
    }

    private static long rejected() {
        return broker.rejected();
    }

    /** Each send ends as the protocol can: with the reason, or with a closed connection. */
    private static void assertRejected(Producers producer, String address, byte[] bytes) throws Exception {
        long before = rejected();
        try {
            send(producer, address, bytes);
        } catch (Exception rejected) {
            assertThat(rejected).isNotInstanceOf(IllegalStateException.class);
        }
        await().until(() -> rejected() > before);
        assertThat(reader.poll(address)).as(producer + " to " + address).isNull();
    }

    @Test
    void envelopeThatDoesNotSatisfyItsPolicy_isRejectedWithTheReason_countedAndAudited() throws Exception {
        Map<String, String> wrong = new TreeMap<>();
        for (Bad bad : BAD) {
            for (int length : lengths().toList()) {
                byte[] envelope = make(bad, length);
                for (String place : List.of("either", "client")) {
                    String address = place + "." + bad.address();
                    long before = rejected();
                    String told = "nothing";
                    try {
                        send(Producers.CORE, address, envelope);
                    } catch (Exception rejected) {
                        told = Objects.toString(rejected.getMessage());
                    }
                    boolean signed =
                            bad.address().equals("signed") || bad.options().startsWith("-sign");
                    String expected =
                            length > 2 * MEGABYTE && signed && !bad.reason().startsWith("encrypted")
                                    ? "longer than"
                                    : bad.reason();
                    if (length > 2 * MEGABYTE && bad.reason().startsWith("encrypted")) {
                        expected = "longer than";
                    }
                    if (!told.contains(expected) || rejected() != before + 1 || reader.poll(address) != null) {
                        wrong.put(address + " " + length + " " + bad.options(), told);
                    }
                }
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(AuditLines.of("message-rejected"))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line.get("reason").asText())
                        .isIn("policy-violation", "envelope", "certificate", "signer"));
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.interceptor.Producers#few")
    void envelopeOfAnyProtocol_isRejected(Producers producer) throws Exception {
        for (int length : List.of(100, 300_000)) {
            assertRejected(producer, "either.rsa", make(BAD.get(0), length));
            assertRejected(producer, "either.ec", make(BAD.get(5), length));
        }
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void envelopeInABasicEncoding_isRejected(int length) throws Exception {
        for (Bad bad : List.of(BAD.get(0), BAD.get(3), BAD.get(5))) {
            byte[] envelope = make(bad, length, "-stream");
            assertThat(envelope[1]).as("an indefinite length").isEqualTo((byte) 0x80);

            assertThatThrownBy(() -> send(Producers.CORE, "either." + bad.address(), envelope))
                    .hasMessageContaining(bad.reason());
            assertRejected(Producers.AMQP, "either." + bad.address(), envelope);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 300_000})
    void headInAnUnusualEncoding_isRejected(int length) throws Exception {
        byte[] envelope = make(BAD.get(0), length);
        int content = 2 + ((envelope[1] & 0x80) == 0 ? 0 : envelope[1] & 0x7F);
        for (int octets : List.of(8, 20, 100, 126)) {
            byte[] padded = new byte[2 + octets + envelope.length - content];
            padded[0] = 0x30;
            padded[1] = (byte) (0x80 | octets);
            int rest = envelope.length - content;
            for (int i = 0; i < Integer.BYTES; i++) {
                padded[1 + octets - i] = (byte) (rest >>> (Byte.SIZE * i));
            }
            System.arraycopy(envelope, content, padded, 2 + octets, rest);

            assertRejected(Producers.CORE, "either.rsa", padded);
            assertRejected(Producers.STOMP_BYTES, "either.rsa", padded);
        }
    }

    /** The partner's own tools seal as the policy requires. */
    @ParameterizedTest
    @ValueSource(ints = {100, 300_000})
    void envelopeThatSatisfiesItsPolicy_passesUnchanged(int length) throws Exception {
        List<Bad> good = List.of(
                new Bad("ec", "none", GCM + "-recip consumer.pem" + SHA256),
                new Bad("rsa", "none", OAEP + " -keyopt rsa_oaep_md:sha256 -keyopt rsa_mgf1_md:sha256"));
        for (Bad each : good) {
            byte[] envelope = make(each, length);
            for (String place : List.of("either", "client")) {
                for (Producers producer : List.of(Producers.CORE, Producers.AMQP)) {
                    send(producer, place + "." + each.address(), envelope);

                    assertThat(reader.nextBody(place + "." + each.address())).isEqualTo(envelope);
                }
            }
        }
    }

    /** No consumer finds an envelope there. */
    @ParameterizedTest
    @ValueSource(ints = {100, 300_000})
    void envelopeInACoreMessageOfNoType_isRejected(int length) throws Exception {
        byte[] envelope = make(BAD.get(0), length);
        ClientSession session = reader.session();
        try (var producer = session.createProducer("either.rsa")) {
            ClientMessage message = session.createMessage(true);
            message.getBodyBuffer().writeBytes(envelope);

            assertThatThrownBy(() -> producer.send(message))
                    .isInstanceOf(ActiveMQException.class)
                    .hasMessageContaining("send it as bytes");
        }
        assertThat(reader.poll("either.rsa")).isNull();
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void whereTheBrokerSeals_envelopeIsPayload(int length) throws Exception {
        Bad good = new Bad("ec", "none", GCM + "-recip consumer.pem" + SHA256);
        for (Bad any : List.of(BAD.get(3), BAD.get(5), good)) {
            byte[] envelope = make(any, length);

            for (Producers producer : List.of(Producers.CORE, Producers.AMQP, Producers.MQTT_5)) {
                send(producer, "broker.ec", envelope);

                byte[] stored = reader.nextBody("broker.ec");
                assertThat(stored).isNotEqualTo(envelope);
                assertThat(homes.open(stored, "broker.ec", set).payload()).isEqualTo(envelope);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 50_000})
    void envelopeThatAManagementUserSends_isRejected(int length) throws Exception {
        byte[] envelope = make(BAD.get(0), length);
        QueueControl control = broker.control("either.rsa");
        String bytes = Base64.getEncoder().encodeToString(envelope);

        assertThatThrownBy(() -> control.sendMessage(Map.of(), Message.BYTES_TYPE, bytes, true, null, null))
                .hasMessageContaining(BAD.get(0).reason());

        assertThat(reader.poll("either.rsa")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-outform PEM", "-outform SMIME"})
    void envelopeAsText_isPayload(String form) throws Exception {
        byte[] payload = "a payload".getBytes(StandardCharsets.US_ASCII);
        openssl.write("payload", payload);
        openssl.line("cms -binary -encrypt -aes-256-gcm -recip " + TO_RSA + " -in payload -out text " + form);

        send(Producers.CORE, "either.ec", openssl.read("text"));

        assertThat(reader.poll("either.ec")).isNotNull();
    }
}
