/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import static org.signetmq.envelope.internal.der.DerReader.BIT_STRING;
import static org.signetmq.envelope.internal.der.DerReader.OCTET_STRING;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.constructed;
import static org.signetmq.envelope.internal.der.DerReader.primitive;
import static org.signetmq.envelope.internal.der.DerWriter.element;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.internal.format.Malformed;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.keys.AesKey;
import org.signetmq.keystore.keys.KeyEncryptionKey;
import org.signetmq.keystore.keys.KeyEncryptionKey.KeyDerivation;

/** Parses the recipient infos of one envelope. Unknown kinds are no error: other recipients may use them. */
public final class RecipientInfoParser {
    private static final byte[] PKCS1 = element(SEQUENCE, Oids.RSA_ENCRYPTION, Oids.NULL);

    /** As DER and openssl write it, and as Java does, with each part. */
    private static final List<byte[]> OAEP_SHA_1 = List.of(
            element(SEQUENCE, Oids.RSA_OAEP), element(SEQUENCE, Oids.RSA_OAEP, element(SEQUENCE)), oaepInFull());

    /** INTEGER 32, the length of a key-encryption key in bytes. */
    public static final byte[] KEK_LENGTH = element(DerReader.INTEGER, new byte[] {AesKey.LENGTH});

    private int count;

    private RecipientInfoParser() {}

    private static byte[] oaepInFull() {
        byte[] hash = element(SEQUENCE, Oids.SHA_1, Oids.NULL);
        byte[] parameters = element(
                SEQUENCE,
                element(constructed(0), hash),
                element(constructed(1), element(SEQUENCE, Oids.MGF1, hash)),
                element(constructed(2), element(SEQUENCE, Oids.P_SPECIFIED, element(OCTET_STRING))));
        return element(SEQUENCE, Oids.RSA_OAEP, parameters);
    }

    /** Parses all recipient infos, in their order. */
    public static List<RecipientInfo> all(Slice recipientInfos) {
        RecipientInfoParser parser = new RecipientInfoParser();
        DerReader infos = new DerReader(recipientInfos);
        List<RecipientInfo> entries = new ArrayList<>(1);
        while (infos.hasMore()) {
            parser.countOne();
            entries.add(parser.parse(infos.element()));
        }
        return entries;
    }

    /** Tells whether all recipient infos are of the kind of ML-KEM, by their tags. */
    public static boolean areAllKem(Slice recipientInfos) {
        return kems(recipientInfos) == tags(recipientInfos).size();
    }

    /** Tells whether any recipient info is of the kind of ML-KEM, by its tag. */
    public static boolean isAnyKem(Slice recipientInfos) {
        return kems(recipientInfos) > 0;
    }

    private static long kems(Slice recipientInfos) {
        return tags(recipientInfos).stream()
                .filter(tag -> tag == constructed(4))
                .count();
    }

    private static List<Integer> tags(Slice recipientInfos) {
        DerReader infos = new DerReader(recipientInfos);
        List<Integer> tags = new ArrayList<>(1);
        while (infos.hasMore()) {
            Slice info = infos.element();
            tags.add(info.array()[info.offset()] & 0xFF);
        }
        return tags;
    }

    /** Parses one recipient info. */
    public static RecipientInfo one(Slice recipientInfo) {
        return new RecipientInfoParser().parse(recipientInfo);
    }

    private void countOne() {
        Malformed.when(++count > Limits.RECIPIENTS, "envelope: more than " + Limits.RECIPIENTS + " recipients");
    }

    private RecipientInfo parse(Slice whole) {
        DerReader reader = new DerReader(whole);
        if (reader.nextIs(SEQUENCE)) {
            return transport(whole, reader.enter(SEQUENCE));
        }
        if (reader.nextIs(constructed(1))) {
            return agreement(whole, reader.enter(constructed(1)));
        }
        if (reader.nextIs(constructed(4))) {
            return other(whole, reader.enter(constructed(4)));
        }
        return reader.nextIs(constructed(3))
                ? new RecipientInfo.Unknown(whole, List.of(), () -> "a password")
                : new RecipientInfo.Unknown(whole, List.of(), () -> "a key that Signet does not know");
    }

