/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.signetmq.envelope.internal.cms.Edit.ISSUER_AND_SERIAL;
import static org.signetmq.envelope.internal.cms.Edit.MORE;
import static org.signetmq.envelope.internal.cms.Edit.NONE;
import static org.signetmq.envelope.internal.cms.Edit.append;
import static org.signetmq.envelope.internal.cms.Edit.content;
import static org.signetmq.envelope.internal.cms.Edit.insert;
import static org.signetmq.envelope.internal.cms.Edit.number;
import static org.signetmq.envelope.internal.cms.Edit.put;
import static org.signetmq.envelope.internal.cms.Edit.remove;
import static org.signetmq.envelope.internal.cms.Edit.repeat;
import static org.signetmq.envelope.internal.cms.Edit.tag;
import static org.signetmq.envelope.internal.cms.ParserCheck.UNEXPECTED_DATA;
import static org.signetmq.envelope.internal.cms.ParserCheck.UNEXPECTED_ELEMENT;
import static org.signetmq.envelope.internal.cms.ParserCheck.UNKNOWN_IDENTIFIER;
import static org.signetmq.envelope.internal.cms.ParserCheck.check;
import static org.signetmq.envelope.internal.cms.ParserCheck.endOf;
import static org.signetmq.envelope.internal.cms.ParserCheck.tooLong;
import static org.signetmq.envelope.internal.der.DerReader.BIT_STRING;
import static org.signetmq.envelope.internal.der.DerReader.INTEGER;
import static org.signetmq.envelope.internal.der.DerReader.OCTET_STRING;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.constructed;
import static org.signetmq.envelope.internal.der.DerReader.primitive;
import static org.signetmq.envelope.internal.der.DerWriter.concat;
import static org.signetmq.envelope.internal.der.DerWriter.element;
import static org.signetmq.envelope.internal.der.DerWriter.oid;

import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.DerNode;
import org.signetmq.envelope.FormatDocument;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.keys.KeyEncryptionKey.KeyDerivation;

/** Each check of {@link RecipientInfoParser}: a recipient info that violates it alone, and an accepted neighbour. */
final class RecipientInfoParserTest {
    /** The recipient info of an RSA key: version, recipient, algorithm, wrapped key. */
    private static final DerNode TRANSPORT = recipientInfo("confidentiality-rsa2048");

    /** The recipient info of an EC key: version, originator, algorithm, wrapped keys. */
    private static final DerNode AGREEMENT = recipientInfo("confidentiality-p256");

    private static final byte[] CURVE = oid("1.2.840.10045.3.1.7");
    private static final byte[] EC = Oids.EC_PUBLIC_KEY;
    private static final byte[] RSA = Oids.RSA_ENCRYPTION;
    private static final byte[] AES_128 = oid("2.16.840.1.101.3.4.1.5");
    private static final byte[] AES_256 = oid("2.16.840.1.101.3.4.1.45");

    private static final String WRONG_VERSION = "envelope: a recipient info has the wrong version";
    private static final String NO_POINT = "envelope: an originator key is not a point of a curve";
    private static final String UNSUPPORTED_KEY = "envelope: unsupported originator key";

    private static DerNode recipientInfo(String vector) {
        return DerNode.parse(FormatDocument.envelope(vector)).child(1, 0, 1, 0);
    }

