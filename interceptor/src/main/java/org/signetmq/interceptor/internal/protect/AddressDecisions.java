/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.PolicySet;

/**
 * Remembers which addresses have a policy and which are open. It forgets all of them when other policies come into
 * force. The broker passes the same object for an address again and again, so a hit mostly compares one reference.
 * Thread-safe.
 */
final class AddressDecisions {
    /** The greatest number of remembered addresses, a power of two. A further one replaces another. */
    static final int PLACES = 1 << 12;

    /** The places for addresses of equal hash. */
    private static final int NEIGHBOURS = 4;

    /** The longest address that is kept, in characters. */
    static final int LONGEST_ADDRESS = 512;

    private volatile Generation current = new Generation(PolicySet.EMPTY);

    /**
     * The decision about an address.
     *
     * @param address the address as the broker has it
     * @param isOpen whether no policy protects messages to it
     */
    record Decision(SimpleString address, boolean isOpen) {}

    /** The decisions under one set of policies. */
    private static final class Generation {
        private final PolicySet policies;
        private final AtomicReferenceArray<@Nullable Decision> places = new AtomicReferenceArray<>(PLACES);

        private Generation(PolicySet policies) {
            this.policies = policies;
        }

        @SuppressWarnings("ReferenceEquality") // for each message: an equal set is only searched again
        private boolean isOf(PolicySet other) {
            return policies == other;
        }

        private @Nullable Decision find(SimpleString address) {
            int first = first(address);
            for (int place = first; place < first + NEIGHBOURS; place++) {
                Decision found = places.get(place);
                if (found != null && found.address().equals(address)) {
                    return found;
                }
            }
            return null;
        }

        /** Keeps a decision at the front of its neighbours, and drops the eldest of them. */
        private synchronized void keep(Decision decision) {
            int first = first(decision.address());
            int last = first + NEIGHBOURS - 1;
            for (int place = first; place < last; place++) {
                Decision other = places.get(place);
                if (other != null && other.address().equals(decision.address())) {
                    last = place;
                }
            }
            for (int place = last; place > first; place--) {
                places.set(place, places.get(place - 1));
            }
            places.set(first, decision);
        }

        private static int first(SimpleString address) {
            int hash = address.hashCode();
            return (hash ^ hash >>> 16) & (PLACES - NEIGHBOURS);
        }
    }

    /** Returns the remembered decision; null if there is none. */
    @Nullable
    Decision find(PolicySet policies, SimpleString address) {
        Generation now = current;
        return now.isOf(policies) ? now.find(address) : null;
    }

    /** Remembers a decision under these policies. */
    void keep(PolicySet policies, Decision decision) {
        if (decision.address().length() > LONGEST_ADDRESS) {
            return;
        }
        Generation now = current;
        if (!now.isOf(policies)) {
            now = new Generation(policies);
            current = now;
        }
        now.keep(decision);
    }
}
