/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.ams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.policy.QualityOfProtection.CONFIDENTIALITY;
import static org.signetmq.policy.QualityOfProtection.INTEGRITY;
import static org.signetmq.policy.QualityOfProtection.PRIVACY;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.util.Base64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.variant.Payload;
import org.signetmq.testkit.Openssl;
import org.signetmq.testkit.Tier;

/** The stock openssl command reads what a producer seals, and writes what a consumer opens. */
@Tag(Tier.LONG)
final class AmsOpensslTest {
    private static final byte[] PAYLOAD = Payload.ofSize(Payload.USUAL_SIZE);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @SuppressWarnings("NullAway.Init") // before each test
    private Openssl openssl;

    @BeforeEach
    void exportIdentities() throws IOException {
        openssl = new Openssl(folder);
        openssl.write("alice.pem", pem("CERTIFICATE", encoded(Route.ALICE)));
        openssl.write("alice.key", pem("PRIVATE KEY", Route.ALICE.key().getEncoded()));
        openssl.write("bob.pem", pem("CERTIFICATE", encoded(Route.BOB)));
        openssl.write("bob.key", pem("PRIVATE KEY", Route.BOB.key().getEncoded()));
    }

    @Test
    void signedMessage_isVerified() throws Exception {
        openssl.write("message", Route.of(INTEGRITY).producer().seal(PAYLOAD));

        openssl.line("cms -verify -binary -inform DER -in message -CAfile alice.pem -out payload");

        assertThat(openssl.read("payload")).isEqualTo(PAYLOAD);
    }

    @Test
    void confidentialMessages_underOneKey_areDecrypted() throws Exception {
        AmsProducer producer = Route.confidential("32").producer();
        for (int i = 0; i < 2; i++) {
            openssl.write("message", producer.seal(PAYLOAD));

            openssl.line("cms -decrypt -binary -inform DER -in message -recip bob.pem -inkey bob.key -out payload");

            assertThat(openssl.read("payload")).isEqualTo(PAYLOAD);
        }
        assertThat(producer.keys()).isEqualTo(1);
    }

    @Test
    void privateMessage_isDecryptedAndVerified() throws Exception {
        openssl.write("message", Route.of(PRIVACY).producer().seal(PAYLOAD));

        openssl.line("cms -decrypt -binary -inform DER -in message -recip bob.pem -inkey bob.key -out signed");
        openssl.line("cms -verify -binary -inform DER -in signed -CAfile alice.pem -out payload");

        assertThat(openssl.read("payload")).isEqualTo(PAYLOAD);
    }

    @Test
    void message_hasThePublishedAlgorithms() throws Exception {
        openssl.write("signed", Route.of(INTEGRITY).producer().seal(PAYLOAD));
        openssl.write("encrypted", Route.of(CONFIDENTIALITY).producer().seal(PAYLOAD));

        assertThat(openssl.line("cms -cmsout -print -noout -inform DER -in signed"))
                .contains("algorithm: sha512", "contentType: pkcs7-signedData")
                .contains("CN=alice");
        assertThat(openssl.line("cms -cmsout -print -noout -inform DER -in encrypted"))
                .contains("contentType: pkcs7-envelopedData", "algorithm: aes-256-cbc", "algorithm: rsaEncryption");
    }

    @Test
    void messageOfOpenssl_isOpened() throws Exception {
        openssl.write("payload", PAYLOAD);
        openssl.line("cms -sign -binary -nodetach -md sha512 -in payload -signer alice.pem -inkey alice.key"
                + " -outform DER -out signed");
        openssl.line("cms -encrypt -binary -aes-256-cbc -in signed -outform DER -out private bob.pem");

        assertThat(Route.of(INTEGRITY).consumer().open(openssl.read("signed"))).isEqualTo(PAYLOAD);
        assertThat(Route.of(PRIVACY).consumer().open(openssl.read("private"))).isEqualTo(PAYLOAD);
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
}
