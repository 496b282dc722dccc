/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.policy.PolicySetCommand.PolicyOption;
import org.signetmq.cli.command.policy.PolicyTarget.Applied;
import org.signetmq.cli.command.policy.PolicyTarget.Edit;
import org.signetmq.cli.command.policy.PolicyText.DifferenceText;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.envelope.SignedPolicies;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Acceptance;
import org.signetmq.policy.Policy.Signing;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.file.PolicyDifference;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.policy.mq.MqPolicies;
import org.signetmq.policy.mq.MqPolicies.MqImport;
import org.signetmq.policy.mq.MqPolicies.MqImport.Outcome;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code signet policy import}. */
@Command(
        name = "import",
        description =
                "Puts the policies of a file in place of all that are set, at once or not at all. The version in the "
                        + "file does not count, unless an officer signed it: then it must be greater. With --from-mq it adds the policies of IBM MQ to those that are set.",
        footer = {
            "  signet policy import policies-backup.json --dry-run",
            "  signet policy import production.json --broker tcp://localhost:61616 --user admin",
            "  signet policy import backup.json --restore --broker tcp://localhost:61616",
            "  signet policy import dspmqspl.txt --from-mq --add-signer broker --dry-run",
        })
final class PolicyImportCommand extends ChangingCommand {
    private static final Path STANDARD = Path.of("-");

    @Parameters(
            paramLabel = "FILE",
            description = "A policy file, as signet policy export writes it; - is standard input.")
    private Path file = Path.of("");

