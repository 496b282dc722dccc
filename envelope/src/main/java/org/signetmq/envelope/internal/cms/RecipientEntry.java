/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import java.util.List;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.keystore.KeyDerivation;

/** A RecipientInfo of a received envelope (RFC 5652 section 6.2). */
public sealed interface RecipientEntry {
    /** The RecipientInfo whole. */
    Slice whole();

    /**
     * An RSA recipient.
     *
     * @param recipient who
     * @param padding how the key is padded
     * @param wrapped the data key
     */
    record Transport(Slice whole, PartyIdentifier recipient, Padding padding, Slice wrapped)
            implements RecipientEntry {}

    /** How a data key is padded for RSA. */
    enum Padding {
        OAEP_SHA_256("RSA-OAEP-SHA-256"),
        PKCS1("RSA-PKCS1-v1.5");

        private final String label;

        Padding(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    /**
     * EC recipients who share an ephemeral key.
     *
     * @param originator the ephemeral public key
     * @param agreement how the key-encryption key is derived
     * @param keys the data key, wrapped for each
     */
    record Agreement(Slice whole, Originator originator, Derived agreement, List<WrappedKey> keys)
            implements RecipientEntry {
        /** The same with one of the wrapped keys alone. */
        public Agreement with(WrappedKey key) {
            return new Agreement(whole, originator, agreement, List.of(key));
        }
    }

    /**
     * An ephemeral public key.
     *
     * @param algorithm the algorithm identifier
     * @param point the content of a BIT STRING
     */
    record Originator(Slice algorithm, Slice point) {}

    /** The derivation of a key-encryption key, with the keying material that the sender added, if any. */
    record Derived(KeyDerivation derivation, byte[] userKeyingMaterial) {}

    /** A data key wrapped for one of several. */
    record WrappedKey(PartyIdentifier recipient, Slice wrapped) {}

    /** A kind of recipient that Signet does not know. Harmless: it is not for us. */
    record Unknown(Slice whole) implements RecipientEntry {}
}
