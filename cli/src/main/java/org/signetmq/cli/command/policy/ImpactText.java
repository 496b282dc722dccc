/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.util.ArrayList;
import java.util.List;
import org.signetmq.cli.command.policy.access.PolicyImpact;
import org.signetmq.cli.command.policy.access.PolicyImpact.Address;
import org.signetmq.cli.command.policy.access.PolicyImpact.Queue;
import org.signetmq.cli.console.TextTable;

/** Shows as text what a change means for the messages of a broker. */
final class ImpactText {
    private static final String NONE = "-";

    private ImpactText() {}

    /** Returns the sums, and a table with a line for each queue. */
    static List<String> lines(PolicyImpact impact) {
        if (impact.problem() != null) {
            return List.of("addresses and messages: not looked at: " + impact.problem());
        }
        List<String> lines = new ArrayList<>();
        if (impact.addresses().isEmpty() && impact.addressesLeftOut() == 0) {
            lines.add("touches no address of the broker");
            addTemporary(impact, lines);
            return lines;
        }
        lines.add("touches " + count(impact.addresses().size() + impact.addressesLeftOut(), "address", "addresses")
                + " with " + count(impact.queues().count() + impact.queuesLeftOut(), "queue", "queues") + "; "
                + count(impact.sum(Queue::messages), "message", "messages") + ": " + impact.sum(Queue::clear)
                + " in clear, " + impact.sum(Queue::asRequired) + " sealed as required, "
                + impact.sum(Queue::cannotTell) + " cannot tell, "
                + impact.sum(Queue::otherwise) + " sealed otherwise, " + impact.sum(Queue::notLookedAt)
                + " not looked at");
        lines.addAll(table(impact).lines());
        if (impact.addressesLeftOut() + impact.queuesLeftOut() > 0) {
            lines.add("left out: " + count(impact.addressesLeftOut(), "further address", "further addresses") + ", "
                    + count(impact.queuesLeftOut(), "further queue", "further queues"));
        }
        addTemporary(impact, lines);
        return lines;
    }

    private static void addTemporary(PolicyImpact impact, List<String> lines) {
        if (impact.temporaryAddresses() > 0) {
            lines.add("temporary addresses that it touches, with that of this command: " + impact.temporaryAddresses());
        }
    }

    private static TextTable table(PolicyImpact impact) {
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
        for (Address address : impact.addresses()) {
            if (address.queues().isEmpty()) {
                table.row(
                        address.address(),
                        address.before().toString(),
                        address.after().toString(),
                        NONE,
                        NONE,
                        NONE,
                        NONE,
                        NONE,
                        NONE,
                        NONE);
            }
            for (Queue queue : address.queues()) {
                table.row(
                        address.address(),
                        address.before().toString(),
                        address.after().toString(),
                        queue.queue(),
                        String.valueOf(queue.messages()),
                        String.valueOf(queue.clear()),
                        String.valueOf(queue.asRequired()),
                        String.valueOf(queue.cannotTell()),
                        String.valueOf(queue.otherwise()),
                        String.valueOf(queue.notLookedAt()));
            }
        }
        return table;
    }

    private static String count(long number, String one, String several) {
        return number + " " + (number == 1 ? one : several);
    }
}
