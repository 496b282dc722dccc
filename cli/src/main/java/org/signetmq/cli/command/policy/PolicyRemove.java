/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.policy.PolicySet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code signet policy remove}. */
@Command(
        name = "remove",
        description = "Removes the policy that was set for exactly this address or pattern.",
        footerHeading = "%nExamples:%n",
        footer = "  signet policy remove orders.#")
public final class PolicyRemove implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(paramLabel = "ADDRESS", description = "An address or pattern, as in signet policy list.")
    private String address = "";

    public PolicyRemove(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        PolicyStore store = new PolicyStore(context.existingHome());
        PolicyShow.exactly(address, store.read()); // before a file or folder is made for nothing
        PolicySet now = store.change(policies -> {
            PolicyShow.exactly(address, policies);
            return policies.without(address);
        });
        context.out().println(address + ": removed, policies " + (now.version() - 1) + " -> " + now.version());
        return ExitCode.OK;
    }
}
