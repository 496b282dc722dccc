/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Openssl;

/** Messages in the manner of AMS: the price is in the wraps and unwraps of content keys. */
final class AmsCompatTest {
    private static final byte[] PAYLOAD = Load.payload(100);

    private static AmsCompat.Identity alice;
    private static AmsCompat.Identity bob;

    @TempDir
    private Path folder;

    @BeforeAll
    static void makeIdentities() throws GeneralSecurityException {
        alice = AmsCompat.Identity.create("alice");
        bob = AmsCompat.Identity.create("bob");
    }

    private static AmsCompat route(QualityOfProtection quality, long messagesPerKey) {
        return new AmsCompat(quality, messagesPerKey, alice, bob);
    }

    @ParameterizedTest
    @CsvSource({"1, 9", "2, 5", "8, 2", "1000, 1"})
    void key_servesItsNumberOfMessages_andIsUnwrappedOnce(long messagesPerKey, int keys) throws Exception {
        AmsCompat route = route(QualityOfProtection.CONFIDENTIALITY, messagesPerKey);
        UnaryOperator<byte[]> sealer = route.sealer("");
        UnaryOperator<byte[]> opener = route.opener();

        for (int i = 0; i < 9; i++) {
            assertThat(opener.apply(sealer.apply(PAYLOAD))).isEqualTo(PAYLOAD);
        }

        assertThat(route.keys()).isEqualTo(keys);
        assertThat(route.unwraps()).isEqualTo(keys);
    }

    @Test
    void consumer_remembersOneKey_soThatTwoProducersByTurnsCostAnUnwrapForEachMessage() throws Exception {
        AmsCompat route = route(QualityOfProtection.CONFIDENTIALITY, 1000);
        UnaryOperator<byte[]> one = route.sealer("");
        UnaryOperator<byte[]> other = route.sealer("");
        UnaryOperator<byte[]> consumer = route.opener();

        for (int i = 0; i < 4; i++) {
            assertThat(consumer.apply(one.apply(PAYLOAD))).isEqualTo(PAYLOAD);
            assertThat(consumer.apply(other.apply(PAYLOAD))).isEqualTo(PAYLOAD);
        }

        assertThat(route.unwraps()).isEqualTo(8);
    }

    @ParameterizedTest
    @EnumSource(
            value = QualityOfProtection.class,
            names = {"INTEGRITY", "PRIVACY"})
    void signedMessage_damaged_orOfAnotherSender_isRejected(QualityOfProtection quality) throws Exception {
        AmsCompat route = route(quality, 1);
        byte[] message = route.sealer("").apply(PAYLOAD);
        assertThat(route.opener().apply(message)).isEqualTo(PAYLOAD);
        byte[] foreign = new AmsCompat(quality, 1, AmsCompat.Identity.create("mallory"), bob)
                .sealer("")
                .apply(PAYLOAD);

        assertThatIllegalStateException()
                .isThrownBy(() -> route.opener().apply(foreign))
                .withMessage("message: cannot be opened: signature: must be the sender's, with SHA-512");
        message[message.length - 10] ^= 1;
        assertThatIllegalStateException().isThrownBy(() -> route.opener().apply(message));
    }

    @Test
    void privateMessage_isOpenedByOpenssl_withThePublishedAlgorithms() throws Exception {
        Openssl openssl = new Openssl(folder);
        openssl.write("alice.pem", pem("CERTIFICATE", alice.certificate().getEncoded()));
        openssl.write("bob.pem", pem("CERTIFICATE", bob.certificate().getEncoded()));
        openssl.write("bob.key", pem("PRIVATE KEY", bob.key().getEncoded()));
        openssl.write(
                "message", route(QualityOfProtection.PRIVACY, 1).sealer("").apply(PAYLOAD));

        assertThat(openssl.line("cms -cmsout -print -noout -inform DER -in message"))
                .contains("contentType: pkcs7-envelopedData", "algorithm: aes-256-cbc", "algorithm: rsaEncryption");
        openssl.line("cms -decrypt -binary -inform DER -in message -recip bob.pem -inkey bob.key -out signed");
        openssl.line("cms -verify -binary -inform DER -in signed -CAfile alice.pem -out payload");

        assertThat(openssl.read("payload")).isEqualTo(PAYLOAD);
    }

    private static byte[] pem(String label, byte[] der) throws IOException {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n"
                .formatted(label, base64)
                .getBytes(StandardCharsets.US_ASCII);
    }
}
