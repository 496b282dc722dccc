/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.recipient;

import static org.signetmq.envelope.internal.der.DerReader.BIT_STRING;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerWriter.element;

import java.io.IOException;
import java.util.Objects;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.envelope.internal.cms.PartyIdentifier;
import org.signetmq.envelope.internal.cms.PartyNames;
import org.signetmq.envelope.internal.cms.RecipientEntry;
import org.signetmq.envelope.internal.cms.Sha256;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.crypto.Agreement;
import org.signetmq.keystore.crypto.DataKey;
import org.signetmq.keystore.crypto.KeyTransport;

/** The private key of one of our identities, at work on envelopes. Thread-safe. */
public final class OwnKey {
    private static final byte[] EC_WITHOUT_CURVE = element(SEQUENCE, Oids.EC_PUBLIC_KEY);
    private static final byte[] EC_WITH_NULL = element(SEQUENCE, Oids.EC_PUBLIC_KEY, Oids.NULL);

    private final Identity identity;
    private final PartyNames names;
    private final byte[] algorithm;

    public OwnKey(Identity identity) {
        this.identity = identity;
        this.names = PartyNames.of(identity.certificate());
        try {
            this.algorithm = SubjectPublicKeyInfo.getInstance(
                            identity.certificate().getPublicKey().getEncoded())
                    .getAlgorithm()
                    .getEncoded();
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    public Identity identity() {
        return identity;
    }

    boolean isNamedBy(PartyIdentifier identifier) {
        return identifier.isOf(names);
    }

    /** As much of a recipient info as is for this key, or null if nothing is. */
    @Nullable
    RecipientEntry part(RecipientEntry entry) {
        if (entry instanceof RecipientEntry.Transport transport) {
            return isNamedBy(transport.recipient()) ? transport : null;
        }
        if (entry instanceof RecipientEntry.Agreement agreement) {
            for (RecipientEntry.WrappedKey key : agreement.keys()) {
                if (isNamedBy(key.recipient())) {
                    return agreement.with(key);
                }
            }
        }
        return null;
    }

    /** This key in a recipient info, or null if it is not named there. */
    @Nullable
    public Match match(RecipientEntry entry) {
        RecipientEntry ours = part(entry);
        return ours == null ? null : new Match(ours, this, new Name(this, Sha256.of(entry.whole())));
    }

    /** As {@link #part}, where something is. */
    RecipientEntry required(RecipientEntry entry) {
        return Objects.requireNonNull(part(entry), "recipient: not this key");
    }

    /** The data key, or null if it was not wrapped for this key. */
    @Nullable
    public DataKey unwrap(RecipientEntry.Transport entry) {
        byte[] wrapped = entry.wrapped().copy();
        return entry.padding() == RecipientEntry.Padding.OAEP_SHA_256
                ? KeyTransport.unwrap(identity.privateKey(), wrapped)
                : KeyTransport.unwrapPkcs1(identity.privateKey(), wrapped);
    }

    /** The key-encryption key, or null if the originator's key is not of our curve. */
    @Nullable
    public DataKey agree(RecipientEntry.Agreement entry) {
        Slice named = entry.originator().algorithm();
        boolean ours = named.contentEquals(algorithm)
                || named.contentEquals(EC_WITHOUT_CURVE)
                || named.contentEquals(EC_WITH_NULL);
        if (!ours) {
            return null;
        }
        byte[] point = element(BIT_STRING, entry.originator().point().copy());
        byte[] sharedInfo =
                EcRecipients.sharedInfo(Oids.AES_256_WRAP, entry.agreement().userKeyingMaterial());
        return Agreement.answer(
                identity.privateKey(),
                element(SEQUENCE, algorithm, point),
                entry.agreement().derivation(),
                sharedInfo);
    }

    /** What a key is found by in the cache of opened keys: whose it is, and the digest of what it was wrapped in. */
    public record Name(OwnKey owner, Sha256 digest) {}

    /** A recipient info that one of our keys is named in, and what its data key is called in the cache. */
    public record Match(RecipientEntry entry, OwnKey own, Name name) {}
}