    static Stream<ParserCheck> checksOfATransport() {
        Edit byIssuer = put(ISSUER_AND_SERIAL, 1);
        return Stream.of(
                check("version with a key identifier", number(2, 0), number(0, 0), WRONG_VERSION),
                check("version with an issuer", byIssuer.and(number(0, 0)), byIssuer.and(number(2, 0)), WRONG_VERSION),
                check(
                        "kind of a recipient's identifier",
                        tag(primitive(0), 1),
                        tag(primitive(1), 1),
                        UNKNOWN_IDENTIFIER),
                check(
                        "length of a key identifier",
                        content(new byte[Limits.KEY_IDENTIFIER], 1),
                        content(new byte[Limits.KEY_IDENTIFIER + 1], 1),
                        tooLong("a key identifier", Limits.KEY_IDENTIFIER)),
                check(
                        "length of an issuer",
                        named(Limits.ISSUER, 1),
                        named(Limits.ISSUER + 1, 1),
                        tooLong("an issuer's name", Limits.ISSUER)),
                check(
                        "length of a serial number",
                        named(300, Limits.SERIAL_NUMBER),
                        named(300, Limits.SERIAL_NUMBER + 1),
                        tooLong("a serial number", Limits.SERIAL_NUMBER)),
                check("type of a wrapped key", NONE, put(MORE, 3), UNEXPECTED_ELEMENT),
                check(
                        "length of a wrapped key",
                        content(new byte[Limits.WRAPPED_KEY], 3),
                        content(new byte[Limits.WRAPPED_KEY + 1], 3),
                        tooLong("a wrapped key", Limits.WRAPPED_KEY)),
                endOf("a transport"));
    }

    /** Names the recipient by an issuer and a serial number of these lengths. */
    private static Edit named(int issuer, int serialNumber) {
        int heads = 2 * 4;
        byte[] name = element(SEQUENCE, element(OCTET_STRING, new byte[issuer - heads]));
        byte[] number = new byte[serialNumber];
        number[0] = 1;
        return number(0, 0).and(put(element(SEQUENCE, name, element(INTEGER, number)), 1));
    }

    @ParameterizedTest
    @MethodSource("checksOfATransport")
    void transportThatViolatesOneCheck_isRejected_itsNeighbourIsAccepted(ParserCheck check) {
        verify(check, TRANSPORT, RecipientInfo.Transport.class);
    }

    static Stream<ParserCheck> checksOfAnAgreement() {
        byte[] longestMaterial = element(OCTET_STRING, new byte[Limits.USER_KEYING_MATERIAL]);
        byte[] tooMuchMaterial = element(OCTET_STRING, new byte[Limits.USER_KEYING_MATERIAL + 1]);
        return Stream.of(
                check("version", number(3, 0), number(2, 0), WRONG_VERSION),
                check("originator", NONE, put(MORE, 1), UNEXPECTED_ELEMENT),
                endOf("the originator", 1),
                endOf("the originator key", 1, 0),
                check(
                        "length of the originator key",
                        originatorKeyOf(Limits.ORIGINATOR_KEY),
                        originatorKeyOf(Limits.ORIGINATOR_KEY + 1),
                        tooLong("an originator key", Limits.ORIGINATOR_KEY)),
                check("type of the point", tag(BIT_STRING, 1, 0, 1), put(MORE, 1, 0, 1), UNEXPECTED_ELEMENT),
                check("unused bits of the point", point("0004"), point("0104"), NO_POINT),
                check("length of the point", point("0004"), point("00"), NO_POINT),
                check("length of a point at the end", point("0004"), point("00").and(cutBehindKey()), NO_POINT),
                check("presence of the point", point("0004"), point("").and(cutBehindKey()), NO_POINT),
                check("compressed point, lowest form", point("0002"), point("0001"), NO_POINT),
                check("compressed point, highest form", point("0003"), point("0000"), NO_POINT),
                check("uncompressed point", point("0004"), point("0005"), NO_POINT),
                check("hybrid point", point("0004"), point("0006"), NO_POINT),
                check(
                        "length of key material",
                        material(longestMaterial),
                        material(tooMuchMaterial),
                        tooLong("user keying material", Limits.USER_KEYING_MATERIAL)),
                check("type of key material", material(longestMaterial), material(MORE), UNEXPECTED_ELEMENT),
                check(
                        "end of key material",
                        material(longestMaterial),
                        material(concat(longestMaterial, MORE)),
                        UNEXPECTED_DATA),
                endOf("the algorithm", 2),
                check("algorithm", NONE, insert(MORE, 2), UNEXPECTED_ELEMENT),
                check("list of wrapped keys", NONE, insert(MORE, 3), UNEXPECTED_ELEMENT),
                endOf("an agreement"));
    }

