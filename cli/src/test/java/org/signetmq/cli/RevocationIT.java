/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.MetricsConfiguration;
import org.apache.activemq.artemis.core.server.metrics.ActiveMQMetricsPlugin;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.OpensslIssuer.Mood;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.keystore.home.Password;
import org.signetmq.testkit.Tier;

/** A running broker and a running consumer learn over HTTP from an issuer of openssl which signers are revoked. */
final class RevocationIT {
    private static final String FETCH = "\"crl\": \"fetch\", \"ocsp\": \"fetch\"";
    private static final String UNKNOWN = "no valid list or OCSP answer is known; Signet asks ";
    private static final Duration AT_ONCE = Duration.ofSeconds(5);

    private static final SimpleMeterRegistry METERS = new SimpleMeterRegistry();

    @TempDir
    private static Path folder;

    private static Path home;
    private static CliRun signet;
    private static GuardedBroker broker;
    private static JMSContext producer;

    private OpensslIssuer issuer;
    private Path senders;
    private String address;

    /** The envelopes by sender and length, because each takes the time to load a key store. */
    private final Map<String, byte[]> envelopes = new HashMap<>();

    /** Gives the broker the registry of the test. */
    public static final class Metrics implements ActiveMQMetricsPlugin {
        private static final long serialVersionUID = 1L;

        @Override
        public ActiveMQMetricsPlugin init(Map<String, String> options) {
            return this;
        }

        @Override
        public MeterRegistry getRegistry() {
            return METERS;
        }
    }

    @BeforeAll
    static void startBroker() throws Exception {
        home = folder.resolve("signet-home");
        signet = new CliRun(folder);
        broker = GuardedBroker.protecting(folder, RevocationIT::configure);
        signet.ok("policy set prices.# --quality integrity");
        producer =
                new ActiveMQConnectionFactory(broker.url()).createContext(GuardedBroker.ADMIN, GuardedBroker.PASSWORD);
    }

    private static void configure(Configuration configuration) {
        configuration.setMetricsConfiguration(new MetricsConfiguration().setPlugin(new Metrics()));
        configuration.addAddressSetting("prices.#", new AddressSettings().setMaxDeliveryAttempts(-1));
    }

    @AfterAll
    static void stopBroker() {
        producer.close();
        broker.close();
    }

    @BeforeEach
    void makeIssuer(@TempDir Path own) throws Exception {
        issuer = new OpensslIssuer(own.resolve("ca"), own.getFileName().toString());
        senders = own.resolve("senders");
        address = "prices." + issuer.name();
        settings(home, "");
        Awaitility.await().until(() -> broker.status(GuardedBroker.ADMIN).exitCode() == ExitCode.OK);
        trust(home);
    }

    @AfterEach
    void stopIssuer() {
        issuer.close();
    }

    /** Puts settings in force; without any, no certificate needs a state. */
    private static void settings(Path where, String revocation) throws Exception {
        Path fresh = where.resolve("trust.json.new");
        Files.writeString(
                fresh,
                revocation.isEmpty()
                        ? "{\"schema\": 1}"
                        : "{\"schema\": 1, \"revocation\": {\"hosts\": [\"127.0.0.1\"], " + revocation + "}}");
        Files.move(fresh, where.resolve("trust.json"), StandardCopyOption.ATOMIC_MOVE);
    }

    private void trust(Path where) {
        signet.ok("trust add", issuer.name(), "--in", issuer.root().toString(), "--home", where.toString());
    }

    /** Makes an identity whose certificate names the issuer's addresses. Returns the file of the certificate. */
    private Path sender(String name) throws Exception {
        Path request = senders.resolveSibling(name + ".csr");
        signet.ok(
                "identity request",
                name,
                "--dn",
                "CN=" + name,
                "--out",
                request.toString(),
                "--home",
                senders.toString());
        Path certificate = issuer.sign(request);
        if (!Files.exists(senders.resolve("trust"))) {
            trust(senders);
            signet.ok("policy set prices.# --quality integrity --home", senders.toString());
        }
        signet.ok("identity import", name, "--in", certificate.toString(), "--home", senders.toString());
        return certificate;
    }

    /** Sends a price that a sender sealed. Returns the reason of the rejection; empty if the broker accepts it. */
    private String send(String sender) {
        return send(sender, sender.getBytes(StandardCharsets.UTF_8));
    }

    private String send(String sender, byte[] price) {
        byte[] sealed = envelopes.computeIfAbsent(sender + price.length, any -> seal(sender, price));
        long begin = System.nanoTime();
        try {
            producer.createProducer().send(producer.createQueue(address), sealed);
            return "";
        } catch (JMSRuntimeException rejected) {
            return String.valueOf(rejected.getMessage());
        } finally {
            Tier.report("send while an issuer hangs", Duration.ofNanos(System.nanoTime() - begin), AT_ONCE);
        }
    }

    private byte[] seal(String sender, byte[] price) {
        return new CliRun(folder)
                .input(price)
                .ok("message seal --address", address, "--as", sender, "--home", senders.toString())
                .bytes();
    }

    private static Result doctor() {
        return broker.as(GuardedBroker.ADMIN, "doctor", "--broker", broker.url());
    }

    private static double meter(String name) {
        return METERS.get("artemis.signet." + name).gauge().value();
    }

