/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.recipient;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.internal.cms.RecipientInfo;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.keys.KeyEncryptionKey.KeyDerivation;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.LegacyAlgorithms;

/** Rejects envelopes with a data key under old algorithms, unless the policy accepts them. */
public final class LegacyAlgorithmCheck {
    /** What a sender should do about another algorithm that protects the data key. */
    public static final String ADVICE = "encrypt with RSA OAEP and SHA-256, or ECDH and SHA-256";

    private LegacyAlgorithmCheck() {}

    /** Tells whether old algorithms protect the data key for this recipient. */
    static boolean isLegacy(RecipientInfo entry) {
        if (entry instanceof RecipientInfo.Transport transport) {
            return transport.padding() != KeyTransportPadding.OAEP_SHA_256;
        }
        return entry instanceof RecipientInfo.Agreement recipient && recipient.kdf() == KeyDerivation.SHA_1;
    }

    /**
     * Rejects an envelope by its structure, independent of the reader's keys. The caller asks before it uses a private
     * key, so that the rejection reveals nothing about the padding.
     *
     * @param policy the policy of the address, or null
     * @param unmatched the rule for an address without a policy
     * @throws PolicyViolationException if an old algorithm protects the data key for any recipient and is not accepted
     */
    public static void reject(List<RecipientInfo> entries, @Nullable Policy policy, LegacyAlgorithms unmatched) {
        LegacyAlgorithms rule = policy == null ? unmatched : policy.acceptance().legacy();
        if (rule == LegacyAlgorithms.ACCEPTED) {
            return;
        }
        for (int i = 0; i < entries.size(); i++) {
            RecipientInfo entry = entries.get(i);
            if (isLegacy(entry)) {
                throw new PolicyViolationException("envelope: its data key is protected by "
                        + words(entry)
                        + (policy == null
                                ? " where no policy covers the address; give --accept-legacy, or set a policy with it"
                                : " where policy '" + policy.pattern() + "' has no accept-legacy")
                        + "; or " + ADVICE);
            }
        }
    }

    private static String words(RecipientInfo entry) {
        if (entry instanceof RecipientInfo.Transport transport) {
            return transport.padding() == KeyTransportPadding.OAEP_SHA_1
                    ? "RSA OAEP with SHA-1"
                    : "RSA PKCS#1 v1.5 key transport";
        }
        return "key derivation with SHA-1";
    }
}
