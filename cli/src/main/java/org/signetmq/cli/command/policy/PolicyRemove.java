/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.policy.PolicySet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code signet policy remove}. */
@Command(
        name = "remove",
        description = "Removes the policy that was set for exactly this address or pattern.",
        footer = "  signet policy remove orders.#")
public final class PolicyRemove extends Subcommand {
    @Parameters(paramLabel = "ADDRESS", description = "An address or pattern, as in signet policy list.")
    private String address = "";

    @Override
    public Integer call() throws IOException {
        PolicyStore store = new PolicyStore(context.existingHome());
        PolicyStore.exactly(address, store.read()); // before a file or folder is made for nothing
        PolicySet now = store.change(policies -> {
            PolicyStore.exactly(address, policies);
            return policies.without(address);
        });
        context.print(address + ": removed, " + PolicyStore.step(now));
        return ExitCode.OK;
    }
}