    static Stream<ParserCheck> checksOfAnOriginatorKeysAlgorithm() {
        return Stream.of(
                check("algorithm without parameters", algorithm(EC), algorithm(RSA), UNSUPPORTED_KEY),
                check("algorithm with a curve", algorithm(EC, CURVE), algorithm(RSA, CURVE), UNSUPPORTED_KEY),
                check("algorithm with NULL", algorithm(EC, Oids.NULL), algorithm(EC, MORE), UNSUPPORTED_KEY),
                check("behind a curve", algorithm(EC, CURVE), algorithm(EC, CURVE, MORE), UNEXPECTED_DATA),
                check("behind NULL", algorithm(EC, Oids.NULL), algorithm(EC, Oids.NULL, MORE), UNEXPECTED_DATA),
                check("type of the algorithm", algorithm(EC), put(MORE, 1, 0, 0), UNEXPECTED_ELEMENT));
    }

    static Stream<ParserCheck> checksOfAWrappedKey() {
        return Stream.of(
                check("type of an entry", NONE, append(MORE, 3), UNEXPECTED_ELEMENT),
                check(
                        "type of a key identifier",
                        put(ISSUER_AND_SERIAL, 3, 0, 0),
                        tag(constructed(1), 3, 0, 0),
                        UNKNOWN_IDENTIFIER),
                endOf("a key identifier", 3, 0, 0),
                check(
                        "length of a key identifier",
                        content(new byte[Limits.KEY_IDENTIFIER], 3, 0, 0, 0),
                        content(new byte[Limits.KEY_IDENTIFIER + 1], 3, 0, 0, 0),
                        tooLong("a key identifier", Limits.KEY_IDENTIFIER)),
                check("type of a wrapped key", NONE, put(MORE, 3, 0, 1), UNEXPECTED_ELEMENT),
                check(
                        "length of a wrapped key",
                        content(new byte[Limits.WRAPPED_KEY], 3, 0, 1),
                        content(new byte[Limits.WRAPPED_KEY + 1], 3, 0, 1),
                        tooLong("a wrapped key", Limits.WRAPPED_KEY)),
                endOf("an entry", 3, 0));
    }

    @ParameterizedTest
    @MethodSource({"checksOfAnAgreement", "checksOfAnOriginatorKeysAlgorithm", "checksOfAWrappedKey"})
    void agreementThatViolatesOneCheck_isRejected_itsNeighbourIsAccepted(ParserCheck check) {
        verify(check, AGREEMENT, RecipientInfo.Agreement.class);
    }

    private static void verify(ParserCheck check, DerNode valid, Class<? extends RecipientInfo> kind) {
        byte[] rejected = check.rejected().of(valid);

        assertThat(RecipientInfoParser.one(Slice.of(check.accepted().of(valid))))
                .isInstanceOf(kind);
        assertThatThrownBy(() -> RecipientInfoParser.one(Slice.of(rejected)))
                .isExactlyInstanceOf(MalformedEnvelopeException.class)
                .hasMessage(check.message(rejected));
    }

    private static Edit algorithm(byte[]... parts) {
        return put(element(SEQUENCE, parts), 1, 0, 0);
    }

    private static Edit point(String hex) {
        return content(HexFormat.of().parseHex(hex), 1, 0, 1);
    }

    /** Makes the originator key the last element, so that no byte stands behind the point. */
    private static Edit cutBehindKey() {
        return remove(3).and(remove(2));
    }

    private static Edit material(byte[] element) {
        return insert(element(constructed(1), element), 2);
    }

    /** A point with zeros behind it, so that the key has this length. */
    private static Edit originatorKeyOf(int length) {
        int head = 3;
        byte[] point = new byte[length - Oids.EC_WITHOUT_CURVE.length - head];
        point[1] = 4;
        return algorithm(EC).and(content(point, 1, 0, 1));
    }

