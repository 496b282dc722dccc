/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy.access;

import java.util.List;
import java.util.Optional;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyExplanation;

/**
 * Which policy applies to an address, and why.
 *
 * @param reference {@code PATTERN@VERSION}; empty if no policy applies
 * @param policy the policy with all recipients, those for recovery included
 * @param recovery the recovery recipients of the set, if the policy encrypts
 * @param overruled the patterns of the other policies that match, most specific first
 */
public record Explanation(
        String address,
        Optional<String> reference,
        Optional<Policy> policy,
        List<String> recovery,
        String reason,
        List<String> overruled) {
    static Explanation of(PolicyExplanation explained, List<String> recovery) {
        return new Explanation(
                explained.address(),
                explained.effective().map(EffectivePolicy::reference),
                explained.effective().map(EffectivePolicy::policy),
                explained
                        .effective()
                        .filter(effective -> effective.policy().quality().encrypts())
                        .map(effective -> recovery)
                        .orElse(List.of()),
                explained.reason(),
                explained.overruled().stream().map(Policy::pattern).toList());
    }
}
