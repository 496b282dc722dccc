/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.recipient;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.internal.cms.RecipientEntry;
import org.signetmq.keystore.KeyDerivation;
import org.signetmq.policy.LegacyAlgorithms;
import org.signetmq.policy.Policy;

/** Refuses envelopes whose data key is protected by old algorithms, unless they are accepted. */
public final class LegacyRecipients {
    private LegacyRecipients() {}

    /** Whether old algorithms protect the data key for this recipient. */
    static boolean isLegacy(RecipientEntry entry) {
        if (entry instanceof RecipientEntry.Transport transport) {
            return transport.padding() == RecipientEntry.Padding.PKCS1;
        }
        return entry instanceof RecipientEntry.Agreement agreement
                && agreement.agreement().derivation() == KeyDerivation.SHA_1;
    }

    /** Whether the policy accepts old algorithms. */
    private static boolean areAcceptedBy(Policy policy) {
        return policy.acceptance().legacy() == LegacyAlgorithms.ACCEPTED;
    }

    /**
     * Refuses an envelope by its structure alone, whatever keys the reader has. To be called before a private key is
     * used, so that the refusal tells nothing about the padding.
     *
     * @param policy the policy of the address, or null
     * @param unmatched what holds where there is no policy
     * @throws PolicyViolationException if an old algorithm protects the data key for any recipient, and none is
     *     accepted
     */
    public static void refuse(List<RecipientEntry> entries, @Nullable Policy policy, LegacyAlgorithms unmatched) {
        boolean accepted = policy == null ? unmatched == LegacyAlgorithms.ACCEPTED : areAcceptedBy(policy);
        if (accepted) {
            return;
        }
        for (int i = 0; i < entries.size(); i++) {
            RecipientEntry entry = entries.get(i);
            if (isLegacy(entry)) {
                throw new PolicyViolationException("envelope: its data key is protected by "
                        + (entry instanceof RecipientEntry.Transport
                                ? "RSA PKCS#1 v1.5 key transport"
                                : "key derivation with SHA-1")
                        + (policy == null
                                ? " where no policy covers the address; give --accept-legacy, or set a policy with it"
                                : " where policy '" + policy.pattern() + "' has no accept-legacy")
                        + "; or encrypt with OAEP or SHA-256");
            }
        }
    }
}
