/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.envelope.EnvelopeForge.Template;
import org.signetmq.envelope.exception.AuthenticationFailedException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.cms.DigestPool.Sha256;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.entity.EntityReading;
import org.signetmq.envelope.internal.entity.HeaderWriter;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.internal.open.EnvelopeOpener.CacheSizes;
import org.signetmq.envelope.internal.signature.SignerCertificates;
import org.signetmq.envelope.internal.signature.SignerCertificates.SignerCertificate;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.Segment;
import org.signetmq.keystore.keys.AsymmetricOperations;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.VerifyingKey;
import org.signetmq.policy.PolicySet;

/**
 * The limits of {@code docs/format.md} on whole messages: the limit passes, and one more is rejected. The tests of
 * {@code EnvelopeParser}, {@code RecipientInfoParser} and {@code BerTranscoder} have those of the parts.
 */
final class LimitsTest {
    @TempDir
    static Path folder;

    private static EnvelopeForge forge;
    private static Template integrity;
    private static Template ec;
    private static Template rsa;

    @BeforeAll
    static void prepare() throws IOException, GeneralSecurityException {
        forge = new EnvelopeForge(folder);
        integrity = forge.template("integrity", "test-p256");
        ec = forge.template("confidentiality", "test-p256");
        rsa = forge.template("confidentiality", "test-rsa2048");
    }

    @Test
    void headerLines_limitAndOneMore() {
        assertThat(EntityReading.of(header(Limits.HEADER_LINES), 0, header(Limits.HEADER_LINES).length)
                        .address())
                .isEqualTo("orders.eu");
        byte[] beyond = header(Limits.HEADER_LINES + 1);
        assertThatThrownBy(() -> EntityReading.of(beyond, 0, beyond.length))
                .isInstanceOf(MalformedEnvelopeException.class)
                .hasMessageContaining("lines");
    }

    private static byte[] header(int lines) {
        String required = """
                Message-ID: <00000000000000000000000000000000>
                Signet-Version: 1
                Signet-Address: orders.eu
                Signet-Body: bytes
                """;
        StringBuilder header = new StringBuilder(required.replace("\n", "\r\n"));
        for (int i = 4; i < lines; i++) {
            header.append('x').append(i).append(": y\r\n");
        }
        return header.append("\r\n").toString().getBytes(US_ASCII);
    }

    @Test
    void propertiesOfAWriter_fitIntoTheLinesOfAReader() {
        Map<String, String> properties = new HashMap<>();
        for (int i = 10; i < Limits.HEADER_LINES; i++) {
            properties.put("p" + i, "v");
        }
        ClearMessage most = message(properties);
        HeaderWriter writer = new HeaderWriter();
        writer.write(most, new byte[16], "orders@17", new Segment(1, true));
        assertThat(EntityReading.of(writer.buffer(), 0, writer.length()).properties())
                .isEqualTo(properties);

        properties.put("one-more", "v");
        assertThatIllegalArgumentException().isThrownBy(() -> message(properties));
    }

    private static ClearMessage message(Map<String, String> properties) {
        return new ClearMessage("orders.eu", ClearMessage.Body.TEXT, new byte[0], "alice", properties);
    }

    /** One recipient info that does not unwrap costs an operation; behind two of them no other is tried. */
    @Test
    void recipientsThatNameOurKey_areTriedTwice() throws Exception {
        for (Template template : List.of(rsa, ec)) {
            try (Opener opener = forge.parties().opener(template.identity(), PolicySet.EMPTY, FixedParties.NOW)) {
                long before = AsymmetricOperations.privateKey();
                assertThat(opener.open(withWrongOnes(template, 1), "orders.eu").payload())
                        .isNotEmpty();
                assertThat(AsymmetricOperations.privateKey() - before).isEqualTo(2);
            }
            try (Opener opener = forge.parties().opener(template.identity(), PolicySet.EMPTY, FixedParties.NOW)) {
                for (int wrong : new int[] {2, 3, Limits.RECIPIENTS - 1}) {
                    long before = AsymmetricOperations.privateKey();
                    assertThatThrownBy(() -> opener.open(withWrongOnes(template, wrong), "orders.eu"))
                            .isInstanceOf(AuthenticationFailedException.class);
                    assertThat(AsymmetricOperations.privateKey() - before).isEqualTo(2);
                    assertThat(opener.remembered()).isEqualTo(new CacheSizes(0, 0, 0));
                }
            }
        }
    }

    private static byte[] withWrongOnes(Template template, int count) {
        DerNode envelope = DerNode.parse(template.envelope());
        DerNode infos = envelope.child(1, 0, 1);
        for (int i = 0; i < count; i++) {
            DerNode wrong = infos.child(infos.children().size() - 1).copy();
            List<DerNode> leaves = wrong.all();
            byte[] wrapped = leaves.get(leaves.size() - 1).content();
            wrapped[wrapped.length - 1] += (byte) (i + 1);
            wrapped[wrapped.length - 2] += (byte) (i >> Byte.SIZE);
            if (template.identity().equals("test-p256")) {
                DerNode material = DerNode.primitive(DerReader.OCTET_STRING, new byte[] {(byte) i, (byte) (i >> 8)});
                wrong.children().add(2, DerNode.constructed(DerReader.constructed(1), material));
            }
            infos.children().add(0, wrong);
        }
        return envelope.encoded();
    }

