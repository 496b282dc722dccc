/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.keystore.SignatureScheme;

/** A parsed envelope, not verified. */
public sealed interface ParsedEnvelope {
    /** SignedData, with its encoded certificates. */
    record Signed(Slice content, List<Slice> certificates, Signer signer) implements ParsedEnvelope {}

    /**
     * SignerInfo.
     *
     * @param digest SHA-256, SHA-384 or SHA-512
     * @param attributes the signed attributes, in the encoding that is signed
     */
    record Signer(PartyIdentifier identifier, String digest, SignedAttributes attributes, Signature signature) {}

    /** A signature. */
    record Signature(SignatureScheme scheme, byte[] value) {}

    /**
     * AuthEnvelopedData.
     *
     * @param recipientInfos the content of their SET
     * @param recipients the same, parsed; of known ones, only those under old algorithms
     * @param known the source of the parsed ones; null if they were parsed now
     */
    record Encrypted(
            Slice recipientInfos,
            List<RecipientInfo> recipients,
            RecipientInfoCache.@Nullable Known known,
            Content content)
            implements ParsedEnvelope {
        /** Returns the same envelope with all its recipient infos, parsed now. */
        public Encrypted withAllRecipients() {
            return new Encrypted(recipientInfos, RecipientInfoParser.all(recipientInfos), null, content);
        }
    }

    /** The input of AES-GCM: a nonce of 12 bytes, the ciphertext without tag, and a tag of 16 bytes. */
    record Content(Slice nonce, Slice ciphertext, Slice tag) {}
}
