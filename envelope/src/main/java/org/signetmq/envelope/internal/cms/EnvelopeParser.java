/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import static org.signetmq.envelope.internal.der.DerReader.OCTET_STRING;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.SET;
import static org.signetmq.envelope.internal.der.DerReader.constructed;
import static org.signetmq.envelope.internal.der.DerReader.primitive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.cms.ParsedEnvelope.SignedAttributes;
import org.signetmq.envelope.internal.der.BerTranscoder;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.internal.format.Malformed;
import org.signetmq.keystore.keys.ContentCipher;
import org.signetmq.keystore.keys.KeyLease;

/** Parses envelopes. It parses DER directly and converts other BER to DER first. */
public final class EnvelopeParser {
    /** The encoding of the bytes, and the owner of the array. */
    private enum Encoding {
        DER,
        /** DER in an array that the parser may change. */
        OWN,
        /** DER in an array that the transcoder made. */
        TRANSCODED
    }

    private static final byte[] NO_BYTES = {};

    private EnvelopeParser() {}

    /** Tells whether these bytes begin with a SEQUENCE and the identifier of SignedData or AuthEnvelopedData. */
    public static boolean looksSealed(byte[] bytes, int offset, int length) {
        if (length < 2 || bytes[offset] != SEQUENCE) {
            return false;
        }
        int first = bytes[offset + 1] & 0xFF;
        int oid = offset + 2 + (first > 0x80 ? first & 0x7F : 0);
        return startsWith(bytes, oid, offset + length, Oids.SIGNED_DATA)
                || startsWith(bytes, oid, offset + length, Oids.AUTH_ENVELOPED_DATA);
    }

    private static boolean startsWith(byte[] bytes, int offset, int end, byte[] prefix) {
        return offset + prefix.length <= end
                && Arrays.equals(bytes, offset, offset + prefix.length, prefix, 0, prefix.length);
    }

    public static ParsedEnvelope parse(Slice slice) {
        return parse(slice, null);
    }

    /** Parses as {@link #parse(Slice)} does, but takes known recipient infos from the cache. */
    public static ParsedEnvelope parse(Slice slice, @Nullable RecipientInfoCache known) {
        return parse(slice, Encoding.DER, known, NO_BYTES);
    }

    /** Parses as {@link #parse(Slice, RecipientInfoCache)} does, and may change the array. */
    public static ParsedEnvelope parseInPlace(Slice slice, @Nullable RecipientInfoCache known) {
        return parse(slice, Encoding.OWN, known, NO_BYTES);
    }

    /** Parses an envelope that was inside another one. If it is not DER, the spare array takes its DER encoding. */
    public static ParsedEnvelope parseInside(Slice slice, byte[] spare) {
        return parse(slice, Encoding.DER, null, spare);
    }

    private static ParsedEnvelope parse(
            Slice slice, Encoding encoding, @Nullable RecipientInfoCache known, byte[] spare) {
        try {
            return parse(slice, encoding, known);
        } catch (MalformedEnvelopeException rejected) {
            Slice der = BerTranscoder.toDer(slice, spare);
            if (der == null) {
                throw rejected; // already DER, so it is malformed
            }
            return parse(der, Encoding.TRANSCODED, known);
        }
    }

    private static ParsedEnvelope parse(Slice slice, Encoding encoding, @Nullable RecipientInfoCache known) {
        DerReader outer = new DerReader(slice);
        DerReader contentInfo = outer.enter(SEQUENCE);
        outer.end();
        Slice type = contentInfo.element();
        ContentInfoHead.rejectOther(slice);
        DerReader explicit = contentInfo.enter(constructed(0));
        contentInfo.end();
        DerReader content = explicit.enter(SEQUENCE);
        explicit.end();
        if (type.contentEquals(Oids.AUTH_ENVELOPED_DATA)) {
            return encrypted(content, encoding, known);
        }
        if (type.contentEquals(Oids.SIGNED_DATA)) {
            return signed(content);
        }
        throw new MalformedEnvelopeException("envelope: neither SignedData nor AuthEnvelopedData");
    }

    private static ParsedEnvelope.Encrypted encrypted(
            DerReader data, Encoding encoding, @Nullable RecipientInfoCache known) {
        Malformed.when(data.smallInteger() != 0, "envelope: AuthEnvelopedData is not of version 0");
        Slice recipientInfos = data.content(SET);
        RecipientInfoCache.Known seen = known == null ? null : known.find(recipientInfos);
        List<RecipientInfo> recipients = seen == null ? RecipientInfoParser.all(recipientInfos) : seen.legacy();
        DerReader content = data.enter(SEQUENCE);
        content.expect(Oids.DATA, "content type");
        DerReader algorithm = content.enter(SEQUENCE);
        Slice cipher = algorithm.element();
        if (!cipher.contentEquals(Oids.AES_256_GCM)) {
            throw new MalformedEnvelopeException("envelope: unsupported content-encryption algorithm, "
                    + AlgorithmNames.of(cipher) + "; use AES-256-GCM");
        }
        DerReader parameters = algorithm.enter(SEQUENCE);
        algorithm.end();
        Slice nonce = parameters.content(OCTET_STRING);
        int tagLength = parameters.smallInteger();
        parameters.end();
        Slice ciphertext = encoding == Encoding.TRANSCODED && content.nextIs(constructed(0))
                ? joined(content.content(constructed(0)))
                : content.content(primitive(0));
        content.end();
        Slice tag = data.content(OCTET_STRING);
        data.end();
        Malformed.when(
                nonce.length() != KeyLease.NONCE_LENGTH
                        || tagLength != ContentCipher.TAG_LENGTH
                        || tag.length() != ContentCipher.TAG_LENGTH,
                "envelope: nonce or tag has the wrong length");
        if (encoding != Encoding.DER) { // the parser owns the array: the cipher reads the tag behind the ciphertext
            Slice behind =
                    new Slice(ciphertext.array(), ciphertext.offset() + ciphertext.length(), ContentCipher.TAG_LENGTH);
            System.arraycopy(tag.array(), tag.offset(), behind.array(), behind.offset(), behind.length());
            tag = behind;
        }
        return new ParsedEnvelope.Encrypted(
                recipientInfos, recipients, seen, new ParsedEnvelope.Content(nonce, ciphertext, tag));
    }

