/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.envelope.exception.AddressMismatchException;
import org.signetmq.envelope.exception.AuthenticationFailedException;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.exception.SenderMismatchException;
import org.signetmq.envelope.exception.SignerNotAuthorizedException;
import org.signetmq.envelope.exception.SignerRejectedException;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.Segment;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Enforcement;
import org.signetmq.policy.Policy.SignatureCheck;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.testkit.Openssl;

/** What a broker requires of a sealed message without a private key: each envelope fails exactly one check. */
final class EnforcementTest {
    private static final byte[] PAYLOAD = "transfer 100 to alice".getBytes(UTF_8);
    private static final Policy INTEGRITY = Parties.policy(QualityOfProtection.INTEGRITY);
    private static final Policy FOR_BOB = Parties.policy(QualityOfProtection.CONFIDENTIALITY, "bob");

    @RegisterExtension
    static Parties parties = new Parties("bob", "carol");

    @TempDir
    Path folder;

    private static Identity alice;

    @BeforeAll
    static void createIdentities() {
        alice = parties.identity("alice");
    }

    private static Policy with(Policy policy, SignatureCheck verify, boolean extra, boolean bind) {
        return policy.with(new Enforcement(verify, extra, bind, null, List.of()));
    }

    private static void require(byte[] envelope, Policy policy) {
        parties.check().require(envelope, Parties.ADDRESS, Parties.effective(policy), SenderRule.ANY);
    }

    private static void requireRejected(byte[] envelope, Policy policy, Class<? extends EnvelopeException> type) {
        assertThatThrownBy(() -> require(envelope, policy)).isInstanceOf(type);
    }

    private static byte[] signed() {
        return parties.seal(Parties.text(PAYLOAD), INTEGRITY, alice);
    }

    @Test
    void brokenSignature_passesTheStructureAlone() {
        byte[] envelope = signed();
        envelope[envelope.length - 1] ^= 1; // the last octet of the signature
        Policy structure = with(INTEGRITY, SignatureCheck.STRUCTURE, false, false);

        requireRejected(envelope, INTEGRITY, AuthenticationFailedException.class);
        assertThatCode(() -> require(envelope, structure)).doesNotThrowAnyException();
    }

    @Test
    void structure_checksAllButTheSignature() throws Exception {
        Policy structure = with(INTEGRITY, SignatureCheck.STRUCTURE, false, false);
        byte[] changed = signed();
        int at = new String(changed, ISO_8859_1).indexOf("transfer");
        changed[at] ^= 1;
        requireRejected(changed, structure, AuthenticationFailedException.class);

        Policy bobAlone = structure.with(
                new Policy.Signing(SignatureAlgorithm.SHA_512, List.of("bob"), CertificateInclusion.INCLUDED));
        requireRejected(signed(), bobAlone, SignerNotAuthorizedException.class);

        try (Parties strangers = new Parties()) {
            byte[] foreign = strangers.seal(Parties.text(PAYLOAD), INTEGRITY, strangers.identity("mallory"));
            requireRejected(foreign, structure, SignerRejectedException.class);
        }

        ClearMessage elsewhere = ClearMessage.of("orders.us", ClearMessage.Body.TEXT, PAYLOAD);
        requireRejected(parties.seal(elsewhere, INTEGRITY, alice), structure, AddressMismatchException.class);
        assertThatCode(() -> require(signed(), structure)).doesNotThrowAnyException();
    }

    /** Someone removes the signature, and sends the payload alone or encrypted for the right reader. */
    @Test
    void strippedSignature_isRejected() {
        byte[] encrypted = parties.seal(Parties.text(PAYLOAD), FOR_BOB, alice);

        requireRejected(encrypted, INTEGRITY, PolicyViolationException.class);
        requireRejected(PAYLOAD, INTEGRITY, MalformedEnvelopeException.class);
    }

    @Test
    void certificateThatEndedDuringTheSession_isRejectedFromThenOn() {
        byte[] envelope = signed();
        Clock later = Clock.offset(Clock.systemUTC(), Duration.ofDays(365 * 30));
        EnvelopeCheck check = new EnvelopeCheck(
                parties.home.recipientDirectory(), parties.home.certificateTrust(), later, CryptoProviders.standard());

        assertThatThrownBy(() -> check.require(envelope, Parties.ADDRESS, Parties.effective(INTEGRITY), SenderRule.ANY))
                .isInstanceOf(SignerRejectedException.class);
    }

    /** The signing time of a producer proves nothing; it counts only where the policy has a replay window. */
    @Test
    void clockOffByADay_passesWithoutAReplayWindow() {
        Clock tomorrow = Clock.offset(Clock.systemUTC(), Duration.ofDays(1));
        try (SegmentForge forge = new SegmentForge(parties.home, tomorrow)) {
            byte[] envelope = forge.envelope(kind(INTEGRITY), PAYLOAD, null);

            assertThatCode(() -> require(envelope, INTEGRITY)).doesNotThrowAnyException();
        }
    }

    private static SegmentForge.Kind kind(Policy policy) {
        return new SegmentForge.Kind(policy, alice, Parties.text(new byte[0]), new byte[16]);
    }

    @Test
    void extraRecipient_passesWhereAllowed_andNoneIsMissing() {
        Policy allowing = with(FOR_BOB, SignatureCheck.SIGNATURE, true, false);
        byte[] more = parties.seal(
                Parties.text(PAYLOAD), Parties.policy(QualityOfProtection.CONFIDENTIALITY, "carol", "bob"), alice);
        byte[] others = parties.seal(
                Parties.text(PAYLOAD), Parties.policy(QualityOfProtection.CONFIDENTIALITY, "carol", "alice"), alice);

        requireRejected(more, FOR_BOB, PolicyViolationException.class);
        assertThatCode(() -> require(more, allowing)).doesNotThrowAnyException();
        requireRejected(others, allowing, PolicyViolationException.class);
    }