    /** Keys of two identities in one home share the operations of a message. */
    @Test
    void recipientsThatNameSeveralOfOurKeys_costTwoOperationsTogether() throws Exception {
        DerNode envelope = DerNode.parse(withWrongOnes(rsa, 2));
        envelope.child(1, 0, 1)
                .children()
                .addAll(DerNode.parse(withWrongOnes(ec, 2)).child(1, 0, 1).children());
        try (Opener opener = forge.parties().openerOfAll(PolicySet.EMPTY)) {
            long before = AsymmetricOperations.privateKey();
            assertThatThrownBy(() -> opener.open(envelope.encoded(), "orders.eu"))
                    .isInstanceOf(AuthenticationFailedException.class);
            assertThat(AsymmetricOperations.privateKey() - before).isEqualTo(2);
        }
    }

    @Test
    void shortSegments_limitAndOneMore() throws Exception {
        try (Opener opener = forge.parties().opener("test-p256", PolicySet.EMPTY, FixedParties.NOW)) {
            assertThat(opener.open(row(Limits.SHORT_SEGMENTS), "orders.eu").payload())
                    .isNotEmpty();
            byte[] beyond = row(Limits.SHORT_SEGMENTS + 1);
            assertThatThrownBy(() -> opener.open(beyond, "orders.eu"))
                    .isInstanceOf(MalformedEnvelopeException.class)
                    .hasMessageContaining("not full");
            SegmentOpener segments = opener.openSegments(new ByteArrayInputStream(beyond), "orders.eu");
            for (int i = 0; i < Limits.SHORT_SEGMENTS; i++) {
                assertThat(segments.next()).isPresent();
            }
            assertThatThrownBy(segments::next).isInstanceOf(MalformedEnvelopeException.class);
        }
    }

    private static byte[] row(int count) {
        byte[][] row = new byte[count][];
        for (int i = 0; i < count; i++) {
            String line = "Signet-Segment: " + (i + 1) + (i + 1 == count ? " last" : "") + "\r\n";
            row[i] = forge.encrypted(ec, EnvelopeForge.withLines(line, ec.entity()));
        }
        return DerWriter.concat(row);
    }

    @Test
    void signaturesOfShortSegments_limitAndOneMore() throws Exception {
        try (Opener opener = forge.parties().opener("test-p256", PolicySet.EMPTY, FixedParties.NOW)) {
            assertThat(opener.open(signedRow(Limits.SIGNATURES), "orders.eu").payload())
                    .isNotEmpty();
            assertThatThrownBy(() -> opener.open(signedRow(Limits.SIGNATURES + 1), "orders.eu"))
                    .isInstanceOf(MalformedEnvelopeException.class)
                    .hasMessageContaining("signatures");
        }
    }

    @Test
    void rowOfAnotherSigner_isRejectedBeforeItsSignatureIsVerified() throws Exception {
        byte[] row = DerWriter.concat(
                signedSegment(integrity, "1"), signedSegment(forge.template("integrity", "test-rsa2048"), "2 last"));
        try (Opener opener = forge.parties().opener("test-p256", PolicySet.EMPTY, FixedParties.NOW)) {
            long before = AsymmetricOperations.verifications();

            assertThatThrownBy(() -> opener.open(row, "orders.eu"))
                    .isInstanceOf(MalformedEnvelopeException.class)
                    .hasMessage("segment: its signer is not that of the first segment");

            assertThat(AsymmetricOperations.verifications() - before).isEqualTo(1);
        }
    }

    /** Each part is right by itself, and its key and certificate serve the next one; the last part is missing. */
    @Test
    void rowWithoutItsEnd_leavesNothingRemembered() throws Exception {
        byte[] encrypted = forge.encrypted(ec, EnvelopeForge.withLines("Signet-Segment: 1\r\n", ec.entity()));
        byte[] signed = signedSegment(integrity, "1");
        try (Opener opener = forge.parties().opener("test-p256", PolicySet.EMPTY, FixedParties.NOW)) {
            for (byte[] part : List.of(encrypted, signed)) {
                SegmentOpener row = opener.openSegments(new ByteArrayInputStream(part), "orders.eu");
                assertThat(row.next()).isPresent();
                CacheSizes meanwhile = opener.remembered();
                assertThat(meanwhile.keys() + meanwhile.certificates()).isPositive();

                assertThatThrownBy(row::next).isInstanceOf(MalformedEnvelopeException.class);

                CacheSizes after = opener.remembered();
                assertThat(after.keys() + after.certificates()).isZero();
            }
        }
    }

    private static byte[] signedRow(int count) {
        byte[][] row = new byte[count][];
        for (int i = 0; i < count; i++) {
            row[i] = signedSegment(integrity, (i + 1) + (i + 1 == count ? " last" : ""));
        }
        return DerWriter.concat(row);
    }

    private static byte[] signedSegment(Template by, String number) {
        String line = "Signet-Segment: " + number + "\r\n";
        return forge.signed(by, EnvelopeForge.withLines(line, by.entity()));
    }

    @Test
    void certificatesOfAcceptedSigners_areBoundedInBytes() {
        SignerCertificates certificates =
                new SignerCertificates(forge.parties().directory(), CryptoProviders.standard());
        X509Certificate certificate = forge.parties().anyCertificate();
        VerifyingKey verifying = VerifyingKey.of(certificate.getPublicKey(), CryptoProviders.standard());
        int length = Limits.CERTIFICATE;
        for (int i = 0; i < 3 * Limits.CERTIFICATES_KEPT / length; i++) {
            Sha256 name = Sha256.of(Slice.of(new byte[] {(byte) i, (byte) (i >> 8)}));
            certificates.remember(SignerCertificate.of(certificate, verifying, name, length), undo -> {});
            assertThat(certificates.bytesKept()).isLessThanOrEqualTo(Limits.CERTIFICATES_KEPT);
            assertThat((long) certificates.kept() * length).isEqualTo(certificates.bytesKept());
        }
    }
}