    @Option(
            names = "--from-mq",
            description = "FILE has policies of IBM MQ: lines of dspmqspl -export, or SET POLICY of MQSC. "
                    + "Nothing is imported if one of them is refused. Producers seal, as in MQ, unless --add-signer "
                    + "names the broker.")
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
                    "With --from-mq: a signer that each policy with signers gets beside its own. Name the identity of the "
                            + "broker if it is to seal for producers that do not. Repeatable.")
    private List<String> moreSigners = List.of();

    @Option(
            names = "--restore",
            description =
                    "Put the policies in force at a broker that lost its own, and so rejects every message. Their "
                            + "version is above the lost one.")
    private boolean restore;

    /** The policies of MQ among those that were tried last; null for a policy file. */
    private @Nullable Merged mq;

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
        if (fromMq) {
            Edit edit = edit(text(file, context), toleration());
            each(targets.any(context), "import of " + file, target -> target.change(edit, dryRun), this::shown);
            return ExitCode.OK;
        }
        SignedPolicies document = document(file, context);
        PolicySet wanted = parsed(file, document);
        boolean isSigned = document.signer().isPresent();
        each(
                targets.any(context),
                "import of " + file,
                target -> {
                    if (restore) {
                        PolicySet restored = isSigned ? wanted : edit(wanted).on(PolicySet.EMPTY, target.parties());
                        return target.restore(isSigned ? document.text() : PolicyFile.format(restored), restored);
                    }
                    return isSigned ? target.load(document, wanted, dryRun) : target.change(edit(wanted), dryRun);
                },
                this::shown);
        return ExitCode.OK;
    }

    private void shown(String prefix, Applied applied) {
        List<String> lines = new ArrayList<>();
        if (dryRun) {
            lines.addAll(DifferenceText.lines(PolicyDifference.between(applied.before(), applied.after())));
        }
        int policies = applied.after().policies().size();
        lines.add(file + ": " + policies + (policies == 1 ? " policy" : " policies"));
        show(prefix, lines, applied, null);
    }

    private static Edit edit(PolicySet wanted) {
        return (before, known) ->
                judged(before, PolicySet.of(before.version() + 1, wanted.settings(), wanted.policies()), known);
    }

    /** Returns policies that differ from those before after a check of their names. */
    private static PolicySet judged(PolicySet before, PolicySet after, PartyValidator known) {
        List<PolicyProblem> problems =
                PolicyTarget.isSame(before, after) ? List.of() : PolicyFile.problems(after, known);
        if (!problems.isEmpty()) {
            throw new InvalidPolicyException(problems);
        }
        return after;
    }

    /** Returns the edit that adds policies of MQ, each in place of the one with its pattern. */
    private Edit edit(String text, Toleration toleration) {
        return (before, known) -> {
            mq = null; // of another broker
            MqImport read = MqPolicies.read(text, before.wildcards(), toleration);
            read.statements().forEach(statement -> tell(statement.toString()));
            if (read.queueManagers().size() > 1) {
                tell("policies of several queue managers: " + String.join(", ", read.queueManagers()));
            }
            long refused = read.count(Outcome.REFUSED);
            if (refused > 0) {
                throw CliException.failure("import of " + file + ": policies of MQ are refused (" + refused
                                + "), nothing was changed")
                        .hint("remove these statements from the file, or correct them as their lines say");
            }
            if (read.policies().isEmpty()) {
                throw CliException.failure("import of " + file + ": has no policy of MQ, nothing was changed")
                        .hint("dspmqspl -export writes them");
            }
            PolicySet after =
                    before.with(read.policies().stream().map(this::sealed).toList());
            mq = new Merged(after, read);
            return judged(before, after, known);
        };
    }

    private void tell(String line) {
        if (json) {
            context.say(Failures.oneLine(line));
        } else {
            context.print(Failures.oneLine(line));
        }
    }

    /**
     * Lets producers seal, who are the signers in MQ. With more signers the broker seals what comes in clear. A policy
     * without signers accepts every trusted one already.
     */
    private Policy sealed(Policy imported) {
        if (imported.quality() == QualityOfProtection.NONE) {
            return imported;
        }
        Policy policy = imported.with(new Acceptance(
                imported.acceptance().toleration(), moreSigners.isEmpty() ? SealingPlace.CLIENT : SealingPlace.EITHER));
        Signing signing = policy.signing();
        if (signing.signers().isEmpty()) {
            return policy;
        }
        List<String> signers = Stream.concat(signing.signers().stream(), moreSigners.stream())
                .distinct()
                .toList();
        return policy.with(new Signing(signing.algorithm(), signers, signing.certificate(), signing.brokers()));
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

    @Override
    protected List<String> problems(InvalidPolicyException rejection) {
        Merged merged = mq;
        return merged == null
                ? super.problems(rejection)
                : rejection.problems().stream().map(merged::placed).toList();
    }

    /**
     * Policies with those of MQ among them.
     *
     * @param read the policies of MQ
     */
    private record Merged(PolicySet policies, MqImport read) {
        private static final Pattern PLACE = Pattern.compile("policies\\[([0-9]{1,6})]\\.(.*)");

        /** Returns a problem. One of a policy of MQ begins with its line in the file and its queue. */
        String placed(PolicyProblem problem) {
            Matcher place = PLACE.matcher(problem.path());
            if (place.matches()
                    && Integer.parseInt(place.group(1)) < policies.policies().size()) {
                String queue = policies.policies()
                        .get(Integer.parseInt(place.group(1)))
                        .pattern();
                int line = read.line(queue);
                if (line > 0) {
                    return "line " + line + ": " + queue + ": " + place.group(2) + ": " + problem.message();
                }
            }
            return problem.toString();
        }
    }

    /** Returns the policies in a file; - is standard input. Certificates judge the names in them later. */
    static PolicySet policies(Path file, CommandContext context) throws IOException {
        return parsed(file, document(file, context));
    }

    /** Returns the document in a file, signed or not, whose signature is right if it has one; - is standard input. */
    static SignedPolicies document(Path file, CommandContext context) throws IOException {
        String text = text(file, context);
        try {
            return SignedPolicies.open(text, List.of());
        } catch (InvalidPolicyException e) {
            throw unusable(file, e);
        }
    }

    static PolicySet parsed(Path file, SignedPolicies document) {
        try {
            return PolicyFile.parse(document.json(), PartyValidator.acceptAll());
        } catch (InvalidPolicyException e) {
            throw unusable(file, e);
        }
    }

    private static CliException unusable(Path file, InvalidPolicyException e) {
        return CliException.failure(file + ": cannot be used, nothing was changed")
                .details(PolicyStore.problems(e))
                .causedBy(e);
    }

    private static String text(Path file, CommandContext context) throws IOException {
        byte[] bytes;
        try (InputStream in =
                file.equals(STANDARD) ? context.shell().streams().in() : Files.newInputStream(context.resolve(file))) {
            bytes = in.readNBytes(PolicyFile.LONGEST + 1);
        }
        if (bytes.length > PolicyFile.LONGEST) {
            throw CliException.failure(file + ": longer than " + PolicyFile.LONGEST + " bytes");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw CliException.failure(file + ": not UTF-8, as policy files are")
                    .causedBy(e);
        }
    }
}
