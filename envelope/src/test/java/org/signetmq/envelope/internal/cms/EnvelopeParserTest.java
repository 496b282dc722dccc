/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.signetmq.envelope.internal.cms.Edit.ISSUER_AND_SERIAL;
import static org.signetmq.envelope.internal.cms.Edit.MORE;
import static org.signetmq.envelope.internal.cms.Edit.NONE;
import static org.signetmq.envelope.internal.cms.Edit.content;
import static org.signetmq.envelope.internal.cms.Edit.insert;
import static org.signetmq.envelope.internal.cms.Edit.number;
import static org.signetmq.envelope.internal.cms.Edit.put;
import static org.signetmq.envelope.internal.cms.Edit.remove;
import static org.signetmq.envelope.internal.cms.Edit.repeat;
import static org.signetmq.envelope.internal.cms.Edit.tag;
import static org.signetmq.envelope.internal.cms.ParserCheck.UNEXPECTED_ELEMENT;
import static org.signetmq.envelope.internal.cms.ParserCheck.UNKNOWN_IDENTIFIER;
import static org.signetmq.envelope.internal.cms.ParserCheck.check;
import static org.signetmq.envelope.internal.cms.ParserCheck.endOf;
import static org.signetmq.envelope.internal.cms.ParserCheck.tooLong;
import static org.signetmq.envelope.internal.der.DerReader.INTEGER;
import static org.signetmq.envelope.internal.der.DerReader.OCTET_STRING;
import static org.signetmq.envelope.internal.der.DerReader.OID;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.SET;
import static org.signetmq.envelope.internal.der.DerReader.constructed;
import static org.signetmq.envelope.internal.der.DerReader.primitive;
import static org.signetmq.envelope.internal.der.DerWriter.concat;
import static org.signetmq.envelope.internal.der.DerWriter.element;
import static org.signetmq.envelope.internal.der.DerWriter.oid;

import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.DerNode;
import org.signetmq.envelope.FormatDocument;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.keys.ContentCipher;
import org.signetmq.keystore.keys.KeyLease;

/** Each check of {@link EnvelopeParser}: an envelope that violates it alone, and an accepted neighbour. */
final class EnvelopeParserTest {
    /** AuthEnvelopedData: version, recipient infos, encrypted content (type, algorithm, ciphertext), tag. */
    private static final DerNode ENCRYPTED = DerNode.parse(FormatDocument.envelope("confidentiality-p256"));

    /** SignedData: version, digest algorithms, content (type, entity), certificates, signers. */
    private static final DerNode SIGNED = DerNode.parse(FormatDocument.envelope("integrity-p256"));

    private static final byte[] AES_256_GCM = oid("2.16.840.1.101.3.4.1.46");
    private static final byte[] AES_128_GCM = oid("2.16.840.1.101.3.4.1.6");

    private static final String WRONG_VERSION = "envelope: SignedData has the wrong version";
    private static final String TWO_DIGESTS = "envelope: two different digest algorithms";
    private static final String TOO_MANY_CERTIFICATES = "envelope: more than 5 certificates";
    private static final String UNSUPPORTED_TYPE = "envelope: unsupported content type";
    private static final String UNSUPPORTED_CIPHER =
            "envelope: unsupported content-encryption algorithm, AES-128-GCM; use AES-256-GCM";
    private static final String UNSUPPORTED_SIGNATURE = "envelope: unsupported signature algorithm";
    private static final String WRONG_LENGTH = "envelope: nonce or tag has the wrong length";

    static Stream<ParserCheck> checksOfContentInfo() {
        return Stream.of(
                check("type", NONE, put(Oids.DATA, 0), "envelope: Data, which protects nothing"),
                check("type of the explicit tag", NONE, insert(MORE, 1), UNEXPECTED_ELEMENT),
                check("type of the content", NONE, put(MORE, 1, 0), UNEXPECTED_ELEMENT),
                endOf("ContentInfo"),
                endOf("the explicit tag", 1));
    }

    @ParameterizedTest
    @MethodSource("checksOfContentInfo")
    void contentInfoThatViolatesOneCheck_isRejected_itsNeighbourIsAccepted(ParserCheck check) {
        for (DerNode valid : List.of(ENCRYPTED, SIGNED)) {
            byte[] rejected = check.rejected().of(valid);

            assertThat(parse(check.accepted().of(valid))).isNotNull();
            assertThatThrownBy(() -> parse(rejected))
                    .isExactlyInstanceOf(MalformedEnvelopeException.class)
                    .hasMessage(check.message(rejected));
        }
    }

