/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.exception.SenderMismatchException;
import org.signetmq.envelope.internal.cms.EnvelopeSplitter;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.HeaderName;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Openssl;

/** An opener shows the named sender only if a broker identity of the policy signed the envelope. */
final class ProvedSenderTest {
    private static final byte[] PAYLOAD = "transfer 100 to mallory".getBytes(UTF_8);

    @RegisterExtension
    static Parties parties = new Parties();

    private static Identity broker = parties.identity("broker");
    private static Identity mallory = parties.identity("mallory");
    private static Identity bob = parties.identity("bob");

    private static Policy policy(QualityOfProtection quality, String... brokers) {
        return Parties.policy(quality, "bob")
                .with(new Policy.Signing(
                        Policy.Signing.DEFAULT.algorithm(),
                        List.of(),
                        Policy.Signing.DEFAULT.certificate(),
                        List.of(brokers)));
    }

    private static ClearMessage from(String sender) {
        return new ClearMessage(Parties.ADDRESS, ClearMessage.Body.BYTES, PAYLOAD, sender, Map.of());
    }

    private static byte[] sealed(QualityOfProtection quality, String sender, Identity signer) {
        return parties.seal(from(sender), policy(quality), signer);
    }

    private static OpenedMessage open(byte[] envelope, Policy... policies) {
        return opener(Parties.policies(policies)).open(envelope, Parties.ADDRESS);
    }

    private static Opener opener(PolicySet policies) {
        return parties.opener(List.of(bob), policies);
    }

    @ParameterizedTest
    @CsvSource({
        "INTEGRITY, broker",
        "PRIVACY, broker",
        "INTEGRITY, 'CN=broker,O=Example'",
        "PRIVACY, ski",
    })
    void brokerOfThePolicy_provesTheSender(QualityOfProtection quality, String selector) {
        String named = selector.equals("ski") ? "ski:" + broker.keyIdentifier() : selector;

        OpenedMessage opened = open(sealed(quality, "alice", broker), policy(quality, "nobody-else", named));

        assertThat(opened.sender()).contains("alice");
    }

