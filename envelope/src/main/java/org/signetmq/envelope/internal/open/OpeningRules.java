/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.UnprotectedMessageException;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.envelope.message.MessageMove;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;

/**
 * The rules for one message. All its parts are checked by the same policy.
 *
 * @param sealedFor the address that the message must be sealed for, with its policy
 * @param addresses the addresses of policies that must accept the message if it is in clear
 */
public record OpeningRules(AddressPolicy sealedFor, List<AddressPolicy> addresses) {
    /** An address with its policy, if a policy covers it. */
    record AddressPolicy(
            String address, PolicySet set, @Nullable Policy policy) {
        static AddressPolicy of(PolicySet set, String address) {
            return new AddressPolicy(
                    address, set, set.find(address).map(EffectivePolicy::policy).orElse(null));
        }

        private EnvelopeStructure structure() {
            return policy == null ? EnvelopeStructure.CLEAR : EnvelopeStructure.of(policy);
        }

        private void rejectClear(Instant now) {
            if (policy == null && set.unmatched() == UnmatchedAddress.REJECT) {
                throw new UnprotectedMessageException("message: in clear, on an address that no policy covers");
            }
            if (policy != null
                    && structure().isEnvelope()
                    && !policy.acceptance().toleration().toleratesAt(now)) {
                throw new UnprotectedMessageException("message: in clear where policy '" + policy.pattern()
                        + "' asks for " + policy.quality().label());
            }
        }
    }

    /** Returns the rules for a message that was not moved. */
    public static OpeningRules at(PolicySet set, String address) {
        AddressPolicy only = AddressPolicy.of(set, address);
        return new OpeningRules(only, List.of(only));
    }

    /**
     * Returns the rules for a message that the broker moved. The message keeps its envelope if that protects no less
     * than the new address requires. Otherwise the broker sealed it again for the new address.
     */
    public static OpeningRules of(PolicySet set, MessageMove moved) {
        AddressPolicy before = AddressPolicy.of(set, moved.from());
        AddressPolicy now = AddressPolicy.of(set, moved.to());
        return new OpeningRules(
                before.structure().protectsNoLessThan(now.structure()) ? before : now, List.of(before, now));
    }

    String address() {
        return sealedFor.address();
    }

    @Nullable
    Policy policy() {
        return sealedFor.policy();
    }

    void rejectClear(Instant now) {
        addresses.forEach(address -> address.rejectClear(now));
    }
}