    static Stream<ParserCheck> checksOfAuthEnvelopedData() {
        int nonce = KeyLease.NONCE_LENGTH;
        int tag = ContentCipher.TAG_LENGTH;
        byte[] damagedInfo = element(constructed(1), MORE);
        return Stream.of(
                check("version", number(0, 0), number(1, 0), "envelope: AuthEnvelopedData is not of version 0"),
                check("no originator", NONE, insert(MORE, 1), UNEXPECTED_ELEMENT),
                check("recipient infos", put(MORE, 1, 0), put(damagedInfo, 1, 0), UNEXPECTED_ELEMENT),
                check("encrypted content", NONE, insert(MORE, 2), UNEXPECTED_ELEMENT),
                check("type of the content", put(Oids.DATA, 2, 0), put(AES_256_GCM, 2, 0), UNSUPPORTED_TYPE),
                check("algorithm", put(AES_256_GCM, 2, 1, 0), put(AES_128_GCM, 2, 1, 0), UNSUPPORTED_CIPHER),
                check("parameters of the algorithm", NONE, put(MORE, 2, 1, 1), UNEXPECTED_ELEMENT),
                check("type of the nonce", nonce(nonce), put(MORE, 2, 1, 1, 0), UNEXPECTED_ELEMENT),
                check("short nonce", nonce(nonce), nonce(nonce - 1), WRONG_LENGTH),
                check("long nonce", nonce(nonce), nonce(nonce + 1), WRONG_LENGTH),
                check("claim of a short tag", number(tag, 2, 1, 1, 1), number(tag - 1, 2, 1, 1, 1), WRONG_LENGTH),
                check("claim of a long tag", number(tag, 2, 1, 1, 1), number(tag + 1, 2, 1, 1, 1), WRONG_LENGTH),
                endOf("the algorithm", 2, 1),
                endOf("the parameters", 2, 1, 1),
                check("type of the ciphertext", content(new byte[0], 2, 2), put(MORE, 2, 2), UNEXPECTED_ELEMENT),
                endOf("the encrypted content", 2),
                check("no authenticated attributes", NONE, insert(MORE, 3), UNEXPECTED_ELEMENT),
                check("short tag", content(new byte[tag], 3), content(new byte[tag - 1], 3), WRONG_LENGTH),
                check("long tag", content(new byte[tag], 3), content(new byte[tag + 1], 3), WRONG_LENGTH),
                endOf("AuthEnvelopedData"));
    }

    private static Edit nonce(int length) {
        return content(new byte[length], 2, 1, 1, 0);
    }

    @ParameterizedTest
    @MethodSource("checksOfAuthEnvelopedData")
    void authEnvelopedDataThatViolatesOneCheck_isRejected_itsNeighbourIsAccepted(ParserCheck check) {
        verify(check, ENCRYPTED, ParsedEnvelope.Encrypted.class);
    }

    static Stream<ParserCheck> checksOfSignedData() {
        int most = Limits.CERTIFICATES;
        byte[] sha256 = element(SEQUENCE, Oids.SHA_256);
        byte[] sha512 = element(SEQUENCE, Oids.SHA_512, Oids.NULL);
        return Stream.of(
                check("type of the version", NONE, put(MORE, 0), UNEXPECTED_ELEMENT),
                check("digest algorithms", NONE, insert(MORE, 1), UNEXPECTED_ELEMENT),
                check("digest algorithm of the signer", put(sha512, 1, 0), put(sha256, 1, 0), TWO_DIGESTS),
                endOf("the digest algorithms", 1),
                check("content", NONE, insert(MORE, 2), UNEXPECTED_ELEMENT),
                check("type of the content", put(Oids.DATA, 2, 0), put(AES_256_GCM, 2, 0), UNSUPPORTED_TYPE),
                check("explicit tag of the entity", NONE, put(MORE, 2, 1), UNEXPECTED_ELEMENT),
                check("type of the entity", content(new byte[0], 2, 1, 0), put(MORE, 2, 1, 0), UNEXPECTED_ELEMENT),
                endOf("the explicit tag", 2, 1),
                endOf("the content", 2),
                check("number of certificates", repeat(most, 3), repeat(most + 1, 3), TOO_MANY_CERTIFICATES),
                check(
                        "length of a certificate",
                        put(certificate(Limits.CERTIFICATE), 3, 0),
                        put(certificate(Limits.CERTIFICATE + 1), 3, 0),
                        tooLong("a certificate", Limits.CERTIFICATE)),
                check("no revocation lists", NONE, insert(MORE, 4), UNEXPECTED_ELEMENT),
                check("certificates", remove(3), put(MORE, 3), UNEXPECTED_ELEMENT),
                check("second signer", NONE, Edit.append(MORE, 4), UNEXPECTED_ELEMENT),
                endOf("SignedData"));
    }

