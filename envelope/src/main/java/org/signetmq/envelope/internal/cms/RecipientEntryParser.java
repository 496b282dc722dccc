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
import org.signetmq.keystore.KeyDerivation;

/**
 * Takes RecipientInfos apart. Kinds and algorithms that are not ours are no error: other recipients may use them. For
 * one envelope.
 */
public final class RecipientEntryParser {
    private static final byte[] PKCS1 = element(SEQUENCE, Oids.RSA_ENCRYPTION, Oids.NULL);
    private static final byte[] ORIGINATOR_PLAIN = element(SEQUENCE, Oids.EC_PUBLIC_KEY);

    private int count;

    private RecipientEntryParser() {}

    /** All of them, in their order. */
    static List<RecipientEntry> all(Slice recipientInfos) {
        RecipientEntryParser parser = new RecipientEntryParser();
        DerReader infos = new DerReader(recipientInfos);
        List<RecipientEntry> entries = new ArrayList<>(1);
        while (infos.hasMore()) {
            parser.countOne();
            entries.add(parser.parse(infos.element()));
        }
        return entries;
    }

    /** One of them. */
    public static RecipientEntry one(Slice recipientInfo) {
        return new RecipientEntryParser().parse(recipientInfo);
    }

    private void countOne() {
        if (++count > Limits.RECIPIENTS) {
            throw new MalformedEnvelopeException("envelope: more than " + Limits.RECIPIENTS + " recipients");
        }
    }

    private RecipientEntry parse(Slice whole) {
        DerReader reader = new DerReader(whole);
        if (reader.nextIs(SEQUENCE)) {
            return transport(whole, reader.enter(SEQUENCE));
        }
        if (reader.nextIs(constructed(1))) {
            return agreement(whole, reader.enter(constructed(1)));
        }
        return new RecipientEntry.Unknown(whole);
    }

    private static RecipientEntry transport(Slice whole, DerReader info) {
        int version = info.smallInteger();
        PartyIdentifier recipient = PartyIdentifier.read(info, primitive(0));
        if (version != (recipient.keyIdentifier() == null ? 0 : 2)) {
            throw new MalformedEnvelopeException("envelope: a recipient info is not of the version it must have");
        }
        Slice algorithm = info.element();
        Slice wrapped = wrapped(info);
        info.end();
        if (algorithm.contentEquals(Oids.OAEP_SHA_256) || algorithm.contentEquals(Oids.OAEP_SHA_256_NULL)) {
            return new RecipientEntry.Transport(whole, recipient, RecipientEntry.Padding.OAEP_SHA_256, wrapped);
        }
        if (algorithm.contentEquals(PKCS1)) {
            return new RecipientEntry.Transport(whole, recipient, RecipientEntry.Padding.PKCS1, wrapped);
        }
        return new RecipientEntry.Unknown(whole);
    }

    private static Slice wrapped(DerReader info) {
        Slice wrapped = info.content(OCTET_STRING);
        Limits.require(wrapped.length(), Limits.WRAPPED_KEY, "a wrapped key");
        return wrapped;
    }

    private RecipientEntry agreement(Slice whole, DerReader info) {
        if (info.smallInteger() != 3) {
            throw new MalformedEnvelopeException("envelope: a recipient info is not of the version it must have");
        }
        DerReader originator = info.enter(constructed(0));
        if (!originator.nextIs(constructed(1))) {
            return new RecipientEntry.Unknown(whole); // static-static agreement
        }
        Slice key = originator.content(constructed(1));
        Limits.require(key.length(), Limits.ORIGINATOR_KEY, "an originator key");
        DerReader originatorKey = new DerReader(key);
        originator.end();
        Slice ec = originatorKey.element();
        refuseOtherThanEc(ec);
        Slice point = originatorKey.content(BIT_STRING);
        originatorKey.end();
        if (point.length() < 2 || point.array()[point.offset()] != 0 || !isPoint(point.array()[point.offset() + 1])) {
            throw new MalformedEnvelopeException("envelope: an originator key of broken bits");
        }
        byte[] userKeyingMaterial = new byte[0];
        if (info.nextIs(constructed(1))) {
            Slice material = info.enter(constructed(1)).content(OCTET_STRING);
            Limits.require(material.length(), Limits.USER_KEYING_MATERIAL, "user keying material");
            userKeyingMaterial = material.copy();
        }
        DerReader algorithm = info.enter(SEQUENCE);
        Slice scheme = algorithm.element();
        boolean known = algorithm.element().contentEquals(Oids.AES_256_WRAP);
        algorithm.end();
        DerReader entries = info.enter(SEQUENCE);
        info.end();
        List<RecipientEntry.WrappedKey> keys = new ArrayList<>(1);
        while (entries.hasMore()) {
            if (!keys.isEmpty()) {
                countOne(); // the first one counts as the recipient info around it
            }
            keys.add(wrappedKey(entries.enter(SEQUENCE)));
        }
        KeyDerivation derivation = derivation(scheme);
        if (!known || derivation == null) {
            return new RecipientEntry.Unknown(whole);
        }
        return new RecipientEntry.Agreement(
                whole,
                new RecipientEntry.Originator(ec, point),
                new RecipientEntry.Derived(derivation, userKeyingMaterial),
                keys);
    }

    /** Compressed or uncompressed, and no third form (RFC 5480 section 2.2). */
    private static boolean isPoint(byte form) {
        return form == 2 || form == 3 || form == 4;
    }

    /** The curve may be named, absent or NULL; it must be the recipient's own anyway. */
    private static void refuseOtherThanEc(Slice algorithm) {
        DerReader reader = new DerReader(algorithm).enter(SEQUENCE);
        if (!algorithm.contentEquals(ORIGINATOR_PLAIN)) {
            reader.expect(Oids.EC_PUBLIC_KEY, "originator key");
            if (reader.hasMore()) {
                Slice parameters = reader.element();
                boolean named = (parameters.array()[parameters.offset()] & 0xFF) == DerReader.OID;
                if (!named && !parameters.contentEquals(Oids.NULL)) {
                    throw new MalformedEnvelopeException("envelope: unsupported originator key");
                }
                reader.end();
            }
        }
    }

    private static RecipientEntry.WrappedKey wrappedKey(DerReader entry) {
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
        return new RecipientEntry.WrappedKey(recipient, wrapped);
    }

    private static @Nullable KeyDerivation derivation(Slice scheme) {
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
