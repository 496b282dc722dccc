/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.recipient;

import static org.signetmq.envelope.internal.der.DerReader.BIT_STRING;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerWriter.element;

import java.io.IOException;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.cms.CertificateIdentifiers;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.envelope.internal.cms.RecipientInfo;
import org.signetmq.envelope.internal.cms.Sha256;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.keys.DataKey;
import org.signetmq.keystore.keys.EphemeralAgreement;
import org.signetmq.keystore.keys.KeyEncryptionKey;
import org.signetmq.keystore.keys.KeyEncryptionKey.KeyWrapCiphers;
import org.signetmq.keystore.keys.KeyTransport;

/** Finds and unwraps data keys with the private key of one identity. Thread-safe. */
public final class IdentityKey {
    private static final byte[] EC_WITH_NULL = element(SEQUENCE, Oids.EC_PUBLIC_KEY, Oids.NULL);

    private final Identity identity;
    private final KeyTransport transport;
    private final KeyWrapCiphers ciphers;
    private final CertificateIdentifiers names;
    private final byte[] algorithm;

    public IdentityKey(Identity identity, KeyTransport transport, KeyWrapCiphers ciphers) {
        this.identity = identity;
        this.transport = transport;
        this.ciphers = ciphers;
        this.names = CertificateIdentifiers.of(identity.certificate());
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

    /** Returns the part of a recipient info for this key, or null if there is none. */
    private @Nullable RecipientInfo part(RecipientInfo entry) {
        if (entry instanceof RecipientInfo.Transport transport) {
            return transport.recipient().isOf(names) ? transport : null;
        }
        if (entry instanceof RecipientInfo.Agreement agreement) {
            for (RecipientInfo.WrappedKey key : agreement.keys()) {
                if (key.recipient().isOf(names)) {
                    return agreement.with(key);
                }
            }
        }
        return null;
    }

    /** Returns the match of this key with a recipient info, or null if the recipient info does not name this key. */
    @Nullable
    public Match match(RecipientInfo entry) {
        RecipientInfo ours = part(entry);
        return ours == null ? null : new Match(ours, this, new Name(this, Sha256.of(entry.whole())));
    }

    /** Tells whether a recipient info of an unknown kind names this key. */
    public boolean isNamedBy(RecipientInfo.Unknown entry) {
        return entry.recipients().stream().anyMatch(recipient -> recipient.isOf(names));
    }

    /** Unwraps a data key. Returns null if it was not wrapped for this key. */
    @Nullable
    public DataKey unwrap(RecipientInfo.Transport entry) {
        return transport.unwrap(
                identity.privateKey(), entry.padding(), entry.wrapped().copy());
    }

    /** Agrees on a key-encryption key. Returns null if the originator's key is on another curve. */
    @Nullable
    public KeyEncryptionKey agree(RecipientInfo.Agreement recipient) {
        Slice named = recipient.originator().algorithm();
        boolean ours = named.contentEquals(algorithm)
                || named.contentEquals(Oids.EC_WITHOUT_CURVE)
                || named.contentEquals(EC_WITH_NULL);
        if (!ours) {
            return null;
        }
        byte[] point = element(BIT_STRING, recipient.originator().point().copy());
        byte[] sharedInfo = EcRecipients.sharedInfo(Oids.AES_256_WRAP, recipient.userKeyingMaterial());
        byte[] secret = EphemeralAgreement.answer(identity.privateKey(), element(SEQUENCE, algorithm, point));
        return secret == null ? null : KeyEncryptionKey.derive(secret, recipient.kdf(), sharedInfo, ciphers);
    }

    /** The name of a data key in the cache: the recipient's key and the digest of the recipient info. */
    public record Name(IdentityKey owner, Sha256 digest) {}

    /** A recipient info for a key of this opener, with the name of its data key in the cache. */
    public record Match(RecipientInfo entry, IdentityKey own, Name name) {}
}
