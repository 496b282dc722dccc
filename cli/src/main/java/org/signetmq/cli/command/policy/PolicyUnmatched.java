/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** The command {@code signet policy unmatched}. */
@Command(
        name = "unmatched",
        description =
                "Sets what happens to messages of addresses without a policy: they pass as they are, or brokers and "
                        + "consumers reject them. Without an argument it shows what is set.",
        footer = {
            "  signet policy unmatched",
            "  signet policy unmatched reject",
            "  signet policy unmatched pass --json",
        })
public final class PolicyUnmatched extends ReportingCommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "pass|reject",
            converter = Converter.class,
            description = "What happens to these messages; pass at first. reject also rejects temporary\n"
                    + "queues, unless a policy for # covers them.")
    private @Nullable UnmatchedAddress wanted;

    private record Answer(String unmatched, long version, boolean changed) {}

    @Override
    public Integer call() throws IOException {
        UnmatchedAddress rule = wanted;
        PolicyStore store = new PolicyStore(rule == null ? context.existingHome() : context.home());
        PolicySet before = store.read();
        PolicySet now = before;
        if (rule != null && before.unmatched() != rule) {
            now = store.change(policies -> policies.with(rule));
        }
        print(now, now.unmatched() != before.unmatched());
        if (rule == UnmatchedAddress.REJECT && now.policies().isEmpty()) {
            context.warn("the home has no policies: all messages are rejected; signet policy set adds one");
        }
        return ExitCode.OK;
    }

    private void print(PolicySet policies, boolean changed) {
        String label = policies.unmatched().label();
        String unchanged = wanted == null ? "" : ", nothing to do";
        report(
                new Answer(label, policies.version(), changed),
                () -> List.of("unmatched: " + label + (changed ? ", " + PolicyStore.step(policies) : unchanged)));
    }

    /** Reads {@code pass} and {@code reject}, the words of policy files. */
    static final class Converter implements ITypeConverter<UnmatchedAddress> {
        @Override
        public UnmatchedAddress convert(String text) {
            for (UnmatchedAddress rule : UnmatchedAddress.values()) {
                if (rule.label().equals(text)) {
                    return rule;
                }
            }
            throw new TypeConversionException("must be pass or reject, found '" + text + "'");
        }
    }
}
