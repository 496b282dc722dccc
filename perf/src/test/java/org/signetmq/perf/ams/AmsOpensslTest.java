/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.ams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.policy.QualityOfProtection.CONFIDENTIALITY;
import static org.signetmq.policy.QualityOfProtection.INTEGRITY;
import static org.signetmq.policy.QualityOfProtection.PRIVACY;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.variant.Payload;

/** The stock openssl command reads what a producer seals, and writes what a consumer opens. */
final class AmsOpensslTest {
    private static final byte[] PAYLOAD = Payload.ofSize(Payload.USUAL_SIZE);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @BeforeEach
    void exportIdentities() throws IOException {
        write("alice.pem", pem("CERTIFICATE", encoded(Route.ALICE)));
        write("alice.key", pem("PRIVATE KEY", Route.ALICE.key().getEncoded()));
        write("bob.pem", pem("CERTIFICATE", encoded(Route.BOB)));
        write("bob.key", pem("PRIVATE KEY", Route.BOB.key().getEncoded()));
    }

    @Test
    void signedMessage_isVerified() throws Exception {
        write("message", Route.of(INTEGRITY).producer().seal(PAYLOAD));

        openssl("cms -verify -binary -inform DER -in message -CAfile alice.pem -out payload");

        assertThat(read("payload")).isEqualTo(PAYLOAD);
    }

    @Test
    void confidentialMessages_underOneKey_areDecrypted() throws Exception {
        AmsProducer producer = Route.confidential("32").producer();
        for (int i = 0; i < 2; i++) {
            write("message", producer.seal(PAYLOAD));

            openssl("cms -decrypt -binary -inform DER -in message -recip bob.pem -inkey bob.key -out payload");

            assertThat(read("payload")).isEqualTo(PAYLOAD);
        }
        assertThat(producer.keys()).isEqualTo(1);
    }

    @Test
    void privateMessage_isDecryptedAndVerified() throws Exception {
        write("message", Route.of(PRIVACY).producer().seal(PAYLOAD));

        openssl("cms -decrypt -binary -inform DER -in message -recip bob.pem -inkey bob.key -out signed");
        openssl("cms -verify -binary -inform DER -in signed -CAfile alice.pem -out payload");

        assertThat(read("payload")).isEqualTo(PAYLOAD);
    }

    @Test
    void message_hasThePublishedAlgorithms() throws Exception {
        write("signed", Route.of(INTEGRITY).producer().seal(PAYLOAD));
        write("encrypted", Route.of(CONFIDENTIALITY).producer().seal(PAYLOAD));

        assertThat(openssl("cms -cmsout -print -noout -inform DER -in signed"))
                .contains("algorithm: sha512", "contentType: pkcs7-signedData")
                .contains("CN=alice");
        assertThat(openssl("cms -cmsout -print -noout -inform DER -in encrypted"))
                .contains("contentType: pkcs7-envelopedData", "algorithm: aes-256-cbc", "algorithm: rsaEncryption");
    }

    @Test
    void messageOfOpenssl_isOpened() throws Exception {
        write("payload", PAYLOAD);
        openssl("cms -sign -binary -nodetach -md sha512 -in payload -signer alice.pem -inkey alice.key"
                + " -outform DER -out signed");
        openssl("cms -encrypt -binary -aes-256-cbc -in signed -outform DER -out private bob.pem");

        assertThat(Route.of(INTEGRITY).consumer().open(read("signed"))).isEqualTo(PAYLOAD);
        assertThat(Route.of(PRIVACY).consumer().open(read("private"))).isEqualTo(PAYLOAD);
    }

    private static byte[] encoded(AmsIdentity identity) throws IOException {
        try {
            return identity.certificate().getEncoded();
        } catch (CertificateEncodingException e) {
            throw new IOException(e);
        }
    }

    private static byte[] pem(String label, byte[] der) {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n"
                .formatted(label, base64)
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Runs openssl, and fails the test if openssl fails. */
    private String openssl(String arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(arguments.split(" ")));
        Path log = folder.resolve("openssl.log");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        String printed = Files.readString(log, StandardCharsets.ISO_8859_1);
        assertThat(process.exitValue()).as(command + ": " + printed).isZero();
        return printed;
    }

    private void write(String name, byte[] bytes) throws IOException {
        Files.write(folder.resolve(name), bytes);
    }

    private byte[] read(String name) throws IOException {
        return Files.readAllBytes(folder.resolve(name));
    }
}
