/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import org.signetmq.cli.command.policy.access.PolicyTarget;
import org.signetmq.cli.command.policy.access.TargetOptions;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.cli.file.OutputOptions;
import org.signetmq.policy.file.PolicyFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code signet policy export}. */
@Command(
        name = "export",
        description = "Writes all policies as a policy file, which signet policy import takes.",
        footer = {
            "  signet policy export --out policies-backup.json",
            "  signet policy export --broker tcp://localhost:61616 --user admin --out production.json",
        })
final class PolicyExportCommand extends Subcommand {
    @Mixin
    private final TargetOptions targets = new TargetOptions();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws IOException {
        output.check(context);
        byte[] content = PolicyFile.bytes(targets.existing(context).only(PolicyTarget::read));
        output.write(context, out -> out.write(content));
        return ExitCode.OK;
    }
}
