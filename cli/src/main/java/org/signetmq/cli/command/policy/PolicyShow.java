/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.util.List;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyFile;
import org.signetmq.policy.PolicySet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code signet policy show}. */
@Command(
        name = "show",
        description = "Shows the policy that was set for exactly this address or pattern.",
        footer = {"  signet policy show orders.#", "  signet policy show orders.# --json"})
public final class PolicyShow extends ReportingCommand {
    @Parameters(paramLabel = "ADDRESS", description = "An address or pattern, as in signet policy list.")
    private String address = "";

    @Override
    public Integer call() throws IOException {
        PolicySet policies = new PolicyStore(context.existingHome()).read();
        Policy policy = PolicyStore.exactly(address, policies);
        PolicySet alone = PolicySet.of(policies.version(), policies.unmatched(), policies.wildcards(), List.of(policy));
        report(Json.parse(PolicyFile.format(alone)), () -> PolicyText.lines(policy));
        return ExitCode.OK;
    }
}
