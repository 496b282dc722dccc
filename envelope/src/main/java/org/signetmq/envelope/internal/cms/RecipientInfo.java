/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import java.util.List;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.keystore.KeyDerivation;
import org.signetmq.keystore.KeyTransportPadding;

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

    /** A kind of recipient that Signet does not know. Other recipients may use it. */
    record Unknown(Slice whole) implements RecipientInfo {
        /** Returns words for the algorithm that protects the data key. */
        public String algorithm() {
            DerReader reader = new DerReader(whole);
            if (reader.nextIs(DerReader.constructed(1))) {
                return "a key agreement that Signet does not know";
            }
            if (!reader.nextIs(DerReader.SEQUENCE)) {
                return reader.nextIs(DerReader.constructed(3)) ? "a password" : "a key that Signet does not know";
            }
            DerReader transport = reader.enter(DerReader.SEQUENCE);
            Slice version = transport.element();
            Slice recipient = transport.element();
            DerReader algorithm = transport.enter(DerReader.SEQUENCE);
            if (version.length() == 0
                    || recipient.length() == 0
                    || !algorithm.element().contentEquals(Oids.RSA_OAEP)) {
                return "a key transport that Signet does not know";
            }
            boolean standard = !algorithm.hasMore() || algorithm.element().length() == 2;
            return "RSA OAEP with " + (standard ? "SHA-1" : "another digest than SHA-256");
        }
    }
}
