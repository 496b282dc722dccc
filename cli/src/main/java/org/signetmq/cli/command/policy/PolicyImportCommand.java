/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.policy.access.Applied;
import org.signetmq.cli.command.policy.access.PolicyChange.ReplaceAll;
import org.signetmq.cli.command.policy.access.PolicyStore;
import org.signetmq.cli.command.policy.access.PolicyTarget;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.file.PolicyDifference;
import org.signetmq.policy.mq.MqImport.Outcome;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code signet policy import}. */
@Command(
        name = "import",
        description =
                "Puts the policies of a file in place of all that are set, at once or not at all. The version in the "
                        + "file does not count. With --from-mq it adds the policies of IBM MQ to those that are set.",
        footer = {
            "  signet policy import policies-backup.json --dry-run",
            "  signet policy import production.json --broker tcp://localhost:61616 --user admin",
            "  signet policy import backup.json --restore --broker tcp://localhost:61616",
            "  signet policy import dspmqspl.txt --from-mq --add-signer broker --dry-run",
        })
final class PolicyImportCommand extends ChangingCommand {
    @Parameters(
            paramLabel = "FILE",
            description = "A policy file, as signet policy export writes it; - is standard input.")
    private Path file = Path.of("");

    @Option(
            names = "--from-mq",
            description = "FILE has policies of IBM MQ: lines of dspmqspl -export, or SET POLICY of MQSC. "
                    + "Nothing is imported if one of them is refused.")
    private boolean fromMq;

    @Option(
            names = "--tolerate-until",
            paramLabel = "DATE",
            description =
                    "With --from-mq: until when policies that tolerate messages in clear go on with it; default not "
                            + "at all.")
    private @Nullable String tolerateUntil;

    @Option(
            names = "--add-signer",
            paramLabel = "NAME",
            description =
                    "With --from-mq: a signer that each policy with signers gets beside its own. In MQ the clients sign; "
                            + "here the broker does, so name its identity. Repeatable.")
    private List<String> moreSigners = List.of();

    @Option(
            names = "--restore",
            description =
                    "Put the policies in force at a broker that lost its own, and so rejects every message. Their "
                            + "version is above the lost one.")
    private boolean restore;

    private MqPolicyFile.@Nullable Merged mq;

    private record Done(int policies, List<String> difference, Applied applied) {}

    @Override
    public Integer call() throws IOException {
        if (tolerateUntil != null && !fromMq) {
            throw usage("--tolerate-until: only with --from-mq; a policy file has its own dates");
        }
        if (!moreSigners.isEmpty() && !fromMq) {
            throw usage("--add-signer: only with --from-mq; signet policy add-signer adds one to a policy");
        }
        if (restore && (fromMq || dryRun || !targets.isBroker(context))) {
            throw usage("--restore: only with --broker, and not with --from-mq or --dry-run");
        }
        PolicyDocument document = new PolicyDocument(file);
        Source source = fromMq ? mq(document) : whole(document);
        oneForJson(targets.any(context))
                .each("import of " + file, target -> imported(target, source), (prefix, done) -> {
                    List<String> lines = new ArrayList<>(done.difference());
                    lines.add(file + ": " + done.policies() + (done.policies() == 1 ? " policy" : " policies"));
                    show(prefix, lines, done.applied());
                    warn(prefix, done.applied());
                });
        return ExitCode.OK;
    }

    /** Says which policies will be in force in place of others. */
    private interface Source {
        PolicySet after(PolicySet before);
    }

    private Source whole(PolicyDocument document) throws IOException {
        PolicySet policies = document.read(context);
        return before -> policies;
    }

    private Source mq(PolicyDocument document) throws IOException {
        MqPolicyFile read = new MqPolicyFile(document.text(context), toleration(), moreSigners);
        return before -> {
            mq = null; // of another broker
            MqPolicyFile.Merged merged = read.into(before);
            merged.report().forEach(json ? context::say : context::print);
            long refused = merged.read().count(Outcome.REFUSED);
            if (refused > 0) {
                throw CliException.failure("import of " + file + ": policies of MQ are refused (" + refused
                                + "), nothing was changed")
                        .hint("remove these statements from the file, or correct them as their lines say");
            }
            if (merged.read().policies().isEmpty()) {
                throw CliException.failure("import of " + file + ": has no policy of MQ, nothing was changed")
                        .hint("dspmqspl -export writes them");
            }
            mq = merged;
            return merged.policies();
        };
    }

    private Toleration toleration() {
        if (tolerateUntil == null) {
            return Toleration.ENFORCE;
        }
        return PolicyOption.until(tolerateUntil)
                .filter(until -> until.isAfter(context.shell().clock().instant()))
                .map(Toleration::new)
                .orElseThrow(() -> usage("--tolerate-until: must be a later date, such as 2027-06-30 or "
                        + "2027-06-30T18:00:00Z, found '" + tolerateUntil + "'"));
    }

    private Done imported(PolicyTarget target, Source source) throws IOException {
        try {
            return restore ? restored(target, source.after(PolicySet.EMPTY)) : replaced(target, source);
        } catch (InvalidPolicyException e) {
            List<String> problems = mq == null ? PolicyStore.problems(e) : mq.problems(e);
            throw rejected("import of " + file, problems).causedBy(e);
        }
    }

    private static Done restored(PolicyTarget target, PolicySet policies) throws IOException {
        return new Done(policies.policies().size(), List.of(), target.restore(policies));
    }

    private Done replaced(PolicyTarget target, Source source) throws IOException {
        PolicySet before = target.read();
        ReplaceAll change = new ReplaceAll(source.after(before));
        int policies = change.policies().policies().size();
        if (change.isSame(before)) {
            return new Done(policies, List.of(), Applied.nothing(before.version()));
        }
        Applied applied = make(target, change, before.version());
        PolicyDifference difference = PolicyDifference.between(before, change.policies());
        return new Done(policies, dryRun ? DifferenceText.lines(difference) : List.of(), applied);
    }
}
