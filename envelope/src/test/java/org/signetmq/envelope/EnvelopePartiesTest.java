/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Enforcement;
import org.signetmq.policy.Policy.RequiredKeys;
import org.signetmq.policy.Policy.SignatureCheck;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.testkit.Certificates;
import org.signetmq.testkit.Tier;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class EnvelopePartiesTest {
    private static final int PAYLOAD = 50_000;
    private static final int RECIPIENT_INFOS = 1;
    private static final int SIGNER_INFOS = 4;

    private Parties parties;
    private Identity first;
    private Identity second;
    private Identity large;
    private Identity rsa;
    private Identity companion;

    @BeforeAll
    void createIdentities() {
        parties = new Parties();
        first = parties.identity("first");
        second = parties.identity("second");
        large = parties.identity("large", KeyAlgorithm.EC_P384);
        rsa = parties.identity("rsa", KeyAlgorithm.RSA_2048);
        companion = parties.identity("first.pq", KeyAlgorithm.ML_DSA_65);
    }

    @AfterAll
    void close() {
        parties.close();
    }

    private byte[] sealed(Policy policy) {
        return parties.seal(
                ClearMessage.of(Parties.ADDRESS, ClearMessage.Body.BYTES, new byte[PAYLOAD]),
                Parties.policies(policy),
                first);
    }

    private byte[] signedByBoth() {
        return parties.seal(
                ClearMessage.of(Parties.ADDRESS, ClearMessage.Body.BYTES, new byte[PAYLOAD]),
                Parties.policies(Policy.integrity(Parties.ADDRESS)
                        .with(new Policy.Signing(
                                SignatureAlgorithm.SHA_512, List.of("first"), CertificateInclusion.INCLUDED))
                        .with(new Enforcement(
                                SignatureCheck.SIGNATURE, false, false, null, List.of(), RequiredKeys.BOTH))),
                first.with(companion));
    }

    private byte[] agreed() {
        return sealed(Policy.authenticity(Parties.ADDRESS, List.of("second"), KeyLimits.DEFAULT));
    }

    private byte[] encrypted() {
        return sealed(
                Policy.confidentiality(Parties.ADDRESS, List.of("first", "second", "large", "rsa"), KeyLimits.DEFAULT));
    }

    private static EnvelopeParties read(byte[] envelope) throws IOException {
        return EnvelopeParties.read(new ByteArrayInputStream(envelope)).orElseThrow();
    }

    private static String name(Identity identity) {
        return EnvelopeParties.namesOf(identity.certificate()).get(0);
    }

    /** Counts the bytes that are read and not skipped. */
    private static final class CountedBytes extends ByteArrayInputStream {
        private int read;

        CountedBytes(byte[] bytes) {
            super(bytes);
        }

        @Override
        public synchronized int read() {
            read++;
            return super.read();
        }

        @Override
        public synchronized int read(byte[] bytes, int offset, int length) {
            int more = super.read(bytes, offset, length);
            read += Math.max(0, more);
            return more;
        }
    }

    @Test
    void encrypted_namesEachRecipient_andNothingBehindThemIsRead() throws IOException {
        CountedBytes bytes = new CountedBytes(encrypted());

        EnvelopeParties found = EnvelopeParties.read(bytes).orElseThrow();

        assertThat(found.recipients()).containsExactlyInAnyOrder(name(first), name(second), name(large), name(rsa));
        assertThat(found.signers()).isEmpty();
        assertThat(found.senderIfClaimed()).isEmpty();
        assertThat(bytes.available()).isGreaterThan(PAYLOAD);
    }

    @Test
    void privacy_showsNoSigner() throws IOException {
        EnvelopeParties found = read(sealed(Policy.privacy(Parties.ADDRESS, List.of("second"))));

        assertThat(found).isEqualTo(new EnvelopeParties(Set.of(name(second)), List.of(), null));
    }

    @ParameterizedTest
    @EnumSource(CertificateInclusion.class)
    void signed_namesTheSigner_andTheContentIsSkipped(CertificateInclusion inclusion) throws IOException {
        CountedBytes bytes = new CountedBytes(sealed(Policy.integrity(Parties.ADDRESS)
                .with(new Policy.Signing(SignatureAlgorithm.SHA_512, List.of(), inclusion))));

        EnvelopeParties found = EnvelopeParties.read(bytes).orElseThrow();

        assertThat(found.recipients()).isEmpty();
        assertThat(found.signers()).containsExactly(name(first));
        assertThat(bytes.read).isLessThan(200);
    }

    @Test
    void signedByBothKinds_namesBothSigners_theClassicalOneFirst() throws IOException {
        CountedBytes bytes = new CountedBytes(signedByBoth());

        EnvelopeParties found = EnvelopeParties.read(bytes).orElseThrow();

        assertThat(found).isEqualTo(new EnvelopeParties(Set.of(), List.of(name(first), name(companion)), null));
        assertThat(bytes.read).isLessThan(300);
    }

    @Test
    void authenticity_namesTheSender_andNothingBehindTheRecipientsIsRead() throws IOException {
        CountedBytes bytes = new CountedBytes(agreed());

        EnvelopeParties found = EnvelopeParties.read(bytes).orElseThrow();

        assertThat(found).isEqualTo(new EnvelopeParties(Set.of(name(second)), List.of(), name(first)));
        assertThat(bytes.available()).isGreaterThan(PAYLOAD);
    }

    @Test
    void agreementThatIsNotOfASender_orNotAlone_namesNone() throws IOException {
        DerNode otherKey = DerNode.parse(agreed());
        otherKey.child(1, 0, RECIPIENT_INFOS, 0, 2, 0).content()[20] ^= 1;
        DerNode besideAnother = DerNode.parse(agreed());
        DerNode infos = besideAnother.child(1, 0, RECIPIENT_INFOS);
        infos.children().add(DerNode.parse(encrypted()).child(1, 0, RECIPIENT_INFOS, 0));

        for (DerNode envelope : List.of(otherKey, besideAnother)) {
            assertThat(read(envelope.encoded()).senderIfClaimed()).isEmpty();
            assertThat(read(envelope.encoded()).recipients()).contains(name(second));
        }
    }

    /** An issuer may claim any identifier for the key, and the envelope of a sender has the key alone. */
    @Test
    void keyOfACertificateThatClaimsAnotherIdentifier_isNamedByItself() {
        X509Certificate certificate = first.certificate();
        X509Certificate claiming = Certificates.of(Certificates.subject(certificate), certificate.getPublicKey())
                .identifier(new byte[] {1, 2, 3})
                .signed(SoftwareKey.exported(first));

        assertThat(EnvelopeParties.namesOf(claiming)).contains(name(first)).contains("ski:010203");
    }

    @Test
    void issuerAndSerialNumber_areTheSecondNameOfACertificate() throws IOException {
        DerNode envelope = DerNode.parse(sealed(Policy.privacy(Parties.ADDRESS, List.of("second"))));
        DerNode certificate = DerNode.parse(encoded(second));
        DerNode key = envelope.child(1, 0, RECIPIENT_INFOS, 0, 3, 0);
        key.children()
                .set(
                        0,
                        DerNode.constructed(
                                DerReader.SEQUENCE,
                                certificate.child(0, 3).copy(),
                                certificate.child(0, 1).copy()));

        assertThat(read(envelope.encoded()).recipients())
                .containsExactly(EnvelopeParties.namesOf(second.certificate()).get(1));
    }

    private static byte[] encoded(Identity identity) {
        try {
            return identity.certificate().getEncoded();
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void indefiniteLengths_areReadAlike() throws IOException {
        for (byte[] envelope : List.of(encrypted(), agreed(), signedByBoth())) {
            DerNode node = DerNode.parse(envelope);
            node.all().forEach(DerNode::makeIndefinite);
            node.makeIndefinite();

            assertThat(read(node.encoded())).isEqualTo(read(envelope));
        }
    }

    @Test
    void otherKindsOfRecipients_areSkipped() throws IOException {
        DerNode envelope = DerNode.parse(encrypted());
        DerNode infos = envelope.child(1, 0, RECIPIENT_INFOS);
        infos.children()
                .add(
                        0,
                        DerNode.constructed(
                                DerReader.constructed(4),
                                DerNode.primitive(DerReader.OID, new byte[] {42}),
                                DerNode.primitive(DerReader.OCTET_STRING, new byte[] {1})));
        infos.children().add(DerNode.constructed(DerReader.constructed(2), DerNode.primitive(2, new byte[] {1})));

        assertThat(read(envelope.encoded()).recipients()).hasSize(4);
    }

    @Test
    void otherBytes_areNoEnvelope() throws IOException {
        for (byte[] bytes :
                List.of(new byte[0], new byte[] {0x30}, "in clear".repeat(9).getBytes(US_ASCII))) {
            assertThat(EnvelopeParties.read(new ByteArrayInputStream(bytes))).isEmpty();
        }
    }

    private Stream<byte[]> hostile() {
        DerNode many = DerNode.parse(encrypted());
        DerNode infos = many.child(1, 0, RECIPIENT_INFOS);
        for (int i = 0; i < 1000; i++) {
            infos.children().add(DerNode.constructed(DerReader.constructed(2)));
        }
        DerNode manyKeys = DerNode.parse(sealed(Policy.privacy(Parties.ADDRESS, List.of("second"))));
        DerNode keys = manyKeys.child(1, 0, RECIPIENT_INFOS, 0, 3);
        for (int i = 0; i < 1000; i++) {
            keys.children().add(keys.child(0).copy());
        }
        DerNode longName = DerNode.parse(sealed(Policy.privacy(Parties.ADDRESS, List.of("second"))));
        longName.child(1, 0, RECIPIENT_INFOS, 0, 3, 0, 0, 0).setContent(new byte[65]);
        DerNode deep = DerNode.parse(encrypted());
        DerNode inner = DerNode.constructed(DerReader.constructed(3));
        for (int i = 0; i < 40; i++) {
            inner = DerNode.constructed(DerReader.constructed(3), inner);
            inner.makeIndefinite();
        }
        deep.child(1, 0, RECIPIENT_INFOS).children().add(inner);
        DerNode threeSigners = DerNode.parse(signedByBoth());
        DerNode signers = threeSigners.child(1, 0, SIGNER_INFOS);
        signers.children().add(signers.child(0).copy());
        DerNode longMaterial = DerNode.parse(agreed());
        longMaterial.child(1, 0, RECIPIENT_INFOS, 0, 2, 0).setContent(new byte[65]);
        return Stream.of(
                many.encoded(),
                manyKeys.encoded(),
                longName.encoded(),
                deep.encoded(),
                threeSigners.encoded(),
                longMaterial.encoded());
    }

    @Test
    void namesBeyondTheLimits_areMalformed() {
        assertThat(hostile())
                .allSatisfy(
                        bytes -> assertThatThrownBy(() -> read(bytes)).isInstanceOf(MalformedEnvelopeException.class));
    }

    @Test
    void lengthOfFourGigabytes_isMalformed_andTakesNoMemory() {
        byte[] envelope = encrypted();
        byte[] claimed = new byte[envelope.length + 2];
        System.arraycopy(envelope, 4, claimed, 6, envelope.length - 4);
        claimed[0] = 0x30;
        claimed[1] = (byte) 0x84;
        Arrays.fill(claimed, 2, 6, (byte) 0xFF);

        assertThatThrownBy(() -> read(claimed)).isInstanceOf(MalformedEnvelopeException.class);
    }

    @Test
    void cutOrDamagedEnvelopes_areRejectedOrRead_andThrowNothingElse() {
        for (byte[] envelope : List.of(encrypted(), sealed(Policy.integrity(Parties.ADDRESS)))) {
            int head = Math.min(700, envelope.length);
            for (int i = 32; i < head; i += Tier.isLong() ? 1 : 7) {
                byte[] cut = Arrays.copyOf(envelope, i);
                assertThatThrownBy(() -> read(cut))
                        .isInstanceOfAny(EOFException.class, MalformedEnvelopeException.class);
                byte[] damaged = envelope.clone();
                damaged[i] ^= (byte) (1 << i % 8);
                assertThatCode(() -> attempt(damaged)).doesNotThrowAnyException();
            }
        }
    }

    private static void attempt(byte[] envelope) throws IOException {
        try {
            var unused = EnvelopeParties.read(new ByteArrayInputStream(envelope));
        } catch (EOFException | MalformedEnvelopeException rejected) {
            // as it should be
        }
    }
}
