/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.nio.file.Path;
import org.signetmq.cli.command.policy.access.Applied;
import org.signetmq.cli.command.policy.access.PolicyChange.ReplaceAll;
import org.signetmq.cli.command.policy.access.PolicyStore;
import org.signetmq.cli.command.policy.access.PolicyTarget;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PolicySet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code signet policy import}. */
@Command(
        name = "import",
        description =
                "Puts the policies of a file in place of all that are set, at once or not at all. The version in the "
                        + "file does not count.",
        footer = {
            "  signet policy import policies-backup.json --dry-run",
            "  signet policy import production.json --broker tcp://localhost:61616 --user admin",
        })
final class PolicyImportCommand extends ChangingCommand {
    @Parameters(
            paramLabel = "FILE",
            description = "A policy file, as signet policy export writes it; - is standard input.")
    private Path file = Path.of("");

    @Override
    public Integer call() throws IOException {
        PolicySet policies = new PolicyDocument(file).read(context);
        ReplaceAll change = new ReplaceAll(policies);
        targets.any(context).each("import of " + file, target -> imported(target, change), (prefix, applied) -> {
            show(prefix + file + ": " + policies.policies().size() + " policies", applied);
            warn(prefix, applied);
        });
        return ExitCode.OK;
    }

    private Applied imported(PolicyTarget target, ReplaceAll change) throws IOException {
        PolicySet before = target.read();
        if (change.isSame(before)) {
            return Applied.nothing(before.version());
        }
        try {
            return make(target, change, before.version());
        } catch (InvalidPolicyException e) {
            throw rejected("import of " + file, PolicyStore.problems(e)).causedBy(e);
        }
    }
}
