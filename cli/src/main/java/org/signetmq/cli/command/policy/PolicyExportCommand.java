/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.policy.access.PolicyTarget;
import org.signetmq.cli.command.policy.access.TargetOptions;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.cli.file.OutputOptions;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.policy.mq.MqExport;
import org.signetmq.policy.mq.MqPolicies;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code signet policy export}. */
@Command(
        name = "export",
        description =
                "Writes all policies as a policy file, which signet policy import takes, or as commands for IBM MQ. "
                        + "Exits 1 if MQ cannot express one of them.",
        footer = {
            "  signet policy export --out policies-backup.json",
            "  signet policy export --broker tcp://localhost:61616 --user admin --out production.json",
            "  signet policy export --format mq --queue-manager QM1",
        })
final class PolicyExportCommand extends Subcommand {
    @Option(
            names = "--format",
            paramLabel = "json|mq",
            description = "json, a policy file (default), or mq, lines of setmqspl.")
    private String format = "json";

    @Option(
            names = "--queue-manager",
            paramLabel = "NAME",
            description = "With --format mq: the queue manager that the lines are for.")
    private @Nullable String queueManager;

    @Mixin
    private final TargetOptions targets = new TargetOptions();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws IOException {
        boolean isMq = format.equals("mq");
        if (!isMq && !format.equals("json")) {
            throw usage("--format: must be json or mq, found '" + format + "'");
        }
        if (isMq == (queueManager == null)) {
            throw usage("--queue-manager: goes with --format mq, which needs it");
        }
        output.check(context);
        PolicySet policies = targets.existing(context).only(PolicyTarget::read);
        return queueManager == null ? json(policies) : mq(policies, queueManager);
    }

    private int json(PolicySet policies) throws IOException {
        write(PolicyFile.bytes(policies));
        return ExitCode.OK;
    }

    private int mq(PolicySet policies, String manager) throws IOException {
        MqExport export;
        try {
            export = MqPolicies.export(policies, manager);
        } catch (IllegalArgumentException e) {
            throw usage("--queue-manager: " + Failures.inWords(e));
        }
        write(export.text().getBytes(StandardCharsets.UTF_8));
        export.refused().forEach(problem -> context.warn(Failures.oneLine("MQ cannot express a policy: " + problem)));
        return export.refused().isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
    }

    private void write(byte[] content) throws IOException {
        output.write(context, content.length, out -> out.write(content));
    }
}