    private static RecipientInfo transport(Slice whole, DerReader info) {
        int version = info.smallInteger();
        PartyIdentifier recipient = PartyIdentifier.read(info, primitive(0));
        if (version != (recipient.keyIdentifier() == null ? 0 : 2)) {
            throw new MalformedEnvelopeException("envelope: a recipient info has the wrong version");
        }
        Slice algorithm = info.element();
        Slice wrapped = wrapped(info);
        info.end();
        if (algorithm.contentEquals(Oids.OAEP_SHA_256) || algorithm.contentEquals(Oids.OAEP_SHA_256_NULL)) {
            return new RecipientInfo.Transport(whole, recipient, KeyTransportPadding.OAEP_SHA_256, wrapped);
        }
        if (algorithm.contentEquals(PKCS1)) {
            return new RecipientInfo.Transport(whole, recipient, KeyTransportPadding.PKCS1, wrapped);
        }
        if (OAEP_SHA_1.stream().anyMatch(algorithm::contentEquals)) {
            return new RecipientInfo.Transport(whole, recipient, KeyTransportPadding.OAEP_SHA_1, wrapped);
        }
        return new RecipientInfo.Unknown(whole, List.of(recipient), () -> transportWords(algorithm));
    }

    private static String transportWords(Slice algorithm) {
        try {
            DerReader parts = new DerReader(algorithm).enter(SEQUENCE);
            Slice identifier = parts.element();
            return identifier.contentEquals(Oids.RSA_OAEP)
                    ? AlgorithmNames.oaep(parts)
                    : AlgorithmNames.of(identifier) + (parts.hasMore() ? " with other parameters" : "");
        } catch (MalformedEnvelopeException unreadable) {
            return "a key transport that Signet does not know";
        }
    }

    private static Slice wrapped(DerReader info) {
        Slice wrapped = info.content(OCTET_STRING);
        Limits.require(wrapped.length(), Limits.WRAPPED_KEY, "a wrapped key");
        return wrapped;
    }

    private RecipientInfo agreement(Slice whole, DerReader info) {
        Malformed.when(info.smallInteger() != 3, "envelope: a recipient info has the wrong version");
        DerReader originator = info.enter(constructed(0));
        if (!originator.nextIs(constructed(1))) {
            return new RecipientInfo.Unknown(whole, List.of(), () -> "a static key of the sender");
        }
        Slice key = originator.content(constructed(1));
        Limits.require(key.length(), Limits.ORIGINATOR_KEY, "an originator key");
        DerReader originatorKey = new DerReader(key);
        originator.end();
        Slice ec = originatorKey.element();
        rejectOtherThanEc(ec);
        Slice point = originatorKey.content(BIT_STRING);
        originatorKey.end();
        Malformed.when(
                point.length() < 2 || point.array()[point.offset()] != 0 || !isPoint(point.array()[point.offset() + 1]),
                "envelope: an originator key is not a point of a curve");
        byte[] userKeyingMaterial = userKeyingMaterial(info, 1);
        DerReader algorithm = info.enter(SEQUENCE);
        Slice scheme = algorithm.element();
        Slice wrap = algorithm.element();
        boolean known = wrap.contentEquals(Oids.AES_256_WRAP);
        algorithm.end();
        DerReader entries = info.enter(SEQUENCE);
        info.end();
        List<RecipientInfo.WrappedKey> keys = new ArrayList<>(1);
        while (entries.hasMore()) {
            if (!keys.isEmpty()) {
                countOne(); // the first key counts as its recipient info
            }
            keys.add(wrappedKey(entries.enter(SEQUENCE)));
        }
        KeyDerivation kdf = kdf(scheme);
        if (!known || kdf == null) {
            List<PartyIdentifier> recipients = new ArrayList<>(keys.size());
            keys.forEach(each -> recipients.add(each.recipient()));
            return new RecipientInfo.Unknown(
                    whole, recipients, () -> kdf == null ? AlgorithmNames.of(scheme) : wrapping(wrap));
        }
        return new RecipientInfo.Agreement(
                whole, new RecipientInfo.Originator(ec, point), kdf, userKeyingMaterial, keys);
    }