    /** The signer: version, identifier, digest algorithm, attributes, signature algorithm, signature. */
    static Stream<ParserCheck> checksOfASigner() {
        byte[] sha256 = element(SEQUENCE, Oids.SHA_256, Oids.NULL);
        byte[] sha512 = element(SEQUENCE, Oids.SHA_512, Oids.NULL);
        byte[] ecdsaSha256 = element(SEQUENCE, oid("1.2.840.10045.4.3.2"));
        byte[] ecdsaSha512 = element(SEQUENCE, oid("1.2.840.10045.4.3.4"));
        Edit byIssuer = put(ISSUER_AND_SERIAL, 4, 0, 1);
        return Stream.of(
                check("type of the signer", NONE, put(MORE, 4, 0), UNEXPECTED_ELEMENT),
                check("type of the version", NONE, put(MORE, 4, 0, 0), UNEXPECTED_ELEMENT),
                check("SignedData with a key identifier", versions(3, 3), versions(1, 3), WRONG_VERSION),
                check("signer with a key identifier", versions(3, 3), versions(3, 1), WRONG_VERSION),
                check(
                        "SignedData with an issuer",
                        byIssuer.and(versions(1, 1)),
                        byIssuer.and(versions(3, 1)),
                        WRONG_VERSION),
                check(
                        "signer with an issuer",
                        byIssuer.and(versions(1, 1)),
                        byIssuer.and(versions(1, 3)),
                        WRONG_VERSION),
                check("kind of identifier", tag(primitive(0), 4, 0, 1), tag(primitive(1), 4, 0, 1), UNKNOWN_IDENTIFIER),
                check(
                        "length of a key identifier",
                        content(new byte[Limits.KEY_IDENTIFIER], 4, 0, 1),
                        content(new byte[Limits.KEY_IDENTIFIER + 1], 4, 0, 1),
                        tooLong("a key identifier", Limits.KEY_IDENTIFIER)),
                check("digest algorithm", put(sha512, 4, 0, 2), put(sha256, 4, 0, 2), TWO_DIGESTS),
                check("attributes", NONE, remove(4, 0, 3), "envelope: no signed attributes"),
                check(
                        "number of attributes",
                        attributes(Limits.SIGNED_ATTRIBUTES),
                        attributes(Limits.SIGNED_ATTRIBUTES + 1),
                        "envelope: more than 16 signed attributes"),
                check(
                        "length of the attributes",
                        attributesOf(Limits.SIGNED_ATTRIBUTES_BYTES),
                        attributesOf(Limits.SIGNED_ATTRIBUTES_BYTES + 1),
                        tooLong("signed attributes", Limits.SIGNED_ATTRIBUTES_BYTES)),
                check(
                        "signature algorithm",
                        put(ecdsaSha512, 4, 0, 4),
                        put(ecdsaSha256, 4, 0, 4),
                        UNSUPPORTED_SIGNATURE),
                check("type of the signature", NONE, put(MORE, 4, 0, 5), UNEXPECTED_ELEMENT),
                check(
                        "length of the signature",
                        content(new byte[Limits.SIGNATURE], 4, 0, 5),
                        content(new byte[Limits.SIGNATURE + 1], 4, 0, 5),
                        tooLong("a signature", Limits.SIGNATURE)),
                endOf("a signer, where unsigned attributes stand", 4, 0));
    }

    /** Adds attributes up to this number. */
    private static Edit attributes(int count) {
        return structure -> {
            List<DerNode> attributes = structure.child(4, 0, 3).children();
            while (attributes.size() < count) {
                attributes.add(DerNode.parse(attribute((byte) attributes.size(), Oids.NULL)));
            }
        };
    }

    /** Adds an attribute, so that all have this length. */
    private static Edit attributesOf(int length) {
        return structure -> {
            List<DerNode> attributes = structure.child(4, 0, 3).children();
            int others =
                    attributes.stream().mapToInt(each -> each.encoded().length).sum();
            int heads = 5 * 4; // of all attributes, and of the new one and its parts
            byte[] value = element(OCTET_STRING, new byte[length - others - heads]);
            attributes.add(DerNode.parse(attribute((byte) 3, value)));
        };
    }

