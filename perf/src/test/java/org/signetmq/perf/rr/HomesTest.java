/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.variant.Variant;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;

final class HomesTest {
    @Test
    void policies_coverTheAddressesOfTheirVariantAlone() {
        PolicySet policies = PolicySet.of(
                1, UnmatchedAddress.PASS, List.of(Homes.policy(Figured.LIMITED), Homes.policy(Figured.UNLIMITED)));

        assertThat(limits(policies, block(Figured.LIMITED).requestAddress(3)).messages())
                .isEqualTo(32);
        assertThat(limits(policies, block(Figured.UNLIMITED).replyAddress(80)).messages())
                .isEqualTo(KeyLimits.MOST_MESSAGES);
        assertThat(policies.find(block(Variant.UNPROTECTED).requestAddress(0))).isEmpty();
    }

    private static Block block(Variant variant) {
        return new Block(variant, Figured.LOAD, 0, 0);
    }

    private static KeyLimits limits(PolicySet policies, String address) {
        Policy policy = policies.find(address).orElseThrow().policy();
        return policy.encryption().limits();
    }
}
