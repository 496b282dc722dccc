/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy.access;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Json;

/**
 * What a judged change means for the messages of a broker. No text of it can steer a terminal.
 *
 * @param addresses the touched addresses, those with the most messages first
 * @param addressesLeftOut the number of touched addresses that are not named
 * @param temporaryAddresses the number of touched addresses that go with a connection, which are not named
 * @param queuesLeftOut the number of queues of named addresses that are not named
 * @param problem the reason why the broker did not look at its messages, or null
 */
public record PolicyImpact(
        List<Address> addresses,
        long addressesLeftOut,
        long temporaryAddresses,
        long queuesLeftOut,
        @Nullable String problem) {
    public PolicyImpact {
        addresses = List.copyOf(addresses);
    }

    /** A touched address. */
    public record Address(String address, Rule before, Rule after, List<Queue> queues) {
        public Address {
            queues = List.copyOf(queues);
        }
    }

    /**
     * What applies to an address: a policy, or the rule for addresses without one.
     *
     * @param pattern of the policy, or null
     * @param quality of the policy, or null
     * @param recipients of the policy, if they depend on the address; else empty
     * @param unmatched the rule, or null
     */
    public record Rule(
            @Nullable String pattern,
            @Nullable String quality,
            List<String> recipients,
            @Nullable String unmatched) {
        public Rule {
            recipients = List.copyOf(recipients);
        }

        boolean protects() {
            return quality != null && !quality.equals("none");
        }

        @Override
        public String toString() {
            String readers = recipients.isEmpty() ? "" : " for " + String.join("; ", recipients);
            return pattern == null ? "no policy: " + unmatched : pattern + ": " + quality + readers;
        }
    }

    /**
     * The messages of a queue.
     *
     * @param asRequired the messages that are sealed as the policy after the change requires
     * @param cannotTell the messages that are encrypted for the right recipients, and whose signature only these see
     * @param otherwise the messages that are sealed in another way, or for other recipients
     */
    public record Queue(
            String queue,
            long messages,
            long clear,
            long asRequired,
            long cannotTell,
            long otherwise,
            long notLookedAt) {}

    static PolicyImpact unknown(String problem) {
        return new PolicyImpact(List.of(), 0, 0, 0, problem);
    }

    /** Parses the consequences as a broker writes them. */
    static PolicyImpact parse(String place, String text) {
        JsonNode json;
        try {
            json = Json.parse(text);
        } catch (IllegalStateException e) {
            throw CliException.failure(place + ": its Signet answers what this one does not understand")
                    .causedBy(e);
        }
        List<Address> addresses = new ArrayList<>();
        for (JsonNode entry : json.path("addresses")) {
            List<Queue> queues = new ArrayList<>();
            entry.path("queues").forEach(queue -> queues.add(queue(queue)));
            addresses.add(new Address(
                    text(entry, "address").orElse(""), rule(entry.path("before")), rule(entry.path("after")), queues));
        }
        return new PolicyImpact(
                addresses,
                json.path("addresses-left-out").asLong(),
                json.path("temporary-addresses").asLong(),
                json.path("queues-left-out").asLong(),
                null);
    }

    private static Queue queue(JsonNode queue) {
        return new Queue(
                text(queue, "queue").orElse(""),
                queue.path("messages").asLong(),
                queue.path("clear").asLong(),
                queue.path("as-required").asLong(),
                queue.path("cannot-tell").asLong(),
                queue.path("otherwise").asLong(),
                queue.path("not-looked-at").asLong());
    }

    private static Rule rule(JsonNode rule) {
        List<String> recipients = new ArrayList<>();
        rule.path("recipients").forEach(name -> recipients.add(Failures.oneLine(name.asText())));
        return new Rule(
                text(rule, "pattern").orElse(null),
                text(rule, "quality").orElse(null),
                recipients,
                text(rule, "unmatched").orElse(null));
    }

    private static Optional<String> text(JsonNode object, String key) {
        return Optional.ofNullable(object.path(key).textValue()).map(Failures::oneLine);
    }

    /** Returns the sum of a number over all queues. */
    public long sum(ToLongFunction<Queue> number) {
        return queues().mapToLong(number).sum();
    }

    /** Returns the number of messages in clear at addresses that a policy protects after the change. */
    public long clearUnderPolicies() {
        return addresses.stream()
                .filter(address -> address.after().protects())
                .flatMap(address -> address.queues().stream())
                .mapToLong(Queue::clear)
                .sum();
    }

    /** Returns all named queues. */
    public Stream<Queue> queues() {
        return addresses.stream().flatMap(address -> address.queues().stream());
    }
}
