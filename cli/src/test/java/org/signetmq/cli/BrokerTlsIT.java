/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.activemq.artemis.core.config.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.keystore.home.Home;
import org.signetmq.testkit.Certificates;
import org.signetmq.testkit.Ports;
import org.signetmq.testkit.Tier;

/** Commands at a broker whose acceptor demands TLS, with certificates of both sides. */
final class BrokerTlsIT {
    private static final String PASSWORD = "correct horse";

    @TempDir
    private Path folder;

    private GuardedBroker broker;
    private String url;

    @BeforeEach
    void start() throws Exception {
        CliRun cli = new CliRun(folder);
        cli.given("identity create server --dn CN=localhost", "identity create client --dn CN=client");
        trustStore("server");
        trustStore("client");
        secret("password", PASSWORD);
        int port = Ports.free();
        url = "tcp://localhost:" + port + "?sslEnabled=true";
        broker = GuardedBroker.answering(folder, new FakeSignet(), configuration -> addAcceptor(configuration, port));
    }

    private void addAcceptor(Configuration configuration, int port) {
        try {
            configuration.addAcceptorConfiguration(
                    "tls",
                    "tcp://127.0.0.1:" + port
                            + "?protocols=CORE;sslEnabled=true;needClientAuth=true;keyStoreType=PKCS12;"
                            + "trustStoreType=PKCS12;keyStorePassword=correct%20horse;trustStorePassword=correct%20horse;"
                            + "keyStorePath=" + keyStore("server") + ";trustStorePath="
                            + folder.resolve("client.trust"));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private Path keyStore(String name) {
        return new Home(folder.resolve("signet-home")).identities().resolve(name + ".p12");
    }

    private void trustStore(String name) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry(
                name,
                new Home(folder.resolve("signet-home"))
                        .recipientDirectory()
                        .find(name)
                        .orElseThrow()
                        .certificate());
        try (OutputStream out = Files.newOutputStream(folder.resolve(name + ".trust"))) {
            store.store(out, PASSWORD.toCharArray());
        }
    }

    private void secret(String name, String text) throws Exception {
        Files.writeString(folder.resolve(name), text);
        Files.setPosixFilePermissions(folder.resolve(name), PosixFilePermissions.fromString("rw-------"));
    }

    private Result list(String... more) {
        String[] command = new String[4 + more.length];
        List.of("policy", "list", "--broker", url).toArray(command);
        System.arraycopy(more, 0, command, 4, more.length);
        return broker.as(GuardedBroker.ADMIN, command);
    }

    @Test
    void certificatesOfBothSides_areShownAndTrusted() {
        Result options = list(
                "--tls-trust-store",
                "server.trust",
                "--tls-trust-store-password-file",
                "password",
                "--tls-key-store",
                keyStore("client").toString(),
                "--tls-key-store-password-file",
                "password");
        url += "&trustStorePath=" + folder.resolve("server.trust")
                + "&trustStorePassword=correct%20horse&trustStoreType="
                + "PKCS12&keyStoreType=PKCS12&keyStorePassword=correct%20horse&keyStorePath=" + keyStore("client");
        Result parameters = list();

        assertThat(options.err()).contains("has no policies").doesNotContain("error");
        assertThat(options.exitCode()).isZero();
        assertThat(parameters.err()).contains("has no policies", "***").doesNotContain("horse");
        assertThat(parameters.exitCode()).isZero();
    }

    /** With TLS 1.3 a client waits for an answer, because the broker rejects it after the handshake. */
    static Stream<String> protocols() {
        return Tier.cases(1, "TLSv1.2", "TLSv1.3");
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void clientWithoutCertificate_cannotConnect(String protocol) {
        Result result = broker.as(
                GuardedBroker.ADMIN,
                "broker",
                "status",
                url + "&enabledProtocols=" + protocol,
                "--tls-trust-store",
                "server.trust",
                "--tls-trust-store-password-file",
                "password");

        assertThat(result.exitCode()).isEqualTo(ExitCode.BROKER);
        assertThat(result.err()).contains(": cannot be reached");
    }

    @Test
    void expiredClientCertificate_isToldBeforeAConnection() throws Exception {
        Path expired = expired("client");
        broker.stop();

        Result result = list(
                "--tls-trust-store",
                "server.trust",
                "--tls-trust-store-password-file",
                "password",
                "--tls-key-store",
                expired.toString(),
                "--tls-key-store-password-file",
                "password");

        assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(result.err())
                .startsWith("signet: error: " + expired + ": the certificate of CN=client expired on ")
                .contains("signet: hint: nothing was sent")
                .doesNotContain("horse");
    }

    /** Returns a key store with the key of an identity and a certificate of the same issuer that ended yesterday. */
    private Path expired(String name) throws Exception {
        KeyStore store = KeyStore.getInstance(keyStore(name).toFile(), PASSWORD.toCharArray());
        String alias = store.aliases().nextElement();
        PrivateKey key = (PrivateKey) store.getKey(alias, PASSWORD.toCharArray());
        X509Certificate former = (X509Certificate) store.getCertificate(alias);
        X509Certificate ended = Certificates.of(Certificates.subject(former), former.getPublicKey())
                .during(Instant.now().minus(Duration.ofDays(2)), Instant.now().minus(Duration.ofDays(1)))
                .signed(key);
        Path file = folder.resolve("expired.p12");
        KeyStore made = KeyStore.getInstance("PKCS12");
        made.load(null, null);
        made.setKeyEntry(alias, key, PASSWORD.toCharArray(), new Certificate[] {ended});
        try (OutputStream out = Files.newOutputStream(file)) {
            made.store(out, PASSWORD.toCharArray());
        }
        return file;
    }

    @Tag(Tier.LONG)
    @Test
    void expiredClientCertificateInTheUrl_isRejectedByTheBroker() throws Exception {
        Path expired = expired("client");
        url += "&trustStorePath=" + folder.resolve("server.trust")
                + "&trustStorePassword=correct%20horse&trustStoreType="
                + "PKCS12&keyStoreType=PKCS12&keyStorePassword=correct%20horse&keyStorePath=" + expired;

        Result result = list();

        assertThat(result.exitCode()).isEqualTo(ExitCode.BROKER);
        assertThat(result.err()).contains(": cannot be reached", "certificate").doesNotContain("horse");
    }

    @Test
    void brokerThatIsNotTrusted_isNotConnectedTo() {
        Result result = list(
                "--tls-trust-store",
                "client.trust",
                "--tls-trust-store-password-file",
                "password",
                "--tls-key-store",
                keyStore("client").toString(),
                "--tls-key-store-password-file",
                "password");

        assertThat(result.exitCode()).isEqualTo(ExitCode.BROKER);
    }

    @Test
    void wrongPasswordOrNoKeyStore_isToldBeforeAConnection() throws Exception {
        secret("wrong", "battery staple");
        secret("text", "no key store");

        Result wrong = list("--tls-trust-store", "server.trust", "--tls-trust-store-password-file", "wrong");
        Result text = list("--tls-key-store", "text", "--tls-key-store-password-file", "password");
        Result absent = list("--tls-key-store", "none", "--tls-key-store-password-file", "password");
        Result alone = list("--tls-key-store", "none");

        assertThat(wrong.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(wrong.err())
                .startsWith("signet: error: " + folder.resolve("server.trust") + ": cannot be opened: ")
                .contains("is the first line of " + folder.resolve("wrong") + " its password?")
                .doesNotContain("staple");
        assertThat(text.err()).contains("text: cannot be opened");
        assertThat(absent.err()).contains("none: no such file");
        assertThat(alone.exitCode()).isEqualTo(ExitCode.USAGE);
    }
}