    @ParameterizedTest
    @EnumSource(
            value = QualityOfProtection.class,
            names = {"INTEGRITY", "PRIVACY"})
    void trustedSignerThatIsNoBroker_provesNoSender(QualityOfProtection quality) {
        for (String forged : List.of("root", "alice", "broker", "mallory", "CN=broker,O=Example", "ski:00", "a%b")) {
            OpenedMessage opened = open(sealed(quality, forged, mallory), policy(quality, "broker"));

            assertThat(opened.payload()).isEqualTo(PAYLOAD);
            assertThat(opened.sender()).as(forged).isEmpty();
            assertThat(opened.provedSender()).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = QualityOfProtection.class,
            names = {"INTEGRITY", "PRIVACY"})
    void policyWithoutBrokers_andNoPolicy_proveNoSender(QualityOfProtection quality) {
        byte[] envelope = sealed(quality, "alice", broker);

        assertThat(open(envelope, policy(quality)).sender()).isEmpty();
        assertThat(open(envelope).sender()).isEmpty();
        assertThat(open(envelope, policy(QualityOfProtection.NONE, "broker")).sender())
                .isEmpty();
    }

    @Test
    void confidentiality_provesNoSender_whateverThePolicySays() {
        byte[] envelope = sealed(QualityOfProtection.CONFIDENTIALITY, "alice", broker);

        assertThat(open(envelope, policy(QualityOfProtection.CONFIDENTIALITY, "broker"))
                        .sender())
                .isEmpty();
        assertThat(open(envelope).sender()).isEmpty();
    }

    /** The certificate is public, and an attacker needs no more than that. */
    @Test
    void confidentialityMadeByOpensslWithTheCertificateAlone_provesNoSender(@TempDir Path work) throws Exception {
        Openssl openssl = new Openssl(work);
        ExportedIdentity.write(bob, openssl);
        openssl.write("entity", entity("Signet-Sender: root\r\n"));
        openssl.line("cms -encrypt -aes-256-gcm -binary -keyid -in entity -outform DER -out sealed -recip bob.pem"
                + " -keyopt ecdh_kdf_md:sha256");

        OpenedMessage opened =
                open(openssl.read("sealed"), policy(QualityOfProtection.CONFIDENTIALITY, "broker", "bob"));

        assertThat(opened.payload()).isEqualTo(PAYLOAD);
        assertThat(opened.sender()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Signet-Sender: alice\r\nSignet-Sender: root\r\n",
                "Signet-Sender: alice\r\nsignet-sender: root\r\n",
                "Signet-Sender: alice\r\nSIGNET-SENDER: root\r\n",
                "Signet-Sender: %61lice\r\n",
            })
    void senderWrittenTwiceOrAnotherWay_isMalformed(String lines, @TempDir Path work) throws Exception {
        Openssl openssl = new Openssl(work);
        ExportedIdentity.write(broker, openssl);
        openssl.write("entity", entity(lines));
        openssl.line("cms -sign -binary -nodetach -md sha512 -keyid -in entity -signer broker.pem -inkey broker.key"
                + " -outform DER -out sealed");
        byte[] envelope = openssl.read("sealed");

        assertThatThrownBy(() -> open(envelope, policy(QualityOfProtection.INTEGRITY, "broker")))
                .isInstanceOf(MalformedEnvelopeException.class);
        assertThat(check(envelope, policy(QualityOfProtection.INTEGRITY, "broker"), SenderRule.ANY))
                .isFalse();
    }

    private static byte[] entity(String lines) {
        String head = HeaderName.COMMITTING_LINES + "Message-ID: <00112233445566778899aabbccddeeff>\r\nSignet-Address: "
                + Parties.ADDRESS + "\r\nSignet-Body: bytes\r\n" + lines + "\r\n";
        return DerWriter.concat(head.getBytes(UTF_8), PAYLOAD);
    }

    @ParameterizedTest
    @CsvSource({"broker, true", "mallory, false"})
    void largeMessage_isShownTheSameWay_onEverySegment(String signer, boolean proved) throws Exception {
        PolicySet policies = Parties.policies(policy(QualityOfProtection.PRIVACY, "broker"));
        byte[] whole = segments("alice", parties.identity(signer, KeyAlgorithm.EC_P256));

        assertThat(opener(policies).open(whole, Parties.ADDRESS).sender().isPresent())
                .isEqualTo(proved);
        SegmentOpener parts = opener(policies).openSegments(new ByteArrayInputStream(whole), Parties.ADDRESS);
        assertThat(parts.next().orElseThrow().sender().isPresent()).isEqualTo(proved);
        assertThat(parts.next().orElseThrow().sender().isPresent()).isEqualTo(proved);
        OpenedMessage facts = opener(policies)
                .openSegments(new ByteArrayInputStream(whole), Parties.ADDRESS)
                .transferTo(new ByteArrayOutputStream(), written -> {});
        assertThat(facts.sender().isPresent()).isEqualTo(proved);
    }

    @Test
    void segmentOfAnotherSender_isRejected() throws Exception {
        PolicySet policies = Parties.policies(policy(QualityOfProtection.PRIVACY, "broker"));
        byte[] genuine = segments("alice", broker);
        byte[] forged = segments("root", mallory);
        byte[] mixed = DerWriter.concat(
                Arrays.copyOf(genuine, first(genuine)), Arrays.copyOfRange(forged, first(forged), forged.length));

        Parties.assertRejected(MalformedEnvelopeException.class, opener(policies), mixed);
    }

    private static int first(byte[] segments) {
        return (int) EnvelopeSplitter.lengthOf(Slice.of(segments));
    }

    private static byte[] segments(String sender, Identity signer) throws Exception {
        ClearMessage head = new ClearMessage(Parties.ADDRESS, ClearMessage.Body.BYTES, new byte[0], sender, Map.of());
        EffectivePolicy policy = Parties.effective(policy(QualityOfProtection.PRIVACY));
        byte[] payload = new byte[SegmentSealer.SEGMENT_LENGTH + 1];
        return Parties.joined(parties.segments(head, policy, signer, payload));
    }

    /** Returns whether the envelope is well-formed, or throws the reason why it does not satisfy the policy. */
    private static boolean check(byte[] envelope, Policy policy, SenderRule rule) {
        try {
            parties.check().require(envelope, Parties.ADDRESS, new EffectivePolicy(policy, 17), rule);
            return true;
        } catch (MalformedEnvelopeException malformed) {
            return false;
        }
    }

    @Test
    void brokerThatTakesAnEnvelope_comparesTheSender() {
        byte[] forged = sealed(QualityOfProtection.INTEGRITY, "root", mallory);
        SenderRule nobody = (sender, signer) -> false;
        SenderRule alice = (sender, signer) -> sender.equals("alice");
        Policy designating = policy(QualityOfProtection.INTEGRITY, "broker");

        assertThatThrownBy(() -> check(forged, designating, alice)).isInstanceOf(SenderMismatchException.class);
        assertThatThrownBy(() -> check(forged, designating, nobody)).isInstanceOf(SenderMismatchException.class);
        assertThat(check(forged, designating, SenderRule.ANY)).isTrue();
        assertThat(check(sealed(QualityOfProtection.INTEGRITY, "alice", mallory), designating, alice))
                .isTrue();
        assertThat(check(sealed(QualityOfProtection.INTEGRITY, "root", broker), designating, alice))
                .isTrue();
        byte[] unnamed = parties.seal(
                ClearMessage.of(Parties.ADDRESS, ClearMessage.Body.BYTES, PAYLOAD),
                Parties.policies(policy(QualityOfProtection.INTEGRITY)),
                mallory);
        assertThat(check(unnamed, designating, nobody)).isTrue();
    }
}
