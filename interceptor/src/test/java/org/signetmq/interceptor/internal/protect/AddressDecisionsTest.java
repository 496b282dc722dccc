/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;

final class AddressDecisionsTest {
    private final AddressDecisions decisions = new AddressDecisions();
    private final PolicySet policies = policies();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void decision_isFoundForAnEqualAddress_andForNoOther(boolean isOpen) {
        keep(policies, "news", isOpen);

        assertThat(find(policies, "news")).isEqualTo(new AddressDecisions.Decision(SimpleString.of("news"), isOpen));
        assertThat(find(policies, "news.eu")).isNull();
    }

    @Test
    void laterDecision_replacesTheEarlierOne() {
        keep(policies, "news", true);
        keep(policies, "news", false);

        assertThat(find(policies, "news")).isEqualTo(new AddressDecisions.Decision(SimpleString.of("news"), false));
    }

    @Test
    void otherPolicies_forgetAll_evenIfTheyAreEqual() {
        PolicySet later = policies();
        assertThat(later).isEqualTo(policies);
        keep(policies, "news", true);

        assertThat(find(later, "news")).isNull();
        keep(later, "other", true);

        assertThat(find(later, "news")).isNull();
        assertThat(find(policies, "news")).isNull();
    }

    /** More addresses than places, so that some share a place. */
    @Test
    void manyAddresses_areBounded_andNoneHasTheDecisionOfAnother() {
        int many = 50 * AddressDecisions.PLACES;
        for (int i = 0; i < many; i++) {
            keep(policies, "news." + i, i % 3 == 0);
        }

        List<Integer> found = IntStream.range(0, many)
                .filter(i -> find(policies, "news." + i) != null)
                .boxed()
                .toList();

        assertThat(found).hasSizeBetween(1, AddressDecisions.PLACES);
        assertThat(found)
                .allSatisfy(i -> assertThat(find(policies, "news." + i))
                        .isEqualTo(new AddressDecisions.Decision(SimpleString.of("news." + i), i % 3 == 0)));
    }

    @Test
    void addressesOfAnOrdinaryBroker_areMostlyFound() {
        IntStream.range(0, 1_000).forEach(i -> keep(policies, "news." + i, true));

        assertThat(IntStream.range(0, 1_000).filter(i -> find(policies, "news." + i) != null))
                .hasSizeGreaterThan(950);
    }

    @Test
    void longAddress_isNotRemembered() {
        String longest = "n".repeat(AddressDecisions.LONGEST_ADDRESS);
        keep(policies, longest, true);
        keep(policies, longest + "n", true);

        assertThat(find(policies, longest)).isNotNull();
        assertThat(find(policies, longest + "n")).isNull();
    }

    private static PolicySet policies() {
        return PolicySet.of(1, UnmatchedAddress.PASS, List.of());
    }

    private void keep(PolicySet under, String address, boolean isOpen) {
        decisions.keep(under, new AddressDecisions.Decision(SimpleString.of(address), isOpen));
    }

    private AddressDecisions.@Nullable Decision find(PolicySet under, String address) {
        return decisions.find(under, SimpleString.of(address));
    }
}
