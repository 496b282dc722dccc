/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.activemq.artemis.core.config.WildcardConfiguration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.interceptor.internal.status.PluginStatus;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.testkit.Cases;

/** Brokers with {@code <wildcard-addresses>} other than Artemis's own. */
final class WildcardSyntaxIT extends OneBroker {
    private static final WildcardSyntax SLASHES = new WildcardSyntax('/', '>', '+');

    /** The attack: the pattern covers nothing in this broker, and the message would be stored in clear. */
    @ParameterizedTest
    @Cases(
            inShortTier = 2,
            value = {"orders.#", "orders/#", "orders.*", "orders/eu"})
    void policiesOfOtherWildcards_leaveThePluginNotReady(String pattern) throws Exception {
        setup(PolicySet.EMPTY.with(TestHomes.privacy(pattern)));
        TestBroker broker = start();
        assertThat(broker.state().state()).isEqualTo(PluginStatus.State.FAILED);
        assertThat(broker.state().reason())
                .isEqualTo(
                        "policies: wildcards: delimiter \".\", any-words \"#\", single-word \"*\", but broker.xml has"
                                + " delimiter \"/\", any-words \">\", single-word \"+\"; run signet policy wildcards"
                                + " --delimiter '/' --any-words '>' --single-word '+'");
        assertThatThrownBy(() -> Producers.CORE.send(broker, "orders/eu", Letter.text("other wildcards")))
                .hasMessageContaining("wildcards");
        assertThat(broker.disk().filesWith(Letter.MARK)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.interceptor.Producers#few")
    void patternOfTheBrokersWildcards_protects(Producers producer) throws Exception {
        TestBroker broker = start(setup(policies("orders/>")));
        assertThat(broker.state().state()).isEqualTo(PluginStatus.State.READY);
        broker.createQueue("orders/eu/paris");
        broker.createQueue("elsewhere");

        producer.send(broker, "orders/eu/paris", Letter.text("slashes by " + producer));
        producer.send(broker, "elsewhere", "in clear");

        broker.assertNext("orders/eu/paris", Letter.text("slashes by " + producer));
        assertThat(broker.sealed()).isEqualTo(1);
        assertThat(broker.disk().filesWith(Letter.MARK)).isEmpty();
    }

    @Test
    void wildcardsWithoutRouting_coverAllTheSame() throws Exception {
        setup(policies("orders/>"))
                .with(configuration -> configuration.getWildcardConfiguration().setRoutingEnabled(false));
        TestBroker broker = start();
        broker.createQueue("orders/eu");

        Producers.CORE.send(broker, "orders/eu", Letter.text("no routing"));

        broker.assertNext("orders/eu", Letter.text("no routing"));
    }

    @ParameterizedTest
    @CsvSource({"'.', '.', '*', the same character twice", "'/', '\\', '*', backslash", "'/', ' ', '*', space"})
    void wildcardsThatCannotBe_leaveThePluginNotReady(char delimiter, char anyWords, char singleWord, String reason)
            throws Exception {
        homes.policies(1, TestHomes.privacy("#"));
        setup.with(configuration -> configuration.setWildCardConfiguration(new WildcardConfiguration()
                .setDelimiter(delimiter)
                .setAnyWords(anyWords)
                .setSingleWord(singleWord)));
        TestBroker broker = start();
        assertThat(broker.state().state()).isEqualTo(PluginStatus.State.FAILED);
        assertThat(broker.state().reason()).contains("wildcard-addresses", reason);
        assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", Letter.text("no wildcards")))
                .isInstanceOf(Exception.class);
        assertThat(broker.disk().filesWith(Letter.MARK)).isEmpty();
    }

    @Test
    void policiesThatTurnToOtherWildcards_areNotTaken() throws Exception {
        PolicySet policies = policies("orders/>");
        setup(policies);
        TestBroker broker = start();
        homes.policies(2, TestHomes.privacy("orders.#"));

        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(broker.state().policies().problem()).contains("wildcards: delimiter \".\""));

        assertThat(broker.state().state()).isEqualTo(PluginStatus.State.DEGRADED);
        broker.createQueue("orders/eu");
        Producers.CORE.send(broker, "orders/eu", Letter.text("the policies before"));
        assertThat(homes.text(broker.nextBody("orders/eu"), "orders/eu", policies))
                .isEqualTo(Letter.text("the policies before"));
    }

    @Test
    void policiesOnAddressesThatBrokerXmlNames_leaveThePluginNotReady() throws Exception {
        homes.policies(1, TestHomes.privacy("orders"), TestHomes.privacy("admin.requests"));
        setup.with(configuration -> configuration.setManagementAddress(
                org.apache.activemq.artemis.api.core.SimpleString.of("admin.requests")));
        TestBroker broker = start();
        assertThat(broker.state().state()).isEqualTo(PluginStatus.State.FAILED);
        assertThat(broker.state().reason())
                .isEqualTo("policies: policies[1].pattern: kept by the broker for requests to its management, found "
                        + "\"admin.requests\"; no policy applies to these: name addresses of your own");
    }

    /** The broker takes the prefix off before any policy is looked up. */
    @ParameterizedTest
    @ValueSource(strings = {"to-queue.orders", "queue://orders"})
    void policyOnANameBehindAnAcceptorsPrefix_isRejected(String pattern) throws Exception {
        homes.policies(1, TestHomes.privacy(pattern));
        TestBroker broker = start();
        assertThat(broker.state().state()).isEqualTo(PluginStatus.State.FAILED);
        assertThat(broker.state().reason())
                .contains("'" + pattern + "' begins with the prefix")
                .endsWith("write 'orders'");
    }

    private TestBroker.Setup setup(PolicySet policies) throws Exception {
        setup.homes().policies(policies);
        return setup.with(configuration -> configuration.setWildCardConfiguration(new WildcardConfiguration()
                .setDelimiter(SLASHES.delimiter())
                .setAnyWords(SLASHES.anyWords())
                .setSingleWord(SLASHES.singleWord())));
    }

    private static PolicySet policies(String pattern) {
        return PolicySet.of(1, UnmatchedAddress.PASS, SLASHES, List.of(TestHomes.privacy(pattern)));
    }
}
