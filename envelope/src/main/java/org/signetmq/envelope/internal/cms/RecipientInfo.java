/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import java.util.List;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.keys.KeyEncryptionKey.KeyDerivation;

/** A RecipientInfo of a received envelope (RFC 5652 section 6.2). */
public sealed interface RecipientInfo {
    /** The whole RecipientInfo, encoded. */
    Slice whole();

    /** An RSA recipient (KeyTransRecipientInfo). */
    record Transport(Slice whole, PartyIdentifier recipient, KeyTransportPadding padding, Slice wrapped)
            implements RecipientInfo {}

    /**
     * EC recipients that share an ephemeral key (KeyAgreeRecipientInfo).
     *
     * @param originator the ephemeral public key
     * @param kdf derives the key-encryption key
     * @param userKeyingMaterial goes into the derivation; empty if the sender added none
     * @param keys the data key, wrapped for each
     */
    record Agreement(
            Slice whole, Originator originator, KeyDerivation kdf, byte[] userKeyingMaterial, List<WrappedKey> keys)
            implements RecipientInfo {
        /** This recipient info with only one of the wrapped keys. */
        public Agreement with(WrappedKey key) {
            return new Agreement(whole, originator, kdf, userKeyingMaterial, List.of(key));
        }
    }

    /**
     * An ephemeral public key.
     *
     * @param algorithm the algorithm identifier
     * @param point the content of a BIT STRING
     */
    record Originator(Slice algorithm, Slice point) {}

    /** The data key, wrapped for one EC recipient. */
    record WrappedKey(PartyIdentifier recipient, Slice wrapped) {}

    /**
     * A kind of recipient that Signet does not know. Other recipients may use it.
     *
     * @param recipients those that it names in a known way
     * @param words names the algorithm that protects the data key, once a text needs it
     */
    record Unknown(Slice whole, List<PartyIdentifier> recipients, Words words) implements RecipientInfo {
        /** Makes words, which take more memory than a recipient info. */
        interface Words {
            String make();
        }

        /** Returns words for the algorithm that protects the data key. */
        public String algorithm() {
            return words.make();
        }
    }
}