    private static void awaitState(String state, String words) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(300)) // each look is a command with a connection of its own
                .untilAsserted(
                        () -> assertThat(broker.status(GuardedBroker.ADMIN).out())
                                .containsPattern("state +" + state)
                                .contains(words));
    }

    @Tag(Tier.LONG)
    @Test
    void sourcesThatHang_keepNoMessageWaiting_andTheBrokerRecoversWhenTheyAnswer() throws Exception {
        issuer.become(Mood.HANGS);
        Path certificate = sender("sam");
        issuer.revoke(sender("eve"));
        settings(home, FETCH + ", \"without-source\": \"accept\", \"timeout-seconds\": 60");
        Awaitility.await().until(() -> !send("sam").isEmpty());

        assertThat(send("sam")).contains("CN=sam", UNKNOWN + issuer.url(OpensslIssuer.LIST));
        assertThat(send("eve")).contains("CN=eve", UNKNOWN);
        producer.createProducer().send(producer.createQueue("orders.eu"), "of the broker");
        awaitState("DEGRADED", "certificates of unknown state, which are rejected: 2, the first: ");
        assertThat(doctor().out()).contains("\nWRONG broker certificates: rejected: certificate CN=sam ");
        assertThat(meter("certificates.unknown")).isEqualTo(2);
        assertThat(issuer.questions()).as("questions at one time").isEqualTo(1);

        issuer.become(Mood.ANSWERS);

        Awaitility.await().until(() -> send("sam").isEmpty());
        awaitState("READY", "");
        assertThat(send("eve")).contains("CN=eve", "revoked on ");
        assertThat(send("eve", new byte[300_000])).contains("CN=eve", "revoked on ");
        assertThat(meter("certificates.unknown")).isZero();
        assertThat(meter("revocations.failing")).isZero();
        assertThat(doctor().out())
                .doesNotContain("WRONG")
                .contains("\nwarn  broker certificates: the certificate trust/'" + issuer.name() + "' ends in 19 days");
        assertThat(broker.status(GuardedBroker.ADMIN).out())
                .containsPattern("\ncertificate +trust/" + issuer.name() + " ends in 19 days, at ");

        issuer.revoke(certificate); // the list is fetched again later, but OCSP tells of the next certificate at once
        issuer.revoke(sender("tom"));
        Awaitility.await().untilAsserted(() -> assertThat(send("tom")).contains("revoked on ", "OCSP"));
    }

    @Test
    void sourcesThatFail_letNothingPass_orAllByChoice() throws Exception {
        issuer.become(Mood.FAILS);
        sender("sam");
        settings(home, FETCH + ", \"without-source\": \"accept\"");
        Awaitility.await().until(() -> !send("sam").isEmpty());
        Awaitility.await().until(() -> meter("revocations.failing") == 2);

        assertThat(send("sam")).contains("CN=sam", UNKNOWN);
        awaitState("DEGRADED", "which are rejected: 1, the first: ");
        assertThat(doctor().out())
                .contains("\nWRONG broker certificates: rejected: certificate CN=sam ")
                .contains("\nwarn  broker certificates: " + issuer.url(OpensslIssuer.LIST)
                        + " is of no use: HTTP status 503");

        settings(home, FETCH + ", \"without-source\": \"accept\", \"fail\": \"soft\"");

        Awaitility.await().until(() -> send("sam").isEmpty());
        awaitState("DEGRADED", "which are accepted (fail: soft): 1, the first: ");
        assertThat(doctor().out())
                .contains("\nwarn  broker certificates: accepted, because fail is soft: certificate CN=sam ")
                .contains("\nwarn  broker certificates: fail is soft in trust.json");
        assertThat(meter("certificates.unknown")).isEqualTo(1);

        issuer.become(Mood.ANSWERS);
        settings(home, FETCH + ", \"without-source\": \"accept\", \"fail\": \"hard\"");

        Awaitility.await()
                .untilAsserted(() -> assertThat(meter("revocations.failing")).isZero());
        assertThat(send("sam")).isEmpty();
        awaitState("READY", "");
    }

    @Test
    void consumer_fetchesInTheBackground_andOpensNothingOfARevokedSigner() throws Exception {
        Path sam = sender("sam");
        Path eve = sender("eve");
        issuer.revoke(eve);
        Path reading = folder.resolve("reading"); // its thread may write until the end
        signet.ok("identity create alice --dn CN=alice --home", reading.toString());
        signet.ok("policy set prices.# --quality integrity --home", reading.toString());
        trust(reading);
        signet.ok("certificate add sam --in", sam.toString(), "--home", reading.toString());
        settings(reading, FETCH + ", \"without-source\": \"accept\", \"timeout-seconds\": 60");
        issuer.become(Mood.HANGS);
        Awaitility.await().until(() -> send("sam").isEmpty()); // once the broker's home needs no state
        try (SignetConnectionFactory factory = opening(reading);
                JMSContext context = factory.createContext(GuardedBroker.ADMIN, GuardedBroker.PASSWORD);
                var consumer = context.createConsumer(context.createQueue(address))) {
            long begin = System.nanoTime();
            assertThatThrownBy(() -> consumer.receive(180_000))
                    .hasMessageContaining("CN=sam")
                    .hasMessageContaining(UNKNOWN);
            Tier.report("receive while an issuer hangs", Duration.ofNanos(System.nanoTime() - begin), AT_ONCE);

            issuer.become(Mood.ANSWERS);

            Awaitility.await()
                    .ignoreExceptions() // the message comes again
                    .untilAsserted(() -> assertThat(consumer.receive(180_000).getBody(byte[].class))
                            .isEqualTo("sam".getBytes(StandardCharsets.UTF_8)));
            assertThat(send("eve")).isEmpty();
            Throwable thrown = catchThrowable(() -> consumer.receive(180_000));
            assertThat(thrown).hasMessageContaining("CN=eve").hasMessageContaining("revoked on ");
        }
    }

    private static SignetConnectionFactory opening(Path reading) {
        try (Password password = Password.takeOwnershipOf("correct horse".toCharArray())) {
            return SignetConnectionFactory.open(new ActiveMQConnectionFactory(broker.url()), reading, "alice", password)
                    .withOpenFailuresThrown();
        }
    }
}
