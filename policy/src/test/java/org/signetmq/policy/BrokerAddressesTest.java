/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.policy.PolicySet.PolicyExplanation;
import org.signetmq.policy.file.PolicyFile;

final class BrokerAddressesTest {
    private static final String KEPT = "policies[0].pattern: kept by the broker for ";

    static Stream<String> patternsOfTheBrokersAddresses() {
        return Stream.of("""
                activemq.management activemq.notifications ActiveMQ.Advisory.Connection ActiveMQ.Advisory.#
                ActiveMQ.Advisory.* ActiveMQ.Advisory.Consumer.*.orders $sys.mqtt.sessions $sys.mqtt.queue.qos2.#
                $sys.mqtt.# $.artemis.internal.sf.cluster.node $.artemis.internal.# $.artemis.internal.sf.*.*
                $ACTIVEMQ_ARTEMIS_MIRROR_other $ACTIVEMQ_ARTEMIS_MIRROR_* $ACTIVEMQ_ARTEMIS_MIRROR*
                $ACTIVEMQ_ARTEMIS_FEDERATION.events.one $ACTIVEMQ_ARTEMIS_FEDERATION.#
                """.split("\\s+"));
    }

    @ParameterizedTest
    @MethodSource("patternsOfTheBrokersAddresses")
    void patternOfTheBrokersAddressesAlone_rejectedWithItsPlace(String pattern) {
        String json = "{\"schema\":1,\"version\":1,\"policies\":[{\"pattern\":\"" + pattern
                + "\",\"quality\":\"integrity\"}]}";

        assertThatThrownBy(() -> PolicyFile.parse(json, PartyValidator.acceptAll()))
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessageStartingWith(KEPT)
                .hasMessageContaining("found \"" + pattern + "\"; no policy applies to these");
        assertThatThrownBy(() -> PolicySet.EMPTY.with(Policy.integrity(pattern)))
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessageStartingWith(KEPT);
    }

    static Stream<String> patternsOfOtherAddressesToo() {
        return Stream.of("""
                # * $ $# $* $.# $orders $orders.# $SYS.# $sys.# $sys.mqtt *.mqtt.sessions ActiveMQ.#
                ActiveMQ.*.orders ActiveMQ.Advisory ActiveMQ.AdvisoryBoard.# ActiveMQ.Advisory* activemq.#
                activemq.* activemq.management.# activemq.managements $.artemis.#
                """.split("\\s+"));
    }

    @ParameterizedTest
    @MethodSource("patternsOfOtherAddressesToo")
    void patternThatMatchesOthersToo_taken(String pattern) {
        assertThat(PolicySet.EMPTY.with(Policy.integrity(pattern)).policies()).hasSize(1);
    }

    @Test
    void patternOfARetainedMessage_rejectedWithTheTopic() {
        assertThatThrownBy(() -> PolicySet.EMPTY.with(Policy.integrity("$sys.mqtt.retain.orders")))
                .hasMessageContaining("its topic covers it: write the part after \"$sys.mqtt.retain.\"");
    }

    @Test
    void addressesThatBrokerXmlNames_rejectedForThatBroker() {
        BrokerAddresses named = new BrokerAddresses("admin.requests", "admin.news", "@internal.");
        PolicySet policies = PolicySet.of(
                1,
                UnmatchedAddress.PASS,
                List.of(
                        Policy.integrity("orders"),
                        Policy.integrity("admin.requests"),
                        Policy.integrity("admin.news"),
                        Policy.integrity("@internal.#"),
                        Policy.integrity("admin.#")));

        assertThat(named.problems(policies))
                .extracting(PolicyProblem::path)
                .containsExactly("policies[1].pattern", "policies[2].pattern", "policies[3].pattern");
        assertThat(BrokerAddresses.DEFAULT.problems(policies)).isEmpty();
    }

    @Test
    void explanation_ofTheBrokersAddress_saysThatItIsExcluded() {
        PolicySet policies = PolicySet.EMPTY.with(Policy.integrity("#"));

        PolicyExplanation explanation = policies.explain("ActiveMQ.Advisory.Connection");

        assertThat(explanation.effective()).isEmpty();
        assertThat(explanation.overruled()).isEmpty();
        assertThat(explanation.reason())
                .isEqualTo("excluded: the broker keeps it for advisories of OpenWire, to which no policy applies; "
                        + "messages that clients send there are judged by \"#\"");
        assertThat(PolicySet.EMPTY.explain("activemq.notifications").reason())
                .isEqualTo("excluded: the broker keeps it for its notifications, to which no policy applies; "
                        + "messages that clients send there pass as they are");
        assertThat(PolicySet.of(1, UnmatchedAddress.REJECT, List.of())
                        .explain("$ACTIVEMQ_ARTEMIS_MIRROR_east")
                        .reason())
                .isEqualTo("excluded: the broker keeps it for commands to its mirrors, to which no policy applies; "
                        + "messages that clients send there are rejected");
    }

    @Test
    void explanation_ofANameWithADollar_isThatOfAnyName() {
        PolicySet policies = PolicySet.EMPTY.with(Policy.integrity("$orders"));

        assertThat(policies.explain("$orders").effective()).isPresent();
    }

    @Test
    void explanation_ofARetainedMessage_isThatOfItsTopic() {
        PolicySet policies = PolicySet.EMPTY.with(Policy.integrity("orders"));

        PolicyExplanation explanation = policies.explain("$sys.mqtt.retain.orders");

        assertThat(explanation.address()).isEqualTo("$sys.mqtt.retain.orders");
        assertThat(explanation.effective()).isPresent();
        assertThat(explanation.reason())
                .isEqualTo("keeps the retained message of \"orders\": \"orders\" is this address exactly");
    }
}
