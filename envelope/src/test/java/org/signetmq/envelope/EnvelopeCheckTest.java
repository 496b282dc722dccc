/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SignatureAlgorithm;

final class EnvelopeCheckTest {
    private static final byte[] PAYLOAD = "transfer 100 to alice".getBytes(UTF_8);

    @TempDir
    static Path folder;

    private static Parties parties;
    private static Identity alice;

    @BeforeAll
    static void createIdentities() {
        parties = new Parties(folder);
        alice = parties.identity("alice", KeyAlgorithm.EC_P256);
        parties.identity("bob", KeyAlgorithm.EC_P256);
        parties.identity("rsa", KeyAlgorithm.RSA_2048);
    }

    @AfterAll
    static void close() {
        parties.close();
    }

    private static Policy policy(QualityOfProtection quality, String... recipients) {
        return switch (quality) {
            case INTEGRITY -> Policy.integrity(Parties.ADDRESS);
            case PRIVACY -> Policy.privacy(Parties.ADDRESS, List.of(recipients));
            case CONFIDENTIALITY -> Policy.confidentiality(Parties.ADDRESS, List.of(recipients), KeyLimits.DEFAULT);
            case NONE ->
                new Policy(
                        Parties.ADDRESS,
                        QualityOfProtection.NONE,
                        Policy.Signing.DEFAULT,
                        Policy.Encryption.UNUSED,
                        Policy.Acceptance.DEFAULT);
        };
    }

    private static byte[] sealed(Policy policy) {
        return parties.seal(
                ClearMessage.of(Parties.ADDRESS, ClearMessage.Body.TEXT, PAYLOAD), Parties.policies(policy), alice);
    }

    private static boolean satisfies(byte[] bytes, Policy policy) {
        return satisfies(bytes, Parties.ADDRESS, policy);
    }

    private static boolean satisfies(byte[] bytes, String address, Policy policy) {
        return EnvelopeCheck.create(
                        parties.home.recipientDirectory(), parties.home.certificateTrust(), CryptoProviders.standard())
                .satisfies(bytes, address, new EffectivePolicy(policy, 17), SenderRule.ANY);
    }

    @ParameterizedTest
    @CsvSource({"INTEGRITY, bob", "PRIVACY, bob", "CONFIDENTIALITY, bob", "PRIVACY, rsa", "CONFIDENTIALITY, rsa"})
    void envelopeOfThePolicy_satisfies(QualityOfProtection quality, String recipient) {
        Policy policy = policy(quality, recipient);

        assertThat(satisfies(sealed(policy), policy)).isTrue();
    }

    @Test
    void severalRecipientsInAnyOrder_satisfy() {
        assertThat(satisfies(
                        sealed(policy(QualityOfProtection.PRIVACY, "alice", "bob", "rsa")),
                        policy(QualityOfProtection.CONFIDENTIALITY, "rsa", "bob", "alice")))
                .as("privacy and confidentiality look alike from outside")
                .isTrue();
    }

    @Test
    void recipientsOtherThanThePolicys_doNot() {
        Policy both = policy(QualityOfProtection.CONFIDENTIALITY, "bob", "rsa");
        Policy one = policy(QualityOfProtection.CONFIDENTIALITY, "bob");
        Policy other = policy(QualityOfProtection.CONFIDENTIALITY, "alice");
        Policy unknown = policy(QualityOfProtection.CONFIDENTIALITY, "nobody");

        assertThat(satisfies(sealed(one), both)).as("one is missing").isFalse();
        assertThat(satisfies(sealed(both), one))
                .as("somebody else could read it")
                .isFalse();
        assertThat(satisfies(sealed(one), other)).isFalse();
        assertThat(satisfies(sealed(one), unknown)).isFalse();
    }

    /** A cached recipient must not outlive a change of the directory. */
    @Test
    void recipientOfAnotherCertificateFromNowOn_isMeantByThatOneAtOnce() {
        Policy policy = policy(QualityOfProtection.CONFIDENTIALITY, "bob");
        EffectivePolicy wanted = new EffectivePolicy(policy, 17);
        byte[] before = sealed(policy);
        Renewable directory = new Renewable();
        EnvelopeCheck check =
                EnvelopeCheck.create(directory, parties.home.certificateTrust(), CryptoProviders.standard());
        assertThat(check.satisfies(before, Parties.ADDRESS, wanted, SenderRule.ANY))
                .isTrue();

        directory.renewed = true;

        assertThat(check.satisfies(before, Parties.ADDRESS, wanted, SenderRule.ANY))
                .isFalse();
        directory.renewed = false;
        assertThat(check.satisfies(before, Parties.ADDRESS, wanted, SenderRule.ANY))
                .isTrue();
    }

    /** A directory in which all names mean alice after a change. */
    private static final class Renewable extends RenamedRecipients {
        private final RecipientDirectory home = parties.home.recipientDirectory();
        private boolean renewed;

        @Override
        RecipientDirectory home() {
            return home;
        }

        @Override
        String meant(String selector) {
            return renewed ? "alice" : selector;
        }

        @Override
        long changes() {
            return renewed ? 1 : 0;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "INTEGRITY, PRIVACY",
        "INTEGRITY, CONFIDENTIALITY",
        "PRIVACY, INTEGRITY",
        "CONFIDENTIALITY, INTEGRITY",
        "PRIVACY, NONE",
        "INTEGRITY, NONE"
    })
    void otherStructure_doesNot(QualityOfProtection found, QualityOfProtection wanted) {
        assertThat(satisfies(sealed(policy(found, "bob")), policy(wanted, "bob")))
                .isFalse();
    }

    @Test
    void signedForAnotherAddress_doesNot() {
        Policy policy = policy(QualityOfProtection.INTEGRITY);

        assertThat(satisfies(sealed(policy), "orders.us", policy)).isFalse();
    }

    @Test
    void signerNotOnTheListOrUnknown_doesNot(@TempDir Path elsewhere) {
        Policy strict = Policy.integrity(Parties.ADDRESS)
                .with(new Policy.Signing(SignatureAlgorithm.SHA_512, List.of("bob"), CertificateInclusion.INCLUDED));
        Policy any = policy(QualityOfProtection.INTEGRITY);
        try (Parties strangers = new Parties(elsewhere)) {
            byte[] foreign = strangers.seal(
                    ClearMessage.of(Parties.ADDRESS, ClearMessage.Body.TEXT, PAYLOAD),
                    Parties.policies(any),
                    strangers.identity("mallory", KeyAlgorithm.EC_P256));

            assertThat(satisfies(sealed(any), strict)).isFalse();
            assertThat(satisfies(foreign, any)).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"INTEGRITY", "PRIVACY", "CONFIDENTIALITY"})
    void badBytes_doNotAndNeverThrow(QualityOfProtection quality) {
        Policy policy = policy(quality, "bob");
        byte[] envelope = sealed(policy);

        for (int length = 0; length < envelope.length; length++) {
            assertThat(satisfies(Arrays.copyOf(envelope, length), policy)).isFalse();
        }
        assertThat(satisfies(Arrays.copyOf(envelope, envelope.length + 1), policy))
                .isFalse();
        assertThat(satisfies(PAYLOAD, policy)).isFalse();
    }
}
