/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.policy.WildcardSyntax;

final class MeantAddressTest {
    private static final WildcardSyntax OF_MQTT = new WildcardSyntax('/', '#', '+');

    @ParameterizedTest
    @ValueSource(strings = {"orders", "orders.eu", "orders.#", "*.eu", "a>b", "topic"})
    void addressOfArtemis_meansItself(String name) {
        assertThat(MeantAddress.of(name, WildcardSyntax.DEFAULT)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "queue://orders.eu, orders.eu",
        "jms.topic.news.>, news.#",
        "/queue/orders, orders",
        "temp-topic://a, a",
    })
    void prefixOfAClient_isLeftOut(String name, String address) {
        MeantAddress meant = MeantAddress.of(name, WildcardSyntax.DEFAULT).orElseThrow();

        assertThat(meant.address()).isEqualTo(address);
        assertThat(meant.why()).endsWith("' is no part of an address");
    }

    @ParameterizedTest
    @CsvSource({"a/b, a.b", "a/+/c, a.*.c", "a/#, a.#", "/a/b, a.b", "a.b/c, a\\.b.c"})
    void topicOfMqtt_isWrittenWithTheDelimiterOfAddresses(String name, String address) {
        MeantAddress meant = MeantAddress.of(name, WildcardSyntax.DEFAULT).orElseThrow();

        assertThat(meant).isEqualTo(new MeantAddress(address, "in the address of an MQTT topic '/' is '.'"));
    }

    @ParameterizedTest
    @CsvSource({"orders.>, orders.#", "+.eu, *.eu", "+.>, *.#"})
    void wildcardsOfOtherBrokers_becomeThoseOfTheHome(String name, String address) {
        assertThat(MeantAddress.of(name, WildcardSyntax.DEFAULT))
                .map(MeantAddress::address)
                .contains(address);
    }

    @Test
    void homeWithOtherWildcards_hasItsOwn() {
        assertThat(MeantAddress.of("a/+/#", OF_MQTT)).isEmpty();
        assertThat(MeantAddress.of("a/*/b", OF_MQTT)).map(MeantAddress::address).contains("a/+/b");
    }

    @Test
    void warning_namesBothNames_andTheCommand() {
        assertThat(new MeantAddress("a.b", "because").warning("a/b"))
                .isEqualTo("the policy matches no address but 'a/b', which is probably not what is meant: because;"
                        + " set 'a.b' instead, and run: signet policy remove 'a/b'");
    }
}