    private static RecipientInfo other(Slice whole, DerReader other) {
        if (!other.element().contentEquals(Oids.KEM_RECIPIENT)) {
            return new RecipientInfo.Unknown(whole, List.of(), () -> "a key that Signet does not know");
        }
        DerReader info = other.enter(SEQUENCE);
        other.end();
        Malformed.when(info.smallInteger() != 0, "envelope: a recipient info has the wrong version");
        PartyIdentifier recipient = PartyIdentifier.read(info, primitive(0));
        Slice kem = info.element();
        Slice ciphertext = info.content(OCTET_STRING);
        Limits.require(ciphertext.length(), Limits.ENCAPSULATION, "an encapsulated secret");
        Slice derivation = info.element();
        boolean known = info.element().contentEquals(KEK_LENGTH);
        byte[] userKeyingMaterial = userKeyingMaterial(info, 0);
        Slice wrap = info.element();
        Slice wrapped = wrapped(info);
        info.end();
        int length = kem.contentEquals(Oids.ML_KEM_768) ? 1088 : kem.contentEquals(Oids.ML_KEM_1024) ? 1568 : 0;
        if (length == 0
                || !known
                || !derivation.contentEquals(Oids.HKDF_SHA_256)
                || !wrap.contentEquals(Oids.AES_256_WRAP)) {
            return new RecipientInfo.Unknown(
                    whole,
                    List.of(recipient),
                    () -> length == 0
                            ? "a KEM that Signet does not know"
                            : "ML-KEM, " + wrapping(derivation) + " and " + wrapping(wrap));
        }
        Malformed.when(
                ciphertext.length() != length || wrapped.length() != KeyEncryptionKey.WRAPPED_LENGTH,
                "envelope: an encapsulated secret or its wrapped key has the wrong length");
        return new RecipientInfo.Encapsulation(whole, recipient, kem, ciphertext, userKeyingMaterial, wrapped);
    }

    /** Reads optional user keying material under an explicit tag; empty if it is absent. */
    private static byte[] userKeyingMaterial(DerReader info, int tag) {
        if (!info.nextIs(constructed(tag))) {
            return new byte[0];
        }
        DerReader explicit = info.enter(constructed(tag));
        Slice material = explicit.content(OCTET_STRING);
        explicit.end();
        Limits.require(material.length(), Limits.USER_KEYING_MATERIAL, "user keying material");
        return material.copy();
    }

    private static String wrapping(Slice algorithm) {
        try {
            DerReader parts = new DerReader(algorithm).enter(SEQUENCE);
            return AlgorithmNames.of(parts.element()) + (parts.hasMore() ? " with parameters" : "");
        } catch (MalformedEnvelopeException unreadable) {
            return "a key wrap that Signet does not know";
        }
    }

    /** Tells whether a point is compressed or uncompressed; RFC 5480 section 2.2 allows no other form. */
    private static boolean isPoint(byte form) {
        return form == 2 || form == 3 || form == 4;
    }

    /** Rejects other keys than EC keys. The curve may be named, absent or NULL, because the recipient's key decides. */
    private static void rejectOtherThanEc(Slice algorithm) {
        DerReader reader = new DerReader(algorithm).enter(SEQUENCE);
        reader.expect(Oids.EC_PUBLIC_KEY, "originator key");
        if (reader.hasMore()) {
            Slice parameters = reader.element();
            boolean named = (parameters.array()[parameters.offset()] & 0xFF) == DerReader.OID;
            Malformed.when(!named && !parameters.contentEquals(Oids.NULL), "envelope: unsupported originator key");
            reader.end();
        }
    }

    private static RecipientInfo.WrappedKey wrappedKey(DerReader entry) {
        PartyIdentifier recipient;
        if (entry.nextIs(constructed(0))) {
            DerReader named = entry.enter(constructed(0));
            recipient = PartyIdentifier.read(named, OCTET_STRING);
            named.end();
        } else {
            recipient = PartyIdentifier.issuerAndSerial(entry);
        }
        Slice wrapped = wrapped(entry);
        entry.end();
        return new RecipientInfo.WrappedKey(recipient, wrapped);
    }

    private static @Nullable KeyDerivation kdf(Slice scheme) {
        if (scheme.contentEquals(Oids.ECDH_SHA256_KDF)) {
            return KeyDerivation.SHA_256;
        }
        if (scheme.contentEquals(Oids.ECDH_SHA1_KDF)) {
            return KeyDerivation.SHA_1;
        }
        if (scheme.contentEquals(Oids.ECDH_SHA384_KDF)) {
            return KeyDerivation.SHA_384;
        }
        return scheme.contentEquals(Oids.ECDH_SHA512_KDF) ? KeyDerivation.SHA_512 : null;
    }
}
