/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.List;
import java.util.Optional;
import org.signetmq.policy.text.Quoted;

/**
 * The policy that applies to an address, and the reason.
 *
 * @param address the address asked about
 * @param effective the policy that applies; empty for none
 * @param overruled the other policies that match, most specific first
 * @param reason the reason, in one sentence
 */
public record PolicyExplanation(
        String address, Optional<EffectivePolicy> effective, List<Policy> overruled, String reason) {
    /** Explains which policy of a set applies to this address, as {@link PolicySet#explain} does. */
    static PolicyExplanation of(PolicySet set, String address) {
        if (address.startsWith(BrokerAddresses.RETAINED) && address.length() > BrokerAddresses.RETAINED.length()) {
            PolicyExplanation topic = of(set, address.substring(BrokerAddresses.RETAINED.length()));
            return new PolicyExplanation(
                    address,
                    topic.effective(),
                    topic.overruled(),
                    "keeps the retained message of " + Quoted.text(topic.address()) + ": " + topic.reason());
        }
        return BrokerAddresses.DEFAULT
                .useOf(address)
                .map(use -> excluded(set, address, use))
                .orElseGet(() -> matched(set, address));
    }

    private static PolicyExplanation excluded(PolicySet set, String address, BrokerAddresses.Use use) {
        String clients = set.find(address)
                .map(effective ->
                        "are judged by " + Quoted.text(effective.policy().pattern()))
                .orElse(set.unmatched() == UnmatchedAddress.PASS ? "pass as they are" : "are rejected");
        return new PolicyExplanation(
                address,
                Optional.empty(),
                List.of(),
                "excluded: the broker keeps it for " + use.label()
                        + ", to which no policy applies; messages that clients send there " + clients);
    }

    private static PolicyExplanation matched(PolicySet set, String address) {
        List<EffectivePolicy> matching = set.matching(address);
        return new PolicyExplanation(
                address,
                matching.stream().findFirst(),
                matching.stream().skip(1).map(set::definition).toList(),
                matching.isEmpty() ? reasonOfNone(set) : reason(set, matching));
    }

    private static String reasonOfNone(PolicySet set) {
        return "no pattern matches, and messages of addresses without a policy "
                + (set.unmatched() == UnmatchedAddress.PASS
                        ? "pass as they are"
                        : "are rejected, also those to temporary queues and so replies, unless a pattern such as "
                                + Quoted.text(String.valueOf(set.wildcards().anyWords())) + " matches these");
    }

    private static String reason(PolicySet set, List<EffectivePolicy> matching) {
        String pattern = matching.get(0).policy().pattern();
        String winner = Quoted.text(pattern);
        int patterns = matching.size();
        if (!set.wildcards().isWild(pattern)) {
            return winner + " is this address exactly" + (patterns == 1 ? "" : ", which overrules every wildcard");
        }
        return patterns == 1
                ? winner + " is the only pattern that matches"
                : winner + " is the most specific of the " + patterns + " patterns that match";
    }
}