    private static byte[] attribute(byte type, byte[] value) {
        return element(SEQUENCE, element(OID, new byte[] {0x2A, type}), element(SET, value));
    }

    private static Edit versions(int signedData, int signer) {
        return number(signedData, 0).and(number(signer, 4, 0, 0));
    }

    /** An element of this length. The parser does not look into certificates. */
    private static byte[] certificate(int length) {
        int heads = 2 * 4;
        return element(SEQUENCE, element(OCTET_STRING, new byte[length - heads]));
    }

    @ParameterizedTest
    @MethodSource({"checksOfSignedData", "checksOfASigner"})
    void signedDataThatViolatesOneCheck_isRejected_itsNeighbourIsAccepted(ParserCheck check) {
        verify(check, SIGNED, ParsedEnvelope.Signed.class);
    }

    /** Verifies a check of the content of a valid ContentInfo. */
    private static void verify(ParserCheck check, DerNode valid, Class<? extends ParsedEnvelope> kind) {
        byte[] accepted = check.accepted().ofContent(valid);
        byte[] rejected = check.rejected().ofContent(valid);

        assertThat(parse(accepted)).isInstanceOf(kind);
        assertThatThrownBy(() -> parse(rejected))
                .isExactlyInstanceOf(MalformedEnvelopeException.class)
                .hasMessage(check.message(rejected));
    }

    private static ParsedEnvelope parse(byte[] envelope) {
        return EnvelopeParser.parse(Slice.of(envelope));
    }

    @Test
    void dataBehindAnEnvelope_isRejected() {
        for (DerNode valid : List.of(ENCRYPTED, SIGNED)) {
            byte[] longer = concat(valid.encoded(), MORE);

            assertThatThrownBy(() -> parse(longer))
                    .isExactlyInstanceOf(MalformedEnvelopeException.class)
                    .hasMessage("envelope: not one ASN.1 object");
        }
    }

    @Test
    void authEnvelopedData_hasItsParts() {
        byte[] envelope = ENCRYPTED.encoded();
        DerNode data = ENCRYPTED.child(1, 0);

        ParsedEnvelope.Encrypted parsed = (ParsedEnvelope.Encrypted) parse(envelope);

        assertThat(parsed.recipientInfos().copy()).isEqualTo(data.child(1, 0).encoded());
        assertThat(parsed.recipients()).hasSize(1).hasOnlyElementsOfType(RecipientInfo.Agreement.class);
        assertThat(parsed.content().nonce().copy())
                .isEqualTo(data.child(2, 1, 1, 0).content());
        assertThat(parsed.content().ciphertext().copy())
                .isEqualTo(data.child(2, 2).content());
        assertThat(parsed.content().tag().copy()).isEqualTo(data.child(3).content());
        assertThat(envelope).isEqualTo(ENCRYPTED.encoded());
    }

    @Test
    void authEnvelopedDataInPlace_hasItsTagBehindTheCiphertext() {
        byte[] tag = ENCRYPTED.child(1, 0, 3).content();

        ParsedEnvelope.Encrypted parsed =
                (ParsedEnvelope.Encrypted) EnvelopeParser.parseInPlace(Slice.of(ENCRYPTED.encoded()), null);

        assertThat(parsed.content().ciphertext().copy())
                .isEqualTo(ENCRYPTED.child(1, 0, 2, 2).content());
        assertThat(parsed.content().tag().copy()).isEqualTo(tag);
        assertThat(parsed.content().tag().follows(parsed.content().ciphertext()))
                .isTrue();
    }

    /** A reader of distinguished encodings does not see the parts, because the tag of the string is implicit. */
    @Test
    void ciphertextInParts_isJoinedOnlyIfTheEncodingIsNotDistinguished() {
        byte[] ciphertext = ENCRYPTED.child(1, 0, 2, 2).content();
        DerNode inParts = ENCRYPTED.copy();
        inParts.child(1, 0, 2, 2).split(100, OCTET_STRING);
        byte[] distinguished = inParts.encoded();
        inParts.makeIndefinite();

        ParsedEnvelope.Content joined = ((ParsedEnvelope.Encrypted) parse(inParts.encoded())).content();

        assertThat(joined.ciphertext().copy()).isEqualTo(ciphertext);
        assertThat(joined.tag().copy()).isEqualTo(ENCRYPTED.child(1, 0, 3).content());
        assertThat(joined.tag().follows(joined.ciphertext())).isTrue();
        assertThatThrownBy(() -> parse(distinguished))
                .isExactlyInstanceOf(MalformedEnvelopeException.class)
                .hasMessageStartingWith("envelope: unexpected element at byte ");
    }

