/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.JsonOption;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyExplanation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code signet policy explain}. */
@Command(
        name = "explain",
        description = "Says which policy applies to an address, and why. Exits 1 if none does.",
        footerHeading = "%nExamples:%n",
        footer = {"  signet policy explain orders.eu.paris", "  signet policy explain orders.eu.paris --json"})
public final class PolicyExplain implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(paramLabel = "ADDRESS", description = "An address; need not exist in a broker.")
    private String address = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    public PolicyExplain(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        PolicyExplanation explanation =
                new PolicyStore(context.existingHome()).read().explain(address);
        if (json.wanted) {
            Json.print(answer(explanation), context.out());
        } else {
            print(explanation);
        }
        return explanation.effective().isPresent() ? ExitCode.OK : ExitCode.FAILURE;
    }

    private void print(PolicyExplanation explanation) {
        context.out().println(explanation.address() + ": " + explanation.reason());
        explanation.effective().ifPresent(effective -> {
            context.out().println();
            PolicyLines.of(effective.policy()).forEach(context.out()::println);
        });
        if (!explanation.overruled().isEmpty()) {
            context.out()
                    .println("%-21s %s"
                            .formatted(
                                    "overruled",
                                    explanation.overruled().stream()
                                            .map(Policy::pattern)
                                            .collect(Collectors.joining("; "))));
        }
    }

    private static ObjectNode answer(PolicyExplanation explanation) {
        ObjectNode answer = Json.answer()
                .put("address", explanation.address())
                .put(
                        "policy",
                        explanation.effective().map(EffectivePolicy::reference).orElse(null))
                .put(
                        "quality",
                        explanation
                                .effective()
                                .map(effective -> effective.policy().quality().label())
                                .orElse(null))
                .put("reason", explanation.reason());
        ArrayNode overruled = answer.putArray("overruled");
        explanation.overruled().forEach(policy -> overruled.add(policy.pattern()));
        return answer;
    }
}
