/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.List;
import java.util.Optional;

/**
 * The policy that applies to an address, and the reason.
 *
 * @param address the address asked about
 * @param effective the policy that applies; empty for none
 * @param overruled the other policies that match, most specific first
 * @param reason the reason, in one sentence
 */
public record PolicyExplanation(
        String address, Optional<EffectivePolicy> effective, List<Policy> overruled, String reason) {}