    @Test
    void ciphertextWithAPartOfAnotherType_isRejected() {
        DerNode inParts = ENCRYPTED.copy();
        inParts.child(1, 0, 2, 2).split(100, OCTET_STRING);
        inParts.child(1, 0, 2, 2, 1).setTag(INTEGER);
        inParts.makeIndefinite();

        assertThatThrownBy(() -> parse(inParts.encoded()))
                .isExactlyInstanceOf(MalformedEnvelopeException.class)
                .hasMessageStartingWith("envelope: unexpected element at byte ");
    }

    @Test
    void innerEnvelopeThatIsNotDistinguished_isConvertedInTheSpareArray() {
        byte[] spare = new byte[ENCRYPTED.encoded().length];
        DerNode indefinite = ENCRYPTED.copy();
        indefinite.makeIndefinite();

        ParsedEnvelope.Encrypted parsed =
                (ParsedEnvelope.Encrypted) EnvelopeParser.parseInside(Slice.of(indefinite.encoded()), spare);

        assertThat(parsed.content().ciphertext().array()).isSameAs(spare);
        assertThat(parsed.content().ciphertext().copy())
                .isEqualTo(ENCRYPTED.child(1, 0, 2, 2).content());
    }

    @Test
    void signedData_hasItsParts() {
        DerNode data = SIGNED.child(1, 0);
        DerNode signer = data.child(4, 0);

        ParsedEnvelope.Signed parsed = (ParsedEnvelope.Signed) parse(SIGNED.encoded());

        assertThat(parsed.content().copy()).isEqualTo(data.child(2, 1, 0).content());
        assertThat(parsed.certificates())
                .singleElement()
                .extracting(Slice::copy)
                .isEqualTo(data.child(3, 0).encoded());
        assertThat(Objects.requireNonNull(parsed.signer().identifier().keyIdentifier())
                        .copy())
                .isEqualTo(signer.child(1).content());
        assertThat(parsed.signer().digest()).isEqualTo("SHA-512");
        assertThat(parsed.signer().attributes().encoded()).isEqualTo(tag(SET).of(signer.child(3)));
        assertThat(parsed.signer().signature().scheme()).isEqualTo(SignatureScheme.ECDSA);
        assertThat(parsed.signer().signature().value())
                .isEqualTo(signer.child(5).content());
    }

    @Test
    void signedDataWithoutCertificates_hasNone() {
        byte[] without = remove(3).ofContent(SIGNED);

        assertThat(((ParsedEnvelope.Signed) parse(without)).certificates()).isEmpty();
    }

    /** A SEQUENCE in each form of a length. */
    @ParameterizedTest
    @ValueSource(strings = {"300b", "307f", "3080", "308180", "30820100", "3083010000", "308401000000"})
    void bytesWithASequenceAndTheIdentifier_lookSealed(String head) {
        for (byte[] identifier : List.of(Oids.SIGNED_DATA, Oids.AUTH_ENVELOPED_DATA)) {
            byte[] start = concat(HexFormat.of().parseHex(head), identifier);

            assertThat(looksSealed(start, start.length)).isTrue();
            assertThat(looksSealed(concat(start, MORE), start.length + MORE.length))
                    .isTrue();
            assertThat(looksSealed(start, start.length - 1)).isFalse();
            assertThat(looksSealed(changed(start, 0), start.length)).isFalse();
            assertThat(looksSealed(changed(start, start.length - 1), start.length))
                    .isFalse();
        }
    }

    @Test
    void bytesThatEndInTheHead_doNotLookSealed() {
        for (String head : List.of("", "30", "3000", "3080", "3081", "30ff")) {
            byte[] bytes = HexFormat.of().parseHex(head);

            assertThat(EnvelopeParser.looksSealed(bytes, 0, bytes.length)).isFalse();
        }
    }

    /** Asks for these bytes, or fewer of them, in the middle of an array. */
    private static boolean looksSealed(byte[] bytes, int length) {
        byte[] around = {5, 5, 5};
        return EnvelopeParser.looksSealed(concat(around, bytes, around), around.length, length);
    }

    private static byte[] changed(byte[] bytes, int index) {
        byte[] changed = bytes.clone();
        changed[index] ^= 1;
        return changed;
    }
}
