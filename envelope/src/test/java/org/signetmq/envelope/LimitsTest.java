/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.EnvelopeForge.Template;
import org.signetmq.envelope.exception.AuthenticationFailedException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.cms.DigestPool.Sha256;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
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

/** Each limit of {@code docs/format.md}: the limit passes, and one more is rejected. */
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

    /** A limit, and an envelope with a part of a given length or number. */
    private record Limit(String name, int most, IntFunction<byte[]> envelope) {
        @Override
        public String toString() {
            return name + " " + most;
        }
    }

    static Stream<Limit> limits() {
        return Stream.of(
                new Limit("recipient infos", Limits.RECIPIENTS, count -> repeated(rsa, count, 1)),
                new Limit("wrapped keys", Limits.RECIPIENTS, count -> repeated(ec, count, 1, 0, 3)),
                new Limit("wrapped key", Limits.WRAPPED_KEY, length -> with(rsa, new byte[length], 1, 0, 3)),
                new Limit(
                        "wrapped key of an agreement",
                        Limits.WRAPPED_KEY,
                        length -> with(ec, new byte[length], 1, 0, 3, 0, 1)),
                new Limit("user keying material", Limits.USER_KEYING_MATERIAL, LimitsTest::userKeyingMaterial),
                new Limit("originator key", Limits.ORIGINATOR_KEY, LimitsTest::originatorKey),
                new Limit("key identifier", Limits.KEY_IDENTIFIER, length -> with(rsa, new byte[length], 1, 0, 1)),
                new Limit(
                        "key identifier of an agreement",
                        Limits.KEY_IDENTIFIER,
                        length -> with(ec, new byte[length], 1, 0, 3, 0, 0, 0)),
                new Limit(
                        "key identifier of a signer",
                        Limits.KEY_IDENTIFIER,
                        length -> with(integrity, new byte[length], 4, 0, 1)),
                new Limit("issuer", Limits.ISSUER, length -> named(element(DerReader.SEQUENCE, length), 1)),
                new Limit(
                        "serial number", Limits.SERIAL_NUMBER, length -> named(element(DerReader.SEQUENCE, 9), length)),
                new Limit("certificates", Limits.CERTIFICATES, count -> repeated(integrity, count, 3)),
                new Limit("certificate", Limits.CERTIFICATE, LimitsTest::certificate),
                new Limit("signed attributes", Limits.SIGNED_ATTRIBUTES, LimitsTest::signedAttributes),
                new Limit("bytes of signed attributes", Limits.SIGNED_ATTRIBUTES_BYTES, LimitsTest::longAttributes),
                new Limit("signature", Limits.SIGNATURE, length -> with(integrity, new byte[length], 4, 0, 5)),
                new Limit("digest algorithms", 1, count -> repeated(integrity, count, 1)),
                new Limit("signers", 1, count -> repeated(integrity, count, 4)),
                new Limit("depth", Limits.DEPTH, LimitsTest::nested),
                new Limit("elements", Limits.ELEMENTS, LimitsTest::parts),
                new Limit("unsorted set", Limits.UNSORTED_SET, LimitsTest::unsortedSet),
                new Limit("unsorted sets", Limits.UNSORTED_SETS, LimitsTest::unsortedSets),
                new Limit("members of an unsorted set", Limits.RECIPIENTS, LimitsTest::membersOfAnUnsortedSet));
    }

    @ParameterizedTest
    @MethodSource("limits")
    void atTheLimit_isRead_beyondIt_isRejected(Limit limit) {
        byte[] atLimit = limit.envelope().apply(limit.most());
        byte[] beyond = limit.envelope().apply(limit.most() + 1);

        assertThatCode(() -> EnvelopeParser.parse(Slice.of(atLimit))).doesNotThrowAnyException();
        assertThatThrownBy(() -> EnvelopeParser.parse(Slice.of(beyond))).isInstanceOf(MalformedEnvelopeException.class);
    }

    private static DerNode at(DerNode envelope, int... path) {
        return envelope.child(1, 0).child(path);
    }

    private static byte[] with(Template template, byte[] content, int... path) {
        DerNode envelope = DerNode.parse(template.envelope());
        at(envelope, path).setContent(content);
        return envelope.encoded();
    }

    /** Repeats the elements up to this number. */
    private static byte[] repeated(Template template, int count, int... path) {
        DerNode envelope = DerNode.parse(template.envelope());
        List<DerNode> elements = at(envelope, path).children();
        while (elements.size() < count) {
            elements.add(elements.get(0).copy());
        }
        return envelope.encoded();
    }

    /** Lengthens the content of a part until the whole has this length. */
    private static void fill(DerNode part, int length, IntSupplier whole) {
        for (int missing = length - whole.getAsInt(); missing > 0; missing = length - whole.getAsInt()) {
            int more = Math.max(1, missing - 16); // the lengths of its parents grow, too
            part.setContent(Arrays.copyOf(part.content(), part.content().length + more));
        }
    }

    /** An element that is so long as a whole. */
    private static DerNode element(int tag, int length) {
        DerNode content = DerNode.primitive(DerReader.OCTET_STRING, new byte[Math.max(0, length - 12)]);
        DerNode whole = DerNode.constructed(tag, content);
        fill(content, length, () -> whole.encoded().length);
        assertThat(whole.encoded()).hasSize(length);
        return whole;
    }

    private static byte[] userKeyingMaterial(int length) {
        DerNode envelope = DerNode.parse(ec.envelope());
        DerNode material = DerNode.primitive(DerReader.OCTET_STRING, new byte[length]);
        at(envelope, 1, 0).children().add(2, DerNode.constructed(DerReader.constructed(1), material));
        return envelope.encoded();
    }

    private static byte[] originatorKey(int length) {
        DerNode envelope = DerNode.parse(ec.envelope());
        DerNode key = at(envelope, 1, 0, 1, 0);
        DerNode point = key.child(1);
        point.setContent(new byte[] {0, 4});
        fill(point, length, () -> lengthInside(key));
        return envelope.encoded();
    }

    private static int lengthInside(DerNode node) {
        return node.children().stream()
                .mapToInt(child -> child.encoded().length)
                .sum();
    }

    /** A recipient named by issuer and serial number. */
    private static byte[] named(DerNode issuer, int serialLength) {
        DerNode envelope = DerNode.parse(rsa.envelope());
        DerNode info = at(envelope, 1, 0);
        info.child(0).setContent(new byte[] {0});
        byte[] serial = new byte[serialLength];
        serial[0] = 1;
        info.children()
                .set(1, DerNode.constructed(DerReader.SEQUENCE, issuer, DerNode.primitive(DerReader.INTEGER, serial)));
        return envelope.encoded();
    }

    private static byte[] certificate(int length) {
        DerNode envelope = DerNode.parse(integrity.envelope());
        at(envelope, 3).children().set(0, element(DerReader.SEQUENCE, length));
        return envelope.encoded();
    }

    private static byte[] signedAttributes(int count) {
        DerNode envelope = DerNode.parse(integrity.envelope());
        List<DerNode> attributes = at(envelope, 4, 0, 3).children();
        while (attributes.size() < count) {
            byte[] type = {0x2A, (byte) attributes.size()};
            attributes.add(DerNode.constructed(
                    DerReader.SEQUENCE,
                    DerNode.primitive(DerReader.OID, type),
                    DerNode.constructed(DerReader.SET, DerNode.primitive(0x05, new byte[0]))));
        }
        return envelope.encoded();
    }

    private static byte[] longAttributes(int length) {
        DerNode envelope = DerNode.parse(integrity.envelope());
        DerNode attributes = at(envelope, 4, 0, 3);
        DerNode value = DerNode.primitive(DerReader.OCTET_STRING, new byte[0]);
        attributes
                .children()
                .add(DerNode.constructed(
                        DerReader.SEQUENCE,
                        DerNode.primitive(DerReader.OID, new byte[] {0x2A, 3}),
                        DerNode.constructed(DerReader.SET, value)));
        fill(value, length, () -> attributes.encoded().length);
        return envelope.encoded();
    }

    /** An envelope that is not DER, with this node in place of a certificate, which parsing does not look into. */
    private static byte[] indefinite(DerNode certificate) {
        DerNode envelope = DerNode.parse(integrity.envelope());
        at(envelope, 3).children().set(0, certificate);
        envelope.makeIndefinite();
        return envelope.encoded();
    }

    private static byte[] nested(int depth) {
        DerNode node = DerNode.primitive(DerReader.INTEGER, new byte[] {1});
        for (int i = 0; i < depth - 5; i++) { // it stands in four others
            node = DerNode.constructed(DerReader.SEQUENCE, node);
        }
        return indefinite(node);
    }

    /** The content in parts, so that all elements together are this number. */
    private static byte[] parts(int elements) {
        DerNode envelope = DerNode.parse(integrity.envelope());
        DerNode content = at(envelope, 2, 1, 0);
        int others = envelope.all().size();
        content.setContent(new byte[elements - others]);
        content.split(1, DerReader.OCTET_STRING);
        return envelope.encoded();
    }

    private static DerNode unsorted(int rest) {
        return DerNode.constructed(
                DerReader.SET,
                DerNode.primitive(DerReader.OCTET_STRING, new byte[rest]),
                DerNode.primitive(DerReader.INTEGER, new byte[] {1}));
    }

    /** The recipient infos: the one set that may be so long. */
    private static byte[] unsortedSet(int length) {
        DerNode envelope = DerNode.parse(rsa.envelope());
        DerNode infos = at(envelope, 1);
        infos.children().clear();
        infos.children().add(unknown(3, 1));
        while (lengthInside(infos) < length - 2000) {
            infos.children().add(unknown(3, 1000));
        }
        infos.children().add(unknown(2, 1));
        DerNode filling = unknown(3, 1);
        infos.children().add(filling);
        fill(filling, length, () -> lengthInside(infos));
        envelope.makeIndefinite();
        return envelope.encoded();
    }

    private static DerNode unknown(int number, int length) {
        return DerNode.primitive(DerReader.primitive(number), new byte[length]);
    }

    private static byte[] unsortedSets(int count) {
        DerNode certificate = DerNode.constructed(DerReader.SEQUENCE);
        for (int i = 0; i < count; i++) {
            certificate.children().add(unsorted(1));
        }
        return indefinite(certificate);
    }

    private static byte[] membersOfAnUnsortedSet(int count) {
        DerNode set = unsorted(1);
        while (set.children().size() < count) {
            set.children().add(DerNode.primitive(DerReader.INTEGER, new byte[] {1}));
        }
        return indefinite(DerNode.constructed(DerReader.SEQUENCE, set));
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
        DerNode infos = at(envelope, 1);
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
        at(envelope, 1)
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
            row[i] = forge.encrypted(ec, DerWriter.concat(line.getBytes(US_ASCII), ec.entity()));
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
        byte[] line = "Signet-Segment: 1\r\n".getBytes(US_ASCII);
        byte[] encrypted = forge.encrypted(ec, DerWriter.concat(line, ec.entity()));
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
        return forge.signed(by, DerWriter.concat(line.getBytes(US_ASCII), by.entity()));
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