    /** Joins the parts of a string under an implicit tag, which the transcoder cannot recognise. */
    private static Slice joined(Slice parts) {
        DerReader reader = new DerReader(parts);
        int end = parts.offset();
        while (reader.hasMore()) {
            Slice part = reader.content(OCTET_STRING);
            System.arraycopy(part.array(), part.offset(), part.array(), end, part.length());
            end += part.length();
        }
        return new Slice(parts.array(), parts.offset(), end - parts.offset());
    }

    private static ParsedEnvelope.Signed signed(DerReader data) {
        int version = data.smallInteger();
        DerReader digests = data.enter(SET);
        String digest = SignatureOids.readDigest(digests.element());
        digests.end();
        DerReader encapsulated = data.enter(SEQUENCE);
        Slice type = encapsulated.element();
        boolean shared = type.contentEquals(Oids.HASH_LIST);
        Malformed.when(!shared && !type.contentEquals(Oids.DATA), "envelope: unsupported content type");
        DerReader explicit = encapsulated.enter(constructed(0));
        encapsulated.end();
        Slice covered = explicit.content(OCTET_STRING);
        explicit.end();
        HashList list = shared ? HashList.read(covered) : null;
        List<Slice> certificates = new ArrayList<>(1);
        if (data.nextIs(constructed(0))) {
            DerReader set = data.enter(constructed(0));
            while (set.hasMore()) {
                Malformed.when(
                        certificates.size() == Limits.CERTIFICATES,
                        "envelope: more than " + Limits.CERTIFICATES + " certificates");
                Slice certificate = set.element();
                Limits.require(certificate.length(), Limits.CERTIFICATE, "a certificate");
                certificates.add(certificate);
            }
        }
        DerReader signers = data.enter(SET);
        byte[] contentType = shared ? Oids.HASH_LIST : Oids.DATA;
        DerReader info = signers.enter(SEQUENCE);
        ParsedEnvelope.Signer signer = signer(info, version, digest, contentType);
        ParsedEnvelope.Signer postQuantum = null;
        if (signers.hasMore()) {
            info.end();
            info = signers.enter(SEQUENCE);
            postQuantum = signer(info, version, digest, contentType);
            Malformed.when(
                    signer.isPostQuantum() || !postQuantum.isPostQuantum(),
                    "envelope: " + Limits.SIGNERS
                            + " signers that are not one of a classical kind, then one of ML-DSA");
        }
        Malformed.when(signers.hasMore(), "envelope: more than " + Limits.SIGNERS + " signers");
        data.end();
        Slice entity = shared ? listedEntity(info) : covered; // behind the last signature
        info.end(); // no other unsigned attributes: no signature protects them
        return new ParsedEnvelope.Signed(entity, list, certificates, signer, postQuantum);
    }

    /** Reads the only unsigned attribute of a signature that covers a list. The list has the hash of its value. */
    private static Slice listedEntity(DerReader info) {
        DerReader attributes = info.enter(constructed(1));
        DerReader attribute = attributes.enter(SEQUENCE);
        attributes.end();
        attribute.expect(Oids.LISTED_ENTITY, "unsigned attribute");
        DerReader values = attribute.enter(SET);
        attribute.end();
        Slice entity = values.content(OCTET_STRING);
        values.end();
        return entity;
    }

    private static ParsedEnvelope.Signer signer(DerReader info, int dataVersion, String digest, byte[] contentType) {
        int version = info.smallInteger();
        PartyIdentifier identifier = PartyIdentifier.read(info, primitive(0));
        int expected = identifier.keyIdentifier() == null ? 1 : 3;
        int expectedData = contentType == Oids.DATA ? expected : 3; // RFC 5652 section 5.1
        Malformed.when(
                version != expected || dataVersion != expectedData, "envelope: SignedData has the wrong version");
        Malformed.when(
                !SignatureOids.readDigest(info.element()).equals(digest), "envelope: two different digest algorithms");
        SignedAttributes attributes = SignedAttributes.read(info.element(), contentType);
        var scheme = SignatureOids.read(info.element(), digest);
        Slice value = info.content(OCTET_STRING);
        Limits.require(value.length(), Limits.SIGNATURE, "a signature");
        return new ParsedEnvelope.Signer(
                identifier, digest, attributes, new ParsedEnvelope.Signature(scheme, value.copy()));
    }
}
