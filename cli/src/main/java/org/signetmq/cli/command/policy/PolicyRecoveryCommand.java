/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.util.List;
import org.signetmq.cli.command.policy.access.Applied;
import org.signetmq.cli.command.policy.access.PolicyChange;
import org.signetmq.cli.command.policy.access.PolicyHead;
import org.signetmq.cli.command.policy.access.PolicyStore;
import org.signetmq.cli.command.policy.access.PolicyTarget;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.policy.InvalidPolicyException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code signet policy recovery}. */
@Command(
        name = "recovery",
        description =
                "Sets the recovery recipients. Every policy that encrypts also encrypts for them. Their keys open each "
                        + "message that is sealed from then on. The names replace those that were set. Without an "
                        + "argument it shows what is set.",
        footer = {
            "  signet policy recovery",
            "  signet policy recovery vault",
            "  signet policy recovery --none",
            "  signet policy recovery vault --broker tcp://localhost:61616 --user admin --dry-run",
        })
final class PolicyRecoveryCommand extends ChangingCommand {
    @Parameters(arity = "0..*", paramLabel = "NAME", description = "As in signet policy set: a name, a DN or ski:HEX.")
    private List<String> names = List.of();

    @Option(names = "--none", description = "No recovery recipients from now on.")
    private boolean none;

    private record Result(List<String> recovery, long version) {}

    @Override
    public Integer call() throws IOException {
        if (none && !names.isEmpty()) {
            throw usage("--none: goes without names");
        }
        if (!none && names.isEmpty()) {
            PolicyHead head = targets.existing(context).only(PolicyTarget::head);
            report(
                    new Result(head.recovery(), head.version()),
                    () -> List.of("recovery: " + PolicyText.names(head.recovery())));
            return ExitCode.OK;
        }
        oneForJson(targets.any(context)).each("recovery", this::set, (prefix, applied) -> {
            show(prefix, "recovery: " + PolicyText.names(names), applied);
            warn(prefix, applied);
        });
        return ExitCode.OK;
    }

    private Applied set(PolicyTarget target) throws IOException {
        try {
            return make(
                    target, new PolicyChange.SetRecovery(names), target.head().version());
        } catch (InvalidPolicyException e) {
            throw rejected("recovery", PolicyStore.problems(e)).causedBy(e);
        }
    }
}
