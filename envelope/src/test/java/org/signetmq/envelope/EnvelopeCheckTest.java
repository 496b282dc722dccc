/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.testkit.Tier;

final class EnvelopeCheckTest {
    private static final byte[] PAYLOAD = "transfer 100 to alice".getBytes(UTF_8);

    @RegisterExtension
    static Parties parties = new Parties("bob");

    private static Identity alice = parties.identity("alice");

    @BeforeAll
    static void createIdentities() {
        parties.identity("rsa", KeyAlgorithm.RSA_2048);
    }

    private static byte[] sealed(Policy policy) {
        return parties.seal(Parties.text(PAYLOAD), policy, alice);
    }

    @ParameterizedTest
    @CsvSource({"INTEGRITY, bob", "PRIVACY, bob", "CONFIDENTIALITY, bob", "PRIVACY, rsa", "CONFIDENTIALITY, rsa"})
    void envelopeOfThePolicy_satisfies(QualityOfProtection quality, String recipient) {
        Policy policy = Parties.policy(quality, recipient);

        assertThat(parties.satisfies(sealed(policy), policy)).isTrue();
    }

    @Test
    void severalRecipientsInAnyOrder_satisfy() {
        assertThat(parties.satisfies(
                        sealed(Parties.policy(QualityOfProtection.PRIVACY, "alice", "bob", "rsa")),
                        Parties.policy(QualityOfProtection.CONFIDENTIALITY, "rsa", "bob", "alice")))
                .as("privacy and confidentiality look alike from outside")
                .isTrue();
    }

    @Test
    void recipientsOtherThanThePolicys_doNot() {
        Policy both = Parties.policy(QualityOfProtection.CONFIDENTIALITY, "bob", "rsa");
        Policy one = Parties.policy(QualityOfProtection.CONFIDENTIALITY, "bob");
        Policy other = Parties.policy(QualityOfProtection.CONFIDENTIALITY, "alice");
        Policy unknown = Parties.policy(QualityOfProtection.CONFIDENTIALITY, "nobody");

        assertThat(parties.satisfies(sealed(one), both)).as("one is missing").isFalse();
        assertThat(parties.satisfies(sealed(both), one))
                .as("somebody else could read it")
                .isFalse();
        assertThat(parties.satisfies(sealed(one), other)).isFalse();
        assertThat(parties.satisfies(sealed(one), unknown)).isFalse();
    }

    /** A cached recipient must not outlive a change of the directory. */
    @Test
    void recipientOfAnotherCertificateFromNowOn_isMeantByThatOneAtOnce() {
        Policy policy = Parties.policy(QualityOfProtection.CONFIDENTIALITY, "bob");
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
        assertThat(parties.satisfies(sealed(Parties.policy(found, "bob")), Parties.policy(wanted, "bob")))
                .isFalse();
    }

    @Test
    void signedForAnotherAddress_doesNot() {
        Policy policy = Parties.policy(QualityOfProtection.INTEGRITY);

        assertThat(parties.check().satisfies(sealed(policy), "orders.us", Parties.effective(policy), SenderRule.ANY))
                .isFalse();
    }

    @Test
    void signerNotOnTheListOrUnknown_doesNot() {
        Policy strict = Policy.integrity(Parties.ADDRESS)
                .with(new Policy.Signing(SignatureAlgorithm.SHA_512, List.of("bob"), CertificateInclusion.INCLUDED));
        Policy any = Parties.policy(QualityOfProtection.INTEGRITY);
        try (Parties strangers = new Parties()) {
            byte[] foreign = strangers.seal(Parties.text(PAYLOAD), any, strangers.identity("mallory"));

            assertThat(parties.satisfies(sealed(any), strict)).isFalse();
            assertThat(parties.satisfies(foreign, any)).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"INTEGRITY", "PRIVACY", "CONFIDENTIALITY"})
    void badBytes_doNotAndNeverThrow(QualityOfProtection quality) {
        Policy policy = Parties.policy(quality, "bob");
        byte[] envelope = sealed(policy);

        for (int length = envelope.length - 1; length >= 0; length -= Tier.isLong() ? 1 : 7) {
            assertThat(parties.satisfies(Arrays.copyOf(envelope, length), policy))
                    .isFalse();
        }
        assertThat(parties.satisfies(Arrays.copyOf(envelope, envelope.length + 1), policy))
                .isFalse();
        assertThat(parties.satisfies(PAYLOAD, policy)).isFalse();
    }
}
