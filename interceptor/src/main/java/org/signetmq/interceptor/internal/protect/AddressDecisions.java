/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.PolicySet;

/**
 * Remembers which addresses have a policy and which are open. It forgets all of them when other policies come into
 * force. The broker passes the same object for an address again and again, so a hit mostly compares one reference.
 * Thread-safe.
 */
final class AddressDecisions {
    /** The greatest number of remembered addresses. A further one forgets all others. */
    static final int PLACES = 1 << 12;

    /** The longest address that is kept, in characters. */
    static final int LONGEST_ADDRESS = 512;

    private volatile Generation current = new Generation(PolicySet.EMPTY, Map.of());

    /**
     * The decision about an address.
     *
     * @param address the address as the broker has it
     * @param isOpen whether no policy protects messages to it
     */
    record Decision(SimpleString address, boolean isOpen) {}

    /** The decisions under one set of policies. */
    private record Generation(PolicySet policies, Map<SimpleString, Decision> decisions) {
        @SuppressWarnings("ReferenceEquality") // for each message: an equal set is only searched again
        private boolean isOf(PolicySet other) {
            return policies == other;
        }
    }

    /** Returns the remembered decision; null if there is none. */
    @Nullable
    Decision find(PolicySet policies, SimpleString address) {
        Generation now = current;
        return now.isOf(policies) ? now.decisions().get(address) : null;
    }

    /** Remembers a decision under these policies. */
    void keep(PolicySet policies, Decision decision) {
        if (decision.address().length() > LONGEST_ADDRESS) {
            return;
        }
        Generation now = current;
        if (!now.isOf(policies) || now.decisions().size() >= PLACES) {
            now = new Generation(policies, new ConcurrentHashMap<>());
            current = now;
        }
        now.decisions().put(decision.address(), decision);
    }
}
