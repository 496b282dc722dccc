/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import static org.signetmq.envelope.internal.der.DerReader.OCTET_STRING;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.constructed;
import static org.signetmq.envelope.internal.der.DerWriter.element;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.keys.KeyEncryptionKey.KeyDerivation;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.LegacyAlgorithms;

/** A RecipientInfo of a received envelope (RFC 5652 section 6.2). */
public sealed interface RecipientInfo {
    /** What a sender should do about another algorithm that protects the data key. */
    String ADVICE = "encrypt with RSA OAEP and SHA-256, ECDH and SHA-256, or ML-KEM";

    /** The whole RecipientInfo, encoded. */
    Slice whole();

    /** Returns words for an algorithm that protects the data key and is old or unknown. */
    String algorithm();

    /** An RSA recipient (KeyTransRecipientInfo). */
    record Transport(Slice whole, PartyIdentifier recipient, KeyTransportPadding padding, Slice wrapped)
            implements RecipientInfo {
        @Override
        public boolean isLegacy() {
            return padding != KeyTransportPadding.OAEP_SHA_256;
        }

        @Override
        public String algorithm() {
            return padding == KeyTransportPadding.OAEP_SHA_1 ? "RSA OAEP with SHA-1" : "RSA PKCS#1 v1.5 key transport";
        }
    }

    /**
     * EC recipients that share the key of an originator (KeyAgreeRecipientInfo).
     *
     * @param originator an ephemeral public key, or the sender's
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

        @Override
        public boolean isLegacy() {
            return kdf == KeyDerivation.SHA_1;
        }

        @Override
        public String algorithm() {
            return "key derivation with SHA-1";
        }
    }

    /**
     * An ML-KEM recipient (KEMRecipientInfo, RFC 9629 and 9936).
     *
     * @param kem the algorithm identifier of the recipient's key
     * @param ciphertext the encapsulated secret, of the length of the algorithm
     * @param userKeyingMaterial goes into the derivation; empty if the sender added none
     */
    record Encapsulation(
            Slice whole,
            PartyIdentifier recipient,
            Slice kem,
            Slice ciphertext,
            byte[] userKeyingMaterial,
            Slice wrapped)
            implements RecipientInfo {
        @Override
        public String algorithm() {
            return (kem.contentEquals(Oids.ML_KEM_768) ? "ML-KEM-768" : "ML-KEM-1024") + ", HKDF-SHA-256 derivation";
        }
    }

    /**
     * The public key of an originator.
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
     * @param words makes the words for the algorithm once a text needs them; they take more memory than this
     */
    record Unknown(Slice whole, List<PartyIdentifier> recipients, Supplier<String> words) implements RecipientInfo {
        @Override
        public String algorithm() {
            return words.get();
        }
    }

    /** Tells whether an old algorithm protects the data key for this recipient. */
    default boolean isLegacy() {
        return false;
    }

    /** Encodes ECC-CMS-SharedInfo for a 256-bit key-encryption key (RFC 5753 section 7.2). */
    static byte[] sharedInfo(byte[] userKeyingMaterial) {
        byte[] partyInfo = userKeyingMaterial.length == 0
                ? userKeyingMaterial
                : element(constructed(0), element(OCTET_STRING, userKeyingMaterial));
        byte[] keyBits = {OCTET_STRING, 4, 0, 0, 1, 0};
        return element(SEQUENCE, Oids.AES_256_WRAP, partyInfo, element(constructed(2), keyBits));
    }

    /** Encodes CMSORIforKEMOtherInfo for a 256-bit key-encryption key (RFC 9629 section 5). */
    static byte[] kemOtherInfo(byte[] userKeyingMaterial) {
        byte[] material = userKeyingMaterial.length == 0
                ? userKeyingMaterial
                : element(constructed(0), element(OCTET_STRING, userKeyingMaterial));
        return element(SEQUENCE, Oids.AES_256_WRAP, RecipientInfoParser.KEK_LENGTH, material);
    }

    /**
     * Rejects an envelope by its structure, independent of the reader's keys. The caller asks before it uses a private
     * key, so that the rejection reveals nothing about the padding.
     *
     * @param policy the policy of the address, or null
     * @param unmatched the rule for an address without a policy
     * @throws PolicyViolationException if an old algorithm protects the data key for any recipient and is not accepted
     */
    static void rejectLegacy(List<RecipientInfo> entries, @Nullable Policy policy, LegacyAlgorithms unmatched) {
        LegacyAlgorithms rule = policy == null ? unmatched : policy.acceptance().legacy();
        if (rule == LegacyAlgorithms.ACCEPTED) {
            return;
        }
        for (int i = 0; i < entries.size(); i++) {
            RecipientInfo entry = entries.get(i);
            if (entry.isLegacy()) {
                throw new PolicyViolationException("envelope: its data key is protected by "
                        + entry.algorithm()
                        + (policy == null
                                ? " where no policy covers the address; give --accept-legacy, or set a policy with it"
                                : " where policy '" + policy.pattern() + "' has no accept-legacy")
                        + "; or " + ADVICE);
            }
        }
    }
}