    @Test
    void extraRecipients_areBounded() throws Exception {
        Openssl openssl = new Openssl(folder);
        String bob = ExportedIdentity.write(parties.identity("bob"), openssl);
        String carol = ExportedIdentity.write(parties.identity("carol"), openssl);
        openssl.write("payload", PAYLOAD);
        Policy allowing = with(FOR_BOB, SignatureCheck.SIGNATURE, true, false);
        String encrypt = "cms -encrypt -binary -aes-256-gcm -in payload -outform DER -out sealed" + recipient(bob);

        openssl.line(encrypt + recipient(carol).repeat(Limits.EXTRA_RECIPIENTS));
        assertThatCode(() -> require(openssl.read("sealed"), allowing)).doesNotThrowAnyException();
        openssl.line(encrypt + recipient(carol).repeat(Limits.EXTRA_RECIPIENTS + 1));
        requireRejected(openssl.read("sealed"), allowing, PolicyViolationException.class);
    }

    private static String recipient(String name) {
        return " -recip " + name + ".pem -keyopt ecdh_kdf_md:sha256";
    }

    /** An envelope of the partner's own tools, whose entity a script wrote. */
    @Test
    void envelopeOfOpenssl_passesWithEachRule() throws Exception {
        Openssl openssl = new Openssl(folder);
        String name = ExportedIdentity.write(alice, openssl);
        String header = String.join(
                "\r\n",
                "Message-ID: <00112233445566778899aabbccddeeff>",
                "Signet-Version: 1",
                "Signet-Address: orders.eu",
                "Signet-Body: jms/text",
                "");
        String sign = "cms -sign -binary -nodetach -md sha512 -in entity -outform DER -out sealed -signer " + name
                + ".pem -inkey " + name + ".key";
        openssl.write("entity", (header + "\r\nhello").getBytes(UTF_8));
        openssl.line(sign);
        byte[] good = openssl.read("sealed");
        for (SignatureCheck verify : SignatureCheck.values()) {
            Policy bound = with(INTEGRITY, verify, false, true);
            assertThatCode(() -> parties.check()
                            .require(good, Parties.ADDRESS, Parties.effective(bound), user(List.of("alice"))))
                    .doesNotThrowAnyException();
        }

        openssl.write("entity", (header.replace("Version: 1", "Version: 2") + "\r\nhello").getBytes(UTF_8));
        openssl.line(sign);
        requireRejected(openssl.read("sealed"), INTEGRITY, MalformedEnvelopeException.class);
    }

    private static SenderRule user(List<String> signers) {
        return new SenderRule() {
            @Override
            public boolean accepts(String sender, X509Certificate signer) {
                return true;
            }

            @Override
            public Optional<String> problemWithSigner(Predicate<List<String>> isSigner) {
                return isSigner.test(signers) ? Optional.empty() : Optional.of("does not belong to user 'u'");
            }
        };
    }

    @Test
    void signerOfAnotherUser_isRejectedWhereUsersAreBound() {
        Policy bound = with(INTEGRITY, SignatureCheck.SIGNATURE, false, true);
        EnvelopeCheck check = parties.check();
        Map<List<String>, Boolean> cases = Map.of(
                List.of("alice"), true,
                List.of("CN=alice,O=Example"), true,
                List.of("ski:" + alice.keyIdentifier()), true,
                List.of("bob", "alice"), true,
                List.of("bob"), false,
                List.of(), false);

        cases.forEach((signers, belongs) -> {
            assertThatCode(() -> check.require(signed(), Parties.ADDRESS, Parties.effective(INTEGRITY), user(signers)))
                    .doesNotThrowAnyException();
            var rejected = assertThatCode(
                            () -> check.require(signed(), Parties.ADDRESS, Parties.effective(bound), user(signers)))
                    .as(signers.toString());
            if (belongs) {
                rejected.doesNotThrowAnyException();
            } else {
                rejected.isInstanceOf(SenderMismatchException.class)
                        .hasMessageContaining("does not belong to user 'u'")
                        .hasMessageContaining("bind-user");
            }
        });
    }

    @Test
    void segmentWithTooMuchPayload_isRejected() {
        try (SegmentForge forge = new SegmentForge(parties)) {
            byte[] full = new byte[Segment.FULL_LENGTH];
            byte[] longer = new byte[Segment.FULL_LENGTH + 1];

            assertThatCode(() -> require(Parties.joined(forge.message(kind(INTEGRITY), full, PAYLOAD)), INTEGRITY))
                    .doesNotThrowAnyException();
            requireRejected(
                    Parties.joined(forge.message(kind(INTEGRITY), longer, PAYLOAD)),
                    INTEGRITY,
                    MalformedEnvelopeException.class);
            byte[] hidden = new byte[Limits.ENCRYPTED_SEGMENT + 1];
            Policy encrypted = Policy.confidentiality(Parties.ADDRESS, List.of("bob"), KeyLimits.DEFAULT);
            requireRejected(
                    Parties.joined(forge.message(kind(encrypted), hidden, PAYLOAD)),
                    encrypted,
                    MalformedEnvelopeException.class);
            requireRejected(
                    Parties.joined(forge.message(kind(encrypted), full, hidden)),
                    encrypted,
                    MalformedEnvelopeException.class);
            assertThatCode(() -> require(Parties.joined(forge.message(kind(encrypted), full, full)), encrypted))
                    .doesNotThrowAnyException();
            assertThatCode(() -> require(forge.envelope(kind(encrypted), hidden, null), encrypted))
                    .as("one envelope alone may be longer")
                    .doesNotThrowAnyException();
        }
    }
}
