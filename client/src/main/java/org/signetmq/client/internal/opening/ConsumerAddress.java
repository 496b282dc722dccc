/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.AddressMismatchException;
import org.signetmq.policy.BrokerAddresses;
import org.signetmq.policy.WildcardSyntax;

/**
 * The address from which a consumer receives. The application chooses it. The address in a message does not count,
 * because a producer can set any address. Only a consumer with wildcards uses it, and it must match them.
 *
 * @param address null for an unknown one
 * @param queue the queue that the destination names; null for a topic
 * @param pattern whether the address has wildcards
 * @param prefixes those that the acceptor removes, longest first
 * @param syntax the broker's wildcards
 * @param scope what opens a message once: a queue, or one consumer of a topic; null for a browser
 */
public record ConsumerAddress(
        @Nullable String address,
        @Nullable String queue,
        boolean pattern,
        List<String> prefixes,
        WildcardSyntax syntax,
        @Nullable Object scope) {
    /** An unknown address, for which no message can be opened. */
    public static final ConsumerAddress UNKNOWN =
            new ConsumerAddress(null, null, false, List.of(), WildcardSyntax.DEFAULT, null);

    /** The prefixes that client libraries put before names. */
    static final List<String> OF_CLIENTS = List.of("queue://", "topic://", "temp-queue://", "temp-topic://");

    /**
     * Returns the address that a destination names.
     *
     * @param prefixes those that the acceptor removes, longest first
     * @param syntax the broker's wildcards
     */
    public static ConsumerAddress of(Destination destination, List<String> prefixes, WildcardSyntax syntax)
            throws JMSException {
        String queue = destination instanceof Queue named ? named.getQueueName() : null;
        String address = addressOf(destination, prefixes);
        return new ConsumerAddress(
                address,
                queue == null ? null : queuePart(without(prefixes, without(OF_CLIENTS, queue))),
                address != null && isPattern(address, syntax), // once, not for each message
                prefixes,
                syntax,
                queue == null ? new Object() : queue);
    }

    /** Returns the same for a browser, whose messages stay in the queue. */
    public ConsumerAddress ofBrowser() {
        return new ConsumerAddress(address, queue, pattern, prefixes, syntax, null);
    }

    /**
     * Returns the prefixes of an acceptor, longest first.
     *
     * @throws IllegalArgumentException if one is empty or has a queue part
     */
    static List<String> prefixes(Collection<String> ofAcceptor) {
        for (String prefix : ofAcceptor) {
            if (prefix.isEmpty() || prefix.contains("::")) {
                throw new IllegalArgumentException(
                        "address prefixes: must not be empty or contain '::', found '" + prefix + "'");
            }
        }
        return ofAcceptor.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    /** Returns the name of the destination, for the log. */
    @Override
    public String toString() {
        return address == null ? "unknown" : address;
    }

    /** Returns the consumer's single address; null for one with wildcards or an unknown one. */
    @Nullable
    public String name() {
        return pattern ? null : address;
    }

    /** Returns the address that a message must be sealed for, without the address inside the envelope. */
    public String addressOf(Message message) throws JMSException {
        return addressOf(message, Optional::empty);
    }

    /**
     * Returns the address that a message must be sealed for.
     *
     * @param sealedAddress the address inside the envelope; asked for only if the client library does not tell one
     */
    public String addressOf(Message message, Supplier<Optional<String>> sealedAddress) throws JMSException {
        if (address == null) {
            throw new AddressMismatchException("address: the destination of the consumer is unknown");
        }
        if (!pattern) {
            return address;
        }
        for (List<String> taken : List.of(List.<String>of(), prefixes)) { // AMQP keeps the name as the producer gave it
            String claimed = addressOf(message.getJMSDestination(), taken);
            if (address.equals(claimed)) { // the address that clients give an AMQP message without 'to'
                return matching(sealedAddress.get());
            }
            if (claimed != null && matches(address, claimed, syntax)) {
                return claimed;
            }
        }
        throw new AddressMismatchException(
                "address: the message's destination does not match the consumer's '" + address + "'");
    }

    private String matching(Optional<String> sealed) {
        if (sealed.isEmpty()) {
            throw new AddressMismatchException("address: the message does not name its address, which must match '"
                    + address + "'; only a consumer without wildcards can open it");
        }
        if (!matches(String.valueOf(address), sealed.get(), syntax)) {
            throw new AddressMismatchException(
                    "address: the message is sealed for another address than the consumer's '" + address + "'");
        }
        return sealed.get();
    }

    /** Returns the address that a destination names; null for none. */
    static @Nullable String addressOf(@Nullable Destination destination, List<String> prefixes) throws JMSException {
        String name = null;
        if (destination instanceof Queue queue) {
            name = queue.getQueueName();
        } else if (destination instanceof Topic topic) {
            name = topic.getTopicName();
        }
        return name == null ? null : topicOfRetained(withoutQueuePart(without(prefixes, without(OF_CLIENTS, name))));
    }

    static String without(List<String> prefixes, String name) {
        for (String prefix : prefixes) {
            if (name.startsWith(prefix)) {
                return name.substring(prefix.length());
            }
        }
        return name;
    }

    /** Returns the topic of an address for retained messages, which are sealed for their topic. */
    private static String topicOfRetained(String address) {
        return address.startsWith(BrokerAddresses.RETAINED)
                ? address.substring(BrokerAddresses.RETAINED.length())
                : address;
    }

    /** Returns the address of a fully qualified queue name, {@code address::queue}. */
    static String withoutQueuePart(String name) {
        int separator = name.indexOf("::");
        return separator < 0 ? name : name.substring(0, separator);
    }

    private static String queuePart(String name) {
        int separator = name.indexOf("::");
        return separator < 0 ? name : name.substring(separator + "::".length());
    }

    /** Tells whether an address has a wildcard of the broker, which stands for one word or for any number of words. */
    static boolean isPattern(String address, WildcardSyntax syntax) {
        return syntax.routedWords(address).stream()
                .anyMatch(word -> is(word, syntax.singleWord()) || is(word, syntax.anyWords()));
    }

    /**
     * Tells whether the broker routes the address to a consumer of the pattern. It goes back to the last wildcard of
     * any words only, which can take all that earlier ones could.
     */
    static boolean matches(String pattern, String address, WildcardSyntax syntax) {
        List<String> words = syntax.routedWords(pattern);
        List<String> theirs = syntax.routedWords(address);
        int w = 0;
        int a = 0;
        int behindAny = -1;
        int resume = 0;
        while (a < theirs.size()) {
            if (w < words.size() && is(words.get(w), syntax.anyWords())) {
                behindAny = ++w;
                resume = a;
            } else if (w < words.size()
                    && (is(words.get(w), syntax.singleWord()) || words.get(w).equals(theirs.get(a)))) {
                w++;
                a++;
            } else if (behindAny >= 0) {
                w = behindAny;
                a = ++resume;
            } else {
                return false;
            }
        }
        while (w < words.size() && is(words.get(w), syntax.anyWords())) {
            w++;
        }
        return w == words.size();
    }

    private static boolean is(String word, char wildcard) {
        return word.length() == 1 && word.charAt(0) == wildcard;
    }
}
