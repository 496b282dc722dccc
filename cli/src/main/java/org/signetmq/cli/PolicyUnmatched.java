/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code signet policy unmatched}. */
@Command(
        name = "unmatched",
        description =
                "Sets what happens to messages of addresses without a policy: they pass as they are, or brokers and "
                        + "consumers refuse them. Without an argument it shows what is set.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  signet policy unmatched",
            "  signet policy unmatched reject",
            "  signet policy unmatched pass --json",
        })
final class PolicyUnmatched implements Callable<Integer> {
    private final Session session;

    @Parameters(
            arity = "0..1",
            paramLabel = "pass|reject",
            converter = UnmatchedAddressConverter.class,
            description = "What happens to these messages; pass at first. reject also refuses temporary\n"
                    + "queues, unless a policy for # covers them.")
    private @Nullable UnmatchedAddress wanted;

    @Mixin
    private final JsonOption json = new JsonOption();

    PolicyUnmatched(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() throws IOException {
        UnmatchedAddress rule = wanted;
        if (rule == null) {
            print(new PolicyStore(session.existingHome()).read(), false);
            return ExitCode.OK;
        }
        PolicyStore store = new PolicyStore(session.home());
        PolicySet before = store.read();
        boolean changes = before.unmatched() != rule;
        PolicySet now = changes ? store.change(policies -> policies.with(rule)) : before;
        print(now, changes);
        if (rule == UnmatchedAddress.REJECT && now.policies().isEmpty()) {
            session.warn("the home has no policies: all messages are refused; signet policy set adds one");
        }
        return ExitCode.OK;
    }

    private void print(PolicySet policies, boolean changed) {
        if (json.wanted) {
            ObjectNode answer = Json.answer()
                    .put("unmatched", policies.unmatched().label())
                    .put("version", policies.version())
                    .put("changed", changed);
            Json.print(answer, session.out());
            return;
        }
        String rest = "";
        if (changed) {
            rest = ", policies " + (policies.version() - 1) + " -> " + policies.version();
        } else if (wanted != null) {
            rest = ", nothing to do";
        }
        session.out().println("unmatched: " + policies.unmatched().label() + rest);
    }
}
