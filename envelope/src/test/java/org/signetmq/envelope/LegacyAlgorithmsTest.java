/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.envelope.EnvelopeDescription.MessageDescription;
import org.signetmq.envelope.exception.AuthenticationFailedException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.exception.NotARecipientException;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.cms.RecipientInfo;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.entity.HeaderWriter;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.Segment;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.LegacyAlgorithms;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.Toleration;
import org.signetmq.testkit.Openssl;

/** Envelopes of stock openssl with PKCS#1 v1.5, or SHA-1 for their keys, open only if the policy accepts them. */
final class LegacyAlgorithmsTest {
    private static final byte[] PAYLOAD = "transfer 100 to mallory".getBytes(UTF_8);
    private static final String OAEP_SHA_256 = "-keyopt rsa_padding_mode:oaep -keyopt rsa_oaep_md:sha256";

    @RegisterExtension
    static Parties parties = new Parties();

    private static Identity rsa = parties.identity("rsa", KeyAlgorithm.RSA_2048);
    private static Identity ec = parties.identity("ec");

    @TempDir
    Path folder;

    private Openssl openssl;

    /** The old algorithms with which an attacker encrypts by the certificate only. */
    private enum Old {
        PKCS1("rsa", "PKCS#1", ""),
        OAEP_SHA_1("rsa", "RSA OAEP with SHA-1", " -keyopt rsa_padding_mode:oaep"),
        SHA_1_KDF("ec", "SHA-1", "");

        private final String recipient;
        private final String called;
        private final String options;

        Old(String recipient, String called, String options) {
            this.recipient = recipient;
            this.called = called;
            this.options = options;
        }

        Identity identity() {
            return this == SHA_1_KDF ? ec : rsa;
        }

        Policy policy(QualityOfProtection quality, LegacyAlgorithms legacy) {
            return Parties.policy(quality, recipient)
                    .with(new Policy.Acceptance(Toleration.ENFORCE, SealingPlace.EITHER, legacy));
        }
    }

    @BeforeEach
    void prepare() throws Exception {
        openssl = new Openssl(folder);
        ExportedIdentity.write(rsa, openssl);
        ExportedIdentity.write(ec, openssl);
    }

    /** Encrypted by openssl, for each of these recipients with these options. */
    private byte[] encrypted(byte[] content, String... recipientsAndOptions) throws Exception {
        openssl.write("entity", content);
        openssl.line("cms -encrypt -aes-256-gcm -binary -keyid -in entity -outform DER -out encrypted -recip "
                + String.join(" -recip ", recipientsAndOptions));
        return openssl.read("encrypted");
    }

    private byte[] encrypted(Old old) throws Exception {
        return encrypted(entity(null), old.recipient + ".pem" + old.options);
    }

    private static byte[] entity(@Nullable Segment segment) {
        HeaderWriter header = new HeaderWriter();
        ClearMessage message = ClearMessage.of(Parties.ADDRESS, ClearMessage.Body.BYTES, PAYLOAD);
        header.write(message, new byte[16], "orders@17", segment);
        return DerWriter.concat(Arrays.copyOf(header.buffer(), header.length()), PAYLOAD);
    }

