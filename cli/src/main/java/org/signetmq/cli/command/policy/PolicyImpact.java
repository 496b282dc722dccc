/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.TextTable;

/**
 * What a judged change means for the messages of a broker, as the broker writes it. No text of it can steer a terminal.
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
        addresses = copy(addresses);
    }

    /** A touched address. */
    public record Address(String address, Rule before, Rule after, List<Queue> queues) {
        public Address {
            address = Failures.oneLine(address);
            Objects.requireNonNull(before);
            Objects.requireNonNull(after);
            queues = copy(queues);
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
            pattern = shown(pattern);
            quality = shown(quality);
            recipients = copy(recipients).stream().map(Failures::oneLine).toList();
            unmatched = shown(unmatched);
        }

        private boolean protects() {
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
            long notLookedAt) {
        public Queue {
            queue = Failures.oneLine(queue);
        }
    }

    private static <T> List<T> copy(@Nullable List<T> list) {
        return list == null ? List.of() : List.copyOf(list);
    }

    private static @Nullable String shown(@Nullable String text) {
        return text == null ? null : Failures.oneLine(text);
    }

    static PolicyImpact unknown(String problem) {
        return new PolicyImpact(List.of(), 0, 0, 0, problem);
    }

    /** Returns the number of messages in clear at addresses that a policy protects after the change. */
    public long clearUnderPolicies() {
        return addresses.stream()
                .filter(address -> address.after().protects())
                .flatMap(address -> address.queues().stream())
                .mapToLong(Queue::clear)
                .sum();
    }

    /** Returns the sums, and a table with a line for each queue. */
    public List<String> lines() {
        if (problem != null) {
            return List.of("addresses and messages: not looked at: " + problem);
        }
        List<String> lines = new ArrayList<>();
        if (addresses.isEmpty() && addressesLeftOut == 0) {
            lines.add("touches no address of the broker");
        } else {
            lines.add("touches " + TextTable.count(addresses.size() + addressesLeftOut, "address", "addresses")
                    + " with "
                    + TextTable.count(queues().count() + queuesLeftOut, "queue", "queues") + "; "
                    + TextTable.count(sum(Queue::messages), "message", "messages") + ": " + sum(Queue::clear)
                    + " in clear, "
                    + sum(Queue::asRequired) + " sealed as required, " + sum(Queue::cannotTell) + " cannot tell, "
                    + sum(Queue::otherwise) + " sealed otherwise, " + sum(Queue::notLookedAt) + " not looked at");
            lines.addAll(table());
        }
        if (addressesLeftOut + queuesLeftOut > 0) {
            lines.add("left out: " + TextTable.count(addressesLeftOut, "further address", "further addresses") + ", "
                    + TextTable.count(queuesLeftOut, "further queue", "further queues"));
        }
        if (temporaryAddresses > 0) {
            lines.add("temporary addresses that it touches, with that of this command: " + temporaryAddresses);
        }
        return lines;
    }

    private List<String> table() {
        TextTable table = TextTable.of(
                "ADDRESS",
                "BEFORE",
                "AFTER",
                "QUEUE",
                "MESSAGES",
                "CLEAR",
                "AS REQUIRED",
                "CANNOT TELL",
                "OTHERWISE",
                "NOT LOOKED AT");
        for (Address each : addresses) {
            if (each.queues().isEmpty()) {
                table.row(each.address(), each.before(), each.after(), "-", "-", "-", "-", "-", "-", "-");
            }
            for (Queue queue : each.queues()) {
                table.row(
                        each.address(),
                        each.before(),
                        each.after(),
                        queue.queue(),
                        queue.messages(),
                        queue.clear(),
                        queue.asRequired(),
                        queue.cannotTell(),
                        queue.otherwise(),
                        queue.notLookedAt());
            }
        }
        return table.lines();
    }

    private Stream<Queue> queues() {
        return addresses.stream().flatMap(address -> address.queues().stream());
    }

    private long sum(ToLongFunction<Queue> number) {
        return queues().mapToLong(number).sum();
    }
}
