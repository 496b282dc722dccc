/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyExplanation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code signet policy explain}. */
@Command(
        name = "explain",
        description = "Says which policy applies to an address, and why. Exits 1 if none does.",
        footer = {"  signet policy explain orders.eu.paris", "  signet policy explain orders.eu.paris --json"})
public final class PolicyExplain extends ReportingCommand {
    @Parameters(paramLabel = "ADDRESS", description = "An address; need not exist in a broker.")
    private String address = "";

    private record Answer(
            String address,
            @Nullable String policy,
            @Nullable String quality,
            String reason,
            List<String> overruled) {}

    @Override
    public Integer call() throws IOException {
        PolicyExplanation explanation =
                new PolicyStore(context.existingHome()).read().explain(address);
        Optional<EffectivePolicy> effective = explanation.effective();
        List<String> overruled =
                explanation.overruled().stream().map(Policy::pattern).toList();
        Answer answer = new Answer(
                explanation.address(),
                effective.map(EffectivePolicy::reference).orElse(null),
                effective.map(policy -> policy.policy().quality().label()).orElse(null),
                explanation.reason(),
                overruled);
        report(answer, () -> lines(answer, effective));
        return effective.isPresent() ? ExitCode.OK : ExitCode.FAILURE;
    }

    private static List<String> lines(Answer answer, Optional<EffectivePolicy> effective) {
        LabelledLines lines = new LabelledLines(21).addAll(List.of(answer.address() + ": " + answer.reason()));
        effective.ifPresent(policy -> lines.addAll(List.of("")).addAll(PolicyText.lines(policy.policy())));
        return lines.add("overruled", answer.overruled().isEmpty() ? null : String.join("; ", answer.overruled()))
                .lines();
    }
}