    @ParameterizedTest
    @EnumSource(Old.class)
    void withoutThePolicysWord_rejectedBeforeAPrivateKeyIsUsed_underEveryQuality(Old old) throws Exception {
        byte[] envelope = encrypted(old);

        for (QualityOfProtection quality : QualityOfProtection.values()) {
            Opener opener =
                    parties.opener(List.of(rsa, ec), Parties.policies(old.policy(quality, LegacyAlgorithms.REFUSED)));
            assertThatThrownBy(() -> opener.open(envelope, Parties.ADDRESS))
                    .as(quality.label())
                    .isInstanceOf(PolicyViolationException.class)
                    .hasMessageContaining(old.called)
                    .hasMessageContaining("accept-legacy");
            assertThat(opener.unwraps()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Old.class)
    void whereNoPolicyIs_rejectedToo_unlessTheOpenerIsMadeToAcceptIt(Old old) throws Exception {
        byte[] envelope = encrypted(old);
        Opener opener = parties.opener(List.of(old.identity()), PolicySet.EMPTY);
        Opener.Keys keys = parties.keys(List.of(old.identity()));

        Parties.assertRejected(PolicyViolationException.class, opener, envelope, "--accept-legacy");
        assertThatThrownBy(() -> opener.sealedAddress(envelope)).isInstanceOf(PolicyViolationException.class);
        assertThat(opener.unwraps()).isZero();
        try (Opener asked = Opener.create(keys, () -> PolicySet.EMPTY, LegacyAlgorithms.ACCEPTED)) {
            assertThat(asked.open(envelope, Parties.ADDRESS).payload()).isEqualTo(PAYLOAD);
        }
        PolicySet rejecting =
                Parties.policies(old.policy(QualityOfProtection.CONFIDENTIALITY, LegacyAlgorithms.REFUSED));
        try (Opener asked = Opener.create(keys, () -> rejecting, LegacyAlgorithms.ACCEPTED)) {
            assertThatThrownBy(() -> asked.open(envelope, Parties.ADDRESS))
                    .as("a policy decides for its own addresses")
                    .isInstanceOf(PolicyViolationException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Old.class)
    void withThePolicysWord_opens_andTheNextMessageElsewhereIsRejectedAllTheSame(Old old) throws Exception {
        byte[] envelope = encrypted(old);
        Policy accepting = old.policy(QualityOfProtection.CONFIDENTIALITY, LegacyAlgorithms.ACCEPTED);
        Opener opener = parties.opener(List.of(old.identity()), Parties.policies(accepting));

        for (int i = 0; i < 3; i++) { // the opener knows the recipients of the third
            assertThat(opener.open(envelope, Parties.ADDRESS).payload()).isEqualTo(PAYLOAD);
        }

        assertThatThrownBy(() -> opener.open(envelope, "elsewhere")).isInstanceOf(PolicyViolationException.class);
        assertThatThrownBy(() -> opener.sealedAddress(envelope)).isInstanceOf(PolicyViolationException.class);
        assertThat(opener.unwraps()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Old.class)
    void segments_areRejectedFromTheFirstOldOneOn(Old old) throws Exception {
        byte[] first = encrypted(
                entity(new Segment(1, false)),
                old != Old.SHA_1_KDF ? "rsa.pem " + OAEP_SHA_256 : "ec.pem -keyopt ecdh_kdf_md:sha256");
        byte[] second = encrypted(entity(new Segment(2, true)), old.recipient + ".pem" + old.options);
        byte[] row = DerWriter.concat(first, second);
        Opener opener = parties.opener(
                List.of(old.identity()),
                Parties.policies(old.policy(QualityOfProtection.CONFIDENTIALITY, LegacyAlgorithms.REFUSED)));

        SegmentOpener segments = opener.openSegments(new ByteArrayInputStream(row), Parties.ADDRESS);
        assertThat(segments.next().orElseThrow().payload()).isEqualTo(PAYLOAD);
        assertThatThrownBy(segments::next).isInstanceOf(PolicyViolationException.class);
        assertThat(opener.unwraps()).isEqualTo(1);
        Parties.assertRejected(PolicyViolationException.class, opener, row);
        assertThat(opener.unwraps()).isEqualTo(2);

        Opener accepting = parties.opener(
                List.of(old.identity()),
                Parties.policies(old.policy(QualityOfProtection.CONFIDENTIALITY, LegacyAlgorithms.ACCEPTED)));
        assertThat(accepting.open(row, Parties.ADDRESS).payload()).isEqualTo(DerWriter.concat(PAYLOAD, PAYLOAD));
    }

    /** A weak entry for one recipient gives the data key of all. */
    @Test
    void oldForOneRecipient_isRejectedForAll() throws Exception {
        byte[] oaepAndSha1 = encrypted(entity(null), "rsa.pem " + OAEP_SHA_256, "ec.pem");
        byte[] pkcs1AndSha256 = encrypted(entity(null), "rsa.pem", "ec.pem -keyopt ecdh_kdf_md:sha256");
        byte[] twice = encrypted(entity(null), "rsa.pem " + OAEP_SHA_256, "rsa.pem");
        Policy policy = Policy.confidentiality(Parties.ADDRESS, List.of("rsa", "ec"), KeyLimits.DEFAULT);

        for (byte[] envelope : List.of(oaepAndSha1, pkcs1AndSha256, twice)) {
            for (Identity reader : List.of(rsa, ec)) {
                Opener opener = parties.opener(List.of(reader), Parties.policies(policy));
                Parties.assertRejected(PolicyViolationException.class, opener, envelope);
                assertThat(opener.unwraps()).isZero();
            }
        }
    }

    /** A rejection depends on the structure only. An accepted structure has one answer for each fault. */
    @Test
    void badPadding_isAnsweredLikeAnyOtherChange() throws Exception {
        byte[] envelope = encrypted(Old.PKCS1);
        byte[] padding = envelope.clone();
        int wrapped = indexOfWrappedKey(envelope);
        padding[wrapped + 20] ^= 1;
        byte[] tag = envelope.clone();
        tag[tag.length - 1] ^= 1;

        for (LegacyAlgorithms legacy : LegacyAlgorithms.values()) {
            Opener opener = parties.opener(
                    List.of(rsa), Parties.policies(Old.PKCS1.policy(QualityOfProtection.CONFIDENTIALITY, legacy)));
            Throwable ofPadding = catchThrowable(() -> opener.open(padding, Parties.ADDRESS));
            Throwable ofTag = catchThrowable(() -> opener.open(tag, Parties.ADDRESS));
            assertThat(ofPadding)
                    .isInstanceOf(
                            legacy == LegacyAlgorithms.ACCEPTED
                                    ? AuthenticationFailedException.class
                                    : PolicyViolationException.class)
                    .hasSameClassAs(ofTag)
                    .hasMessage(ofTag.getMessage())
                    .hasNoCause();
        }
    }

    private static int indexOfWrappedKey(byte[] envelope) {
        ParsedEnvelope.Encrypted parsed = (ParsedEnvelope.Encrypted) EnvelopeParser.parse(Slice.of(envelope));
        Slice wrapped = ((RecipientInfo.Transport) parsed.recipients().get(0)).wrapped();
        assertThat(wrapped.array()).as("not transcoded").isSameAs(envelope);
        return wrapped.offset();
    }

    @ParameterizedTest
    @EnumSource(Old.class)
    void broker_passesItAsItIs_whereThePolicySaysSoAlone(Old old) throws Exception {
        byte[] envelope = encrypted(old);
        EnvelopeCheck check = parties.check();

        for (QualityOfProtection quality : List.of(QualityOfProtection.PRIVACY, QualityOfProtection.CONFIDENTIALITY)) {
            for (LegacyAlgorithms legacy : LegacyAlgorithms.values()) {
                EffectivePolicy policy = new EffectivePolicy(old.policy(quality, legacy), 17);
                boolean accepted = legacy == LegacyAlgorithms.ACCEPTED;
                assertThat(check.satisfies(envelope, Parties.ADDRESS, policy, SenderRule.ANY))
                        .isEqualTo(accepted);
                assertThat(check.chain(Parties.ADDRESS, policy, SenderRule.ANY).accepts(envelope, 0, envelope.length))
                        .isEqualTo(accepted);
            }
        }
    }

    /** Other algorithms are never read, and the reason names them, not other recipients or a message in clear. */
    @Test
    void otherAlgorithms_areNamedAndNeverRead() throws Exception {
        Policy accepting = Old.PKCS1.policy(QualityOfProtection.CONFIDENTIALITY, LegacyAlgorithms.ACCEPTED);
        Opener opener = parties.opener(List.of(ec, rsa), Parties.policies(accepting));
        byte[] mixed = encrypted(
                entity(null),
                "rsa.pem -keyopt rsa_padding_mode:oaep -keyopt rsa_oaep_md:sha256 -keyopt rsa_mgf1_md:sha1");

        assertThatThrownBy(() -> opener.open(mixed, Parties.ADDRESS))
                .isInstanceOf(NotARecipientException.class)
                .hasMessageContaining(
                        "its data key for 'rsa' is protected by RSA OAEP with SHA-256 and MGF1 with SHA-1;");
        assertThat(EnvelopeDescription.of(mixed).recipients())
                .extracting(EnvelopeDescription.RecipientDescription::keyEncryption)
                .containsExactly("RSA OAEP with SHA-256 and MGF1 with SHA-1");
        for (String cipher : List.of("des3 3DES-CBC", "aes-256-cbc AES-256-CBC", "aes-128-gcm AES-128-GCM")) {
            String[] names = cipher.split(" ", 2);
            openssl.line("cms -encrypt -binary -stream -indef -in entity -outform DER -out other -" + names[0]
                    + " -recip rsa.pem -keyopt rsa_padding_mode:oaep -keyopt rsa_oaep_md:sha256");
            byte[] other = openssl.read("other");
            assertThatThrownBy(() -> opener.open(other, Parties.ADDRESS)).hasMessageContaining(names[1]);
            assertThatThrownBy(() -> opener.openSegments(new ByteArrayInputStream(other), Parties.ADDRESS)
                            .openAll(0))
                    .hasMessageContaining(names[1]);
            assertThatThrownBy(() -> MessageDescription.of(new ByteArrayInputStream(other)))
                    .hasMessageContaining(names[1]);
        }
        assertThat(opener.unwraps()).isZero();
    }

    @Test
    void signaturesWithSha1_areNeverRead() throws Exception {
        Policy accepting = Old.PKCS1.policy(QualityOfProtection.CONFIDENTIALITY, LegacyAlgorithms.ACCEPTED);
        Opener opener = parties.opener(List.of(rsa), Parties.policies(accepting));

        openssl.write("entity", entity(null));
        for (String digest : List.of("sha1", "md5")) {
            for (String signer : List.of("rsa", "ec")) {
                if (digest.equals("md5") && signer.equals("ec")) {
                    continue; // openssl does not make it
                }
                openssl.line("cms -sign -binary -nodetach -md " + digest + " -in entity -signer " + signer
                        + ".pem -inkey " + signer + ".key -outform DER -out signed");
                byte[] signed = openssl.read("signed");
                assertThatThrownBy(() -> opener.open(signed, "elsewhere"))
                        .isInstanceOf(MalformedEnvelopeException.class);
            }
        }
    }
}
