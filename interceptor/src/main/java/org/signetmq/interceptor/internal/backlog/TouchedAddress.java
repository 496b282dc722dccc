/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.Queue;
import org.signetmq.keystore.PrintableText;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;

/**
 * An address of the broker whose messages a change treats in another way.
 *
 * @param before the policy before; empty if the rule for other addresses applied
 * @param after the policy after; empty if the rule for other addresses applies
 * @param isTemporary whether the address goes with a connection
 * @param messages the number of messages in all queues
 */
record TouchedAddress(
        SimpleString address,
        Optional<Policy> before,
        Optional<Policy> after,
        List<Queue> queues,
        boolean isTemporary,
        long messages) {
    /** The longest name in a warning, in characters. */
    private static final int LONGEST_NAME = 200;

    /** The most recipients of a pattern with variables, with those for recovery. */
    private static final int MOST_RECIPIENTS = 40;

    /** Returns the length of its names, in characters. */
    long letters() {
        return address.length()
                + before.map(TouchedAddress::letters).orElse(0L)
                + after.map(TouchedAddress::letters).orElse(0L)
                + queues.stream()
                        .mapToLong(queue -> queue.getName().length())
                        .limit(PolicyImpact.MOST_QUEUES)
                        .sum();
    }

    private static long letters(Policy policy) {
        return policy.pattern().length()
                + policy.encryption().recipients().stream()
                        .mapToLong(String::length)
                        .limit(MOST_RECIPIENTS)
                        .sum();
    }

    /** Returns the policy of an address. */
    static Optional<Policy> policy(PolicySet policies, SimpleString address) {
        return policies.find(address.toString()).map(EffectivePolicy::policy);
    }

    /** Returns whether a change treats messages of an address in another way. */
    static boolean isTouched(SimpleString address, PolicySet before, PolicySet after) {
        Optional<Policy> old = policy(before, address);
        Optional<Policy> now = policy(after, address);
        return !old.equals(now) || (now.isEmpty() && before.unmatched() != after.unmatched());
    }

    /** Returns whether the messages that lie there have another quality than the change requires. */
    boolean changesQuality() {
        return !quality(before).equals(quality(after));
    }

    private static String quality(Optional<Policy> policy) {
        return policy.map(found -> found.quality().label()).orElse("no policy");
    }

    /** Returns the warning that consumers may reject messages that lie there sealed. */
    String warning(long sealed) {
        return PrintableText.of(address.toString(), LONGEST_NAME) + ": the quality changes from " + quality(before)
                + " to " + quality(after) + ", and consumers may reject the sealed messages that lie there (" + sealed
                + " seen); let them be consumed before";
    }

    /**
     * Writes a policy. Where its pattern has variables, it writes the recipients too, because these differ by address.
     */
    static void write(ObjectNode target, Optional<Policy> policy, PolicySet policies) {
        if (policy.isPresent()) {
            target.put("pattern", policy.get().pattern())
                    .put("quality", policy.get().quality().label());
            if (policy.get().quality().encrypts()
                    && !policies.wildcards().variablesOf(policy.get().pattern()).isEmpty()) {
                ArrayNode recipients = target.putArray("recipients");
                policy.get().encryption().recipients().stream()
                        .limit(MOST_RECIPIENTS)
                        .forEach(recipients::add);
            }
        } else {
            target.put("unmatched", policies.unmatched().label());
        }
    }
}
