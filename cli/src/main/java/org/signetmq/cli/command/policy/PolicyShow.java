/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.JsonOption;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyFile;
import org.signetmq.policy.PolicySet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code signet policy show}. */
@Command(
        name = "show",
        description = "Shows the policy that was set for exactly this address or pattern.",
        footerHeading = "%nExamples:%n",
        footer = {"  signet policy show orders.#", "  signet policy show orders.# --json"})
public final class PolicyShow implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(paramLabel = "ADDRESS", description = "An address or pattern, as in signet policy list.")
    private String address = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    public PolicyShow(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        PolicySet policies = new PolicyStore(context.existingHome()).read();
        Policy policy = exactly(address, policies);
        if (json.wanted) {
            PolicySet alone =
                    PolicySet.of(policies.version(), policies.unmatched(), policies.wildcards(), List.of(policy));
            Json.print((ObjectNode) Json.parse(PolicyFile.format(alone)), context.out());
        } else {
            PolicyLines.of(policy).forEach(context.out()::println);
        }
        return ExitCode.OK;
    }

    /** The policy of this pattern. */
    static Policy exactly(String pattern, PolicySet policies) {
        return policies.policies().stream()
                .filter(policy -> policy.pattern().equals(pattern))
                .findFirst()
                .orElseThrow(() -> CliException.failure("policy for '" + pattern + "': none is set")
                        .hint("signet policy list shows all, signet policy explain the one that applies"));
    }
}
