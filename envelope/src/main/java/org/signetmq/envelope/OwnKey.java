/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.signetmq.envelope.DerReader.BIT_STRING;
import static org.signetmq.envelope.DerReader.SEQUENCE;
import static org.signetmq.envelope.DerWriter.element;

import java.io.IOException;
import java.util.Arrays;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Agreement;
import org.signetmq.keystore.DataKey;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyTransport;

/** The private key of one of our identities, at work on envelopes. Thread-safe. */
final class OwnKey {
    private static final byte[] EC_WITHOUT_CURVE = element(SEQUENCE, Oids.EC_PUBLIC_KEY);
    private static final byte[] EC_WITH_NULL = element(SEQUENCE, Oids.EC_PUBLIC_KEY, Oids.NULL);

    private final Identity identity;
    private final PartyNames names;
    private final byte[] algorithm;

    OwnKey(Identity identity) {
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

    Identity identity() {
        return identity;
    }

    boolean isNamedBy(PartyIdentifier identifier) {
        return identifier.isOf(names);
    }

    /** The data key, or null if it was not wrapped for this key. */
    @Nullable
    DataKey unwrap(RecipientEntry.Transport entry) {
        byte[] wrapped = entry.wrapped().copy();
        return entry.padding() == RecipientEntry.Padding.OAEP_SHA_256
                ? KeyTransport.unwrap(identity.privateKey(), wrapped)
                : KeyTransport.unwrapPkcs1(identity.privateKey(), wrapped);
    }

    /** The key-encryption key, or null if the originator's key is not of our curve. */
    @Nullable
    DataKey agree(RecipientEntry.Agreement entry) {
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

    /** What a key is found by in the cache of opened keys: whose, and from which bytes. */
    static final class Name {
        private final OwnKey owner;
        private final byte[] bytes;
        private final int hash;

        Name(OwnKey owner, byte[] bytes) {
            this.owner = owner;
            this.bytes = bytes;
            // The end is wrapped key or ephemeral point, as good as random; hashing all of it would only cost.
            int tail = 0;
            for (int i = Math.max(0, bytes.length - Long.BYTES); i < bytes.length; i++) {
                tail = 31 * tail + bytes[i];
            }
            this.hash = tail;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Name that && owner == that.owner && Arrays.equals(bytes, that.bytes);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
