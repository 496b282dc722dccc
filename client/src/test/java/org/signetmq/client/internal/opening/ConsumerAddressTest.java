/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.signetmq.policy.WildcardSyntax.DEFAULT;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.activemq.artemis.core.client.impl.ClientMessageImpl;
import org.apache.activemq.artemis.jms.client.ActiveMQDestination;
import org.apache.activemq.artemis.jms.client.ActiveMQMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.exception.AddressMismatchException;
import org.signetmq.policy.WildcardSyntax;

final class ConsumerAddressTest {
    @ParameterizedTest
    @CsvSource({
        "news.*, news.europe, true",
        "news.*, news, false",
        "news.*, news.europe.sport, false",
        "news.#, news, true",
        "news.#, news.europe.sport, true",
        "#, anything.at.all, true",
        "news.*.sport, news.europe.sport, true",
        "news.*.sport, news.europe.politics, false",
        "news.#.sport, news.sport, true",
        "news.#.sport, news.a.b.sport, true",
        "news.#.sport, news.a.b, false",
        "news.europe, newsXeurope, false",
        "news.#, news., true",
        "news.*, news., true",
        "news.*, news.v1\\.2, true",
        "news.*.*, news.v1\\.2, false",
        "news.#.2, news.v1\\.2, false",
        "news.*.sport, news..sport, true",
        "#.#.sport, a.b.sport, true",
        "#.sport.#, a.sport.b.sport, true",
        "#.a.*, a.a, true",
        "#.a.*, b.a, false"
    })
    void pattern_matchesAsArtemisRoutes(String pattern, String address, boolean expected) {
        assertThat(ConsumerAddress.matches(pattern, address, DEFAULT)).isEqualTo(expected);
    }

    /** The attack: a sender chooses the words, and recursion over them took time without an end, or the stack. */
    @Test
    void addressOfManyWords_isMatchedWithoutRecursion() {
        String address = "a.".repeat(20_000);

        assertThat(ConsumerAddress.matches("#.a.".repeat(50) + "b", address, DEFAULT))
                .isFalse();
        assertThat(ConsumerAddress.matches("a.#", address, DEFAULT)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "news/+, news/europe, true",
        "news/+, news.europe, false",
        "news/>, news/europe/sport, true",
        "news/>, news.europe, false",
        "news.#, news.europe, false",
        "news/*, news/europe, false",
        ">, anything/at/all, true"
    })
    void patternOfOtherWildcards_matchesAsTheBrokerRoutes(String pattern, String address, boolean expected) {
        WildcardSyntax syntax = new WildcardSyntax('/', '>', '+');

        assertThat(ConsumerAddress.matches(pattern, address, syntax)).isEqualTo(expected);
        assertThat(ConsumerAddress.isPattern(pattern, syntax)).isEqualTo(expected || pattern.matches(".*[+>]"));
    }

    @ParameterizedTest
    @CsvSource({"news.#, true", "*.news, true", "news, false", "news.a*b, false", "news#, false"})
    void pattern_isOneWithAWildcardWord(String address, boolean expected) {
        assertThat(ConsumerAddress.isPattern(address, DEFAULT)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "orders, orders",
        "queue://orders, orders",
        "topic://orders, orders",
        "orders::east, orders",
        "queue://orders::east, orders",
        "$sys.mqtt.retain.orders, orders",
        "$sys.mqtt.retain.orders::$sys.mqtt.retain.orders, orders"
    })
    void address_isNameWithoutPrefixAndQueue(String name, String expected) throws Exception {
        jakarta.jms.Queue queue = () -> name;
        jakarta.jms.Topic topic = () -> name;
        Message message = message("another");

        assertThat(ConsumerAddress.of(queue, List.of(), DEFAULT).addressOf(message))
                .isEqualTo(expected);
        assertThat(ConsumerAddress.of(topic, List.of(), DEFAULT).addressOf(message))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "jms.queue.orders, orders",
        "jms.queue.eu.orders, orders",
        "queue://jms.queue.orders::jms.queue.orders, orders",
        "jms.topic.orders, jms.topic.orders",
        "orders, orders"
    })
    void prefixOfTheAcceptor_isTakenOff_theLongestOnce(String name, String expected) throws Exception {
        jakarta.jms.Queue queue = () -> name;
        List<String> prefixes = ConsumerAddress.prefixes(List.of("jms.queue.", "jms.queue.eu."));

        assertThat(ConsumerAddress.of(queue, prefixes, DEFAULT).addressOf(message("another")))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a::b"})
    void prefixThatIsNone_isRejected(String prefix) {
        assertThatThrownBy(() -> ConsumerAddress.prefixes(List.of(prefix)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void patternSource_messageThatClaimsThePatternItself_isRejectedWithTheReason() {
        jakarta.jms.Topic pattern = () -> "news.*";

        assertThatThrownBy(() -> ConsumerAddress.of(pattern, List.of(), DEFAULT).addressOf(message("news.*")))
                .isInstanceOf(AddressMismatchException.class)
                .hasMessageContaining("does not name its address");
    }

    @Test
    void patternSource_messageThatClaimsThePatternItself_isForTheSealedAddress_ifItMatches() throws Exception {
        jakarta.jms.Topic pattern = () -> "news.*";
        ConsumerAddress source = ConsumerAddress.of(pattern, List.of(), DEFAULT);

        assertThat(source.addressOf(message("news.*"), () -> Optional.of("news.europe")))
                .isEqualTo("news.europe");
        assertThatThrownBy(() -> source.addressOf(message("news.*"), () -> Optional.of("orders")))
                .isInstanceOf(AddressMismatchException.class)
                .hasMessageNotContaining("orders");
    }

    @Test
    void sealedAddress_whereTheDestinationSaysIt_isNotAskedFor() throws Exception {
        jakarta.jms.Topic pattern = () -> "news.*";
        jakarta.jms.Topic one = () -> "news.europe";
        Supplier<Optional<String>> nobody = () -> {
            throw new AssertionError("asked");
        };

        assertThat(ConsumerAddress.of(pattern, List.of(), DEFAULT).addressOf(message("news.asia"), nobody))
                .isEqualTo("news.asia");
        assertThat(ConsumerAddress.of(one, List.of(), DEFAULT).addressOf(message("news.*"), nobody))
                .isEqualTo("news.europe");
    }

    @Test
    void patternSource_takesTheMessagesDestination_ifItMatches() throws Exception {
        jakarta.jms.Topic pattern = () -> "news.*";

        assertThat(ConsumerAddress.of(pattern, List.of(), DEFAULT).addressOf(message("news.europe")))
                .isEqualTo("news.europe");
        assertThatThrownBy(() -> ConsumerAddress.of(pattern, List.of(), DEFAULT).addressOf(message("orders")))
                .isInstanceOf(AddressMismatchException.class)
                .hasMessageNotContaining("orders");
        assertThatThrownBy(() -> ConsumerAddress.of(pattern, List.of(), DEFAULT).addressOf(withoutDestination()))
                .isInstanceOf(AddressMismatchException.class);
    }

    @Test
    void unknownSource_opensNothing() {
        assertThatThrownBy(() -> ConsumerAddress.UNKNOWN.addressOf(message("news.europe")))
                .isInstanceOf(AddressMismatchException.class);
    }

    private static Message message(String address) throws JMSException {
        Message message = withoutDestination();
        message.setJMSDestination(ActiveMQDestination.createTopic(address));
        return message;
    }

    private static Message withoutDestination() {
        return new ActiveMQMessage(new ClientMessageImpl(), null);
    }
}