    /** Recipient infos that Signet does not use, although another recipient may. */
    static Stream<Arguments> unknownKinds() {
        byte[] oaepSha384 = element(
                SEQUENCE,
                Oids.RSA_OAEP,
                element(SEQUENCE, element(constructed(0), element(SEQUENCE, Oids.SHA_384, Oids.NULL))));
        byte[] wrapWithNull = element(SEQUENCE, AES_256, Oids.NULL);
        return Stream.of(
                arguments(
                        "RSA OAEP with SHA-384 and MGF1 with SHA-1",
                        put(oaepSha384, 2).of(TRANSPORT)),
                arguments("RSA PKCS#1 v1.5", put(element(SEQUENCE, RSA), 2).of(TRANSPORT)),
                arguments(
                        "an unknown algorithm",
                        put(element(SEQUENCE, Oids.NULL), 2).of(TRANSPORT)),
                arguments(
                        "AES-128 key wrap",
                        put(element(SEQUENCE, AES_128), 2, 1).of(AGREEMENT)),
                arguments(
                        "AES-256 key wrap with parameters",
                        put(wrapWithNull, 2, 1).of(AGREEMENT)),
                arguments(
                        "key derivation with SHA-224",
                        put(oid("1.3.132.1.11.0"), 2, 0).of(AGREEMENT)),
                arguments("a static key of the sender", tag(primitive(0), 1, 0).of(AGREEMENT)),
                arguments("a key that Signet does not know", tag(constructed(2)).of(AGREEMENT)),
                arguments("a password", tag(constructed(3)).of(AGREEMENT)),
                arguments("a key that Signet does not know", tag(constructed(4)).of(AGREEMENT)),
                arguments("a key that Signet does not know", MORE));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("unknownKinds")
    void recipientInfoOfAnotherKind_isUnknownButNamed(String name, byte[] encoding) {
        Slice whole = Slice.of(encoding);

        RecipientInfo.Unknown parsed = (RecipientInfo.Unknown) RecipientInfoParser.one(whole);

        assertThat(parsed.whole()).isEqualTo(whole);
        assertThat(parsed.algorithm()).isEqualTo(name);
    }

    static Stream<Arguments> paddings() {
        return Stream.of(
                arguments(KeyTransportPadding.OAEP_SHA_256, Oids.OAEP_SHA_256),
                arguments(KeyTransportPadding.OAEP_SHA_256, Oids.OAEP_SHA_256_NULL),
                arguments(KeyTransportPadding.OAEP_SHA_1, element(SEQUENCE, Oids.RSA_OAEP)),
                arguments(KeyTransportPadding.OAEP_SHA_1, element(SEQUENCE, Oids.RSA_OAEP, element(SEQUENCE))),
                arguments(KeyTransportPadding.OAEP_SHA_1, oaepOfSha1InFull()),
                arguments(KeyTransportPadding.PKCS1, element(SEQUENCE, RSA, Oids.NULL)));
    }

    /** The defaults as Java writes them, although DER leaves them out. */
    private static byte[] oaepOfSha1InFull() {
        byte[] hash = element(SEQUENCE, oid("1.3.14.3.2.26"), Oids.NULL);
        byte[] source = element(SEQUENCE, oid("1.2.840.113549.1.1.9"), element(OCTET_STRING));
        return element(
                SEQUENCE,
                Oids.RSA_OAEP,
                element(
                        SEQUENCE,
                        element(constructed(0), hash),
                        element(constructed(1), element(SEQUENCE, Oids.MGF1, hash)),
                        element(constructed(2), source)));
    }

    @ParameterizedTest
    @MethodSource("paddings")
    void transport_hasItsPartsAndThePaddingOfItsAlgorithm(KeyTransportPadding padding, byte[] algorithm) {
        byte[] encoding = put(algorithm, 2).of(TRANSPORT);

        RecipientInfo.Transport parsed = (RecipientInfo.Transport) RecipientInfoParser.one(Slice.of(encoding));

        assertThat(parsed.padding()).isEqualTo(padding);
        assertThat(parsed.whole().copy()).isEqualTo(encoding);
        assertThat(keyIdentifier(parsed.recipient()))
                .isEqualTo(TRANSPORT.child(1).content());
        assertThat(parsed.wrapped().copy()).isEqualTo(TRANSPORT.child(3).content());
    }

    @ParameterizedTest
    @CsvSource({
        "SHA_1, 1.3.133.16.840.63.0.2",
        "SHA_256, 1.3.132.1.11.1",
        "SHA_384, 1.3.132.1.11.2",
        "SHA_512, 1.3.132.1.11.3"
    })
    void agreement_hasItsPartsAndTheDerivationOfItsAlgorithm(KeyDerivation kdf, String algorithm) {
        byte[] encoding = put(oid(algorithm), 2, 0).of(AGREEMENT);

        RecipientInfo.Agreement parsed = (RecipientInfo.Agreement) RecipientInfoParser.one(Slice.of(encoding));

        assertThat(parsed.kdf()).isEqualTo(kdf);
        assertThat(parsed.whole().copy()).isEqualTo(encoding);
        assertThat(parsed.originator().algorithm().copy())
                .isEqualTo(AGREEMENT.child(1, 0, 0).encoded());
        assertThat(parsed.originator().point().copy())
                .isEqualTo(AGREEMENT.child(1, 0, 1).content());
        assertThat(parsed.userKeyingMaterial()).isEmpty();
        assertThat(parsed.keys()).hasSize(1);
        assertThat(keyIdentifier(parsed.keys().get(0).recipient()))
                .isEqualTo(AGREEMENT.child(3, 0, 0, 0).content());
        assertThat(parsed.keys().get(0).wrapped().copy())
                .isEqualTo(AGREEMENT.child(3, 0, 1).content());
    }

    @Test
    void agreementWithKeyMaterialAndAnIssuer_hasBoth() {
        Edit edit = material(element(OCTET_STRING, new byte[] {1, 2})).and(put(ISSUER_AND_SERIAL, 4, 0, 0));

        RecipientInfo.Agreement parsed =
                (RecipientInfo.Agreement) RecipientInfoParser.one(Slice.of(edit.of(AGREEMENT)));

        assertThat(parsed.userKeyingMaterial()).containsExactly(1, 2);
        Slice named = Objects.requireNonNull(parsed.keys().get(0).recipient().issuerAndSerial());
        assertThat(named.copy()).isEqualTo(ISSUER_AND_SERIAL);
    }

    private static byte[] keyIdentifier(PartyIdentifier identifier) {
        return Objects.requireNonNull(identifier.keyIdentifier()).copy();
    }

    @Test
    void recipientInfos_areParsedInTheirOrder() {
        Slice infos = Slice.of(concat(TRANSPORT.encoded(), AGREEMENT.encoded(), MORE));

        assertThat(RecipientInfoParser.all(infos))
                .extracting(RecipientInfo::getClass)
                .containsExactly(
                        RecipientInfo.Transport.class, RecipientInfo.Agreement.class, RecipientInfo.Unknown.class);
    }

    /** Each recipient info counts, and each further key of an agreement. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, Limits.RECIPIENTS - 1})
    void recipients_limitIsAccepted_oneMoreIsRejected(int otherInfos) {
        byte[] others = concat(Collections.nCopies(otherInfos, MORE).toArray(byte[][]::new));
        int keys = Limits.RECIPIENTS - otherInfos;
        byte[] most = concat(others, repeat(keys, 3).of(AGREEMENT));
        byte[] oneKeyMore = concat(others, repeat(keys + 1, 3).of(AGREEMENT));

        List<RecipientInfo> accepted = RecipientInfoParser.all(Slice.of(most));

        assertThat(accepted).hasSize(otherInfos + 1);
        assertThat(((RecipientInfo.Agreement) accepted.get(otherInfos)).keys()).hasSize(keys);
        for (byte[] tooMany : List.of(oneKeyMore, concat(most, MORE))) {
            assertThatThrownBy(() -> RecipientInfoParser.all(Slice.of(tooMany)))
                    .isExactlyInstanceOf(MalformedEnvelopeException.class)
                    .hasMessage("envelope: more than " + Limits.RECIPIENTS + " recipients");
        }
    }

    @Test
    void envelopeWithoutRecipients_hasNone() {
        assertThat(RecipientInfoParser.all(Slice.of(new byte[0]))).isEmpty();
    }
}
