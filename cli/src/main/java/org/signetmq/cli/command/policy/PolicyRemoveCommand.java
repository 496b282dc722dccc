/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import org.signetmq.cli.command.policy.access.Applied;
import org.signetmq.cli.command.policy.access.PolicyChange;
import org.signetmq.cli.command.policy.access.PolicyStore;
import org.signetmq.cli.command.policy.access.PolicyTarget;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.policy.InvalidPolicyException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code signet policy remove}. */
@Command(
        name = "remove",
        description = "Removes the policy that was set for exactly this address or pattern.",
        footer = {
            "  signet policy remove orders.#",
            "  signet policy remove orders.# --broker tcp://localhost:61616 --user admin --dry-run",
        })
final class PolicyRemoveCommand extends ChangingCommand {
    @Parameters(paramLabel = "ADDRESS", description = PolicyCommands.LISTED)
    private String address = "";

    @Override
    public Integer call() throws IOException {
        String what = "policy for '" + address + "'";
        oneForJson(targets.existing(context)).each(what, target -> removed(what, target), (prefix, applied) -> {
            show(prefix, address + ": removed", applied);
            warn(prefix, applied);
        });
        return ExitCode.OK;
    }

    private Applied removed(String what, PolicyTarget target) throws IOException {
        try {
            Applied applied = make(
                    target,
                    new PolicyChange.RemovePolicy(address),
                    target.head().version());
            if (applied.isChange()) {
                return applied;
            }
            throw PolicyStore.notSet(address);
        } catch (InvalidPolicyException e) {
            throw rejected(what, PolicyStore.problems(e)).causedBy(e);
        }
    }
}
