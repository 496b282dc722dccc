/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.policy.PolicyFile;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.WildcardSyntax;
import picocli.CommandLine.Command;

/** The command {@code signet policy list}. */
@Command(
        name = "list",
        description = "Lists the policies of the home.",
        footer = {"  signet policy list", "  signet policy list --json"})
public final class PolicyList extends ReportingCommand {
    @Override
    public Integer call() throws IOException {
        PolicySet policies = new PolicyStore(context.existingHome()).read();
        String others = PolicyText.otherAddresses(policies);
        if (policies.policies().isEmpty() && !json) {
            context.say(context.existingHome().root() + " has no policies; " + others);
            return ExitCode.OK;
        }
        report(Json.parse(PolicyFile.format(policies)), () -> PolicyText.table(policies));
        if (!json) {
            context.say("version " + policies.version() + "; " + others);
            if (!policies.wildcards().equals(WildcardSyntax.DEFAULT)) {
                context.say("wildcards: " + policies.wildcards().describe());
            }
        }
        return ExitCode.OK;
    }
}
