/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.testkit.Openssl;

final class EnvelopeDescriptionTest {
    @RegisterExtension
    static Parties parties = new Parties("p256");

    @BeforeAll
    static void createIdentities() {
        parties.identity("p384", KeyAlgorithm.EC_P384);
        parties.identity("p521", KeyAlgorithm.EC_P521);
        parties.identity("rsa", KeyAlgorithm.RSA_2048);
        parties.identity("ed", KeyAlgorithm.ED25519);
    }

    private static Identity identity(String name) {
        return parties.identity(name, KeyAlgorithm.EC_P256); // made before
    }

    private static byte[] sealed(Policy policy, String signer) {
        return parties.seal(
                ClearMessage.of(Parties.ADDRESS, ClearMessage.Body.BYTES, new byte[100]),
                Parties.policies(policy),
                identity(signer));
    }

    @ParameterizedTest
    @CsvSource({
        "p256, SHA_512, ECDSA-SHA-512",
        "p521, SHA_512_RSA_PSS, ECDSA-SHA-512",
        "rsa, SHA_512, RSA-SHA-512",
        "rsa, SHA_512_RSA_PSS, RSA-PSS-SHA-512",
        "ed, SHA_512, ED25519-SHA-512"
    })
    void signed_namesAlgorithmAndSigner(String signer, SignatureAlgorithm algorithm, String label) {
        for (CertificateInclusion inclusion : CertificateInclusion.values()) {
            byte[] envelope = sealed(
                    Policy.integrity(Parties.ADDRESS).with(new Policy.Signing(algorithm, List.of(), inclusion)),
                    signer);

            EnvelopeDescription description = EnvelopeDescription.of(envelope);

            assertThat(description)
                    .isEqualTo(new EnvelopeDescription(
                            "SignedData",
                            null,
                            List.of(),
                            new EnvelopeDescription.SignatureDescription(
                                    List.of("ski:" + identity(signer).keyIdentifier()), label, 1),
                            null,
                            envelope.length));
            assertThat(description.quality()).isEqualTo("integrity");
        }
    }

    @Test
    void encrypted_namesEachRecipientAndHow() {
        List<String> names = List.of("p256", "p384", "p521", "rsa");
        byte[] envelope = sealed(Policy.confidentiality(Parties.ADDRESS, names, KeyLimits.DEFAULT), "p256");

        EnvelopeDescription description = EnvelopeDescription.of(envelope);

        assertThat(description.structure()).isEqualTo("AuthEnvelopedData");
        assertThat(description.contentAlgorithm()).isEqualTo("AES-256-GCM");
        assertThat(description.quality()).isEqualTo("privacy or confidentiality");
        assertThat(description.signatureIfVisible()).isEmpty();
        assertThat(description.recipients())
                .containsExactlyInAnyOrder(
                        recipient("p256", "ECDH P-256, SHA-256 derivation, AES-256 key wrap"),
                        recipient("p384", "ECDH P-384, SHA-256 derivation, AES-256 key wrap"),
                        recipient("p521", "ECDH P-521, SHA-256 derivation, AES-256 key wrap"),
                        recipient("rsa", "RSA-OAEP-SHA-256"));
    }

    private static EnvelopeDescription.RecipientDescription recipient(String name, String keyEncryption) {
        return new EnvelopeDescription.RecipientDescription(
                "ski:" + identity(name).keyIdentifier(), keyEncryption);
    }

    @Test
    void writtenByOpensslWithItsDefaults_isDescribedToo(@TempDir Path work) throws Exception {
        Openssl openssl = new Openssl(work);
        ExportedIdentity.write(identity("rsa"), openssl);
        openssl.write("entity", new byte[10]);
        openssl.line("cms -encrypt -aes-256-gcm -binary -in entity -outform DER -out sealed.der -recip rsa.pem");

        EnvelopeDescription description = EnvelopeDescription.of(openssl.read("sealed.der"));

        assertThat(description.recipients()).singleElement().satisfies(found -> {
            assertThat(found.keyEncryption()).isEqualTo("RSA-PKCS1-v1.5");
            assertThat(found.identifier()).startsWith("issuer=").contains("rsa").contains(", serial=");
        });
    }

    @Test
    void anythingElse_isMalformed() {
        assertThatThrownBy(() -> EnvelopeDescription.of(new byte[0])).isInstanceOf(MalformedEnvelopeException.class);
        assertThatThrownBy(() -> EnvelopeDescription.of(new byte[] {0x30, 0}))
                .isInstanceOf(MalformedEnvelopeException.class);
    }
}
