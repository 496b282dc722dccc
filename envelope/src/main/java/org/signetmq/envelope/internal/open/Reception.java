/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.UnprotectedMessageException;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.envelope.message.Moved;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;

/**
 * What must be true of a message. Asked for once per message: all its parts are judged by one policy.
 *
 * @param sealedFor the address that it must be sealed for, under whose policy
 * @param places the addresses whose policies must let it pass if it is in clear
 */
public record Reception(Place sealedFor, List<Place> places) {
    /** An address. */
    record Place(String address, PolicySet set, @Nullable Policy policy) {
        static Place of(PolicySet set, String address) {
            return new Place(
                    address, set, set.find(address).map(EffectivePolicy::policy).orElse(null));
        }

        private EnvelopeStructure structure() {
            return policy == null ? EnvelopeStructure.Clear.INSTANCE : EnvelopeStructure.of(policy);
        }

        private void refuseClear(Instant now) {
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

    /** Of a message that is received where it was sent to. */
    public static Reception at(PolicySet set, String address) {
        Place place = Place.of(set, address);
        return new Reception(place, List.of(place));
    }

    /**
     * Of a message that the broker moved. It keeps its envelope if that protects no less than the new address asks;
     * else the broker sealed it again for that one.
     */
    public static Reception of(PolicySet set, Moved moved) {
        Place before = Place.of(set, moved.from());
        Place now = Place.of(set, moved.to());
        return new Reception(
                before.structure().protectsNoLessThan(now.structure()) ? before : now, List.of(before, now));
    }

    String address() {
        return sealedFor.address();
    }

    @Nullable
    Policy policy() {
        return sealedFor.policy();
    }

    void refuseClear(Instant now) {
        places.forEach(place -> place.refuseClear(now));
    }
}
