/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import java.util.List;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.keystore.SignatureScheme;

/** An envelope taken apart, nothing of it verified. */
public sealed interface ParsedEnvelope {
    /**
     * SignedData.
     *
     * @param content the entity
     * @param certificates what came along
     * @param signer the one signature
     */
    record Signed(Slice content, List<Slice> certificates, Signer signer) implements ParsedEnvelope {}

    /**
     * SignerInfo.
     *
     * @param identifier who signed
     * @param digest SHA-256, SHA-384 or SHA-512
     * @param attributes the signed attributes, in the encoding that is signed
     * @param signature scheme and value
     */
    record Signer(PartyIdentifier identifier, String digest, SignedAttributes attributes, Signature signature) {}

    /** A signature. */
    record Signature(SignatureScheme scheme, byte[] value) {}

    /**
     * AuthEnvelopedData.
     *
     * @param recipientInfos the content of their SET
     * @param recipients the same taken apart
     */
    record Encrypted(Slice recipientInfos, List<RecipientEntry> recipients, Content content)
            implements ParsedEnvelope {}

    /**
     * What AES-GCM needs to decrypt.
     *
     * @param nonce of 12 bytes
     * @param ciphertext without tag
     * @param tag of 16 bytes
     */
    record Content(Slice nonce, Slice ciphertext, Slice tag) {}
}
