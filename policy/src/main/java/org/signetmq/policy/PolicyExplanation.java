/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.List;
import java.util.Optional;

/**
 * Which policy applies to an address, and why.
 *
 * @param address the address asked about
 * @param effective the policy that applies, if any
 * @param overruled the other policies that match, most specific first
 * @param reason why, in one sentence
 */
public record PolicyExplanation(
        String address, Optional<EffectivePolicy> effective, List<Policy> overruled, String reason) {}
