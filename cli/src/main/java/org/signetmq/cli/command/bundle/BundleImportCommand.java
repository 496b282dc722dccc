/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.bundle.Bundle.Entry;
import org.signetmq.cli.command.bundle.ImportRecords.Source;
import org.signetmq.cli.command.bundle.ImportRecords.Thing;
import org.signetmq.cli.command.policy.DifferenceText;
import org.signetmq.cli.command.policy.access.PolicyStore;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyDifference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code signet bundle import}. */
@Command(
        name = "import",
        description = "Puts a bundle into the home: all of it, or nothing. It takes the place of the signer's earlier "
                + "bundle. Other certificates and policies stay as they are. Bundles that have ended, or are older "
                + "than the one imported last, are refused.",
        footer = {
            "  signet bundle import alice.bundle --dry-run",
            "  signet bundle import alice.bundle --signed-by broker.pem",
            "  signet bundle import alice.bundle",
        })
final class BundleImportCommand extends ReportingCommand {
    /** How far the clock of the exporter may be ahead. */
    private static final Duration CLOCK_DIFFERENCE = Duration.ofMinutes(10);

    @Parameters(paramLabel = "FILE", description = "A bundle of signet bundle export.")
    private Path file = Path.of("");

    @Option(
            names = "--signed-by",
            paramLabel = "CERTIFICATE|FINGERPRINT",
            description =
                    "The signer: a PEM file with its certificate or that of its issuer, or the SHA-256 fingerprint "
                            + "of its certificate. Default: the signer of the earlier bundles. For the first bundle the "
                            + "command asks for the fingerprint.")
    private @Nullable String signedBy;

    @Option(names = "--dry-run", description = "Check the bundle, show what it changes, and change nothing.")
    private boolean dryRun;

    @Option(
            names = "--replace",
            description = "Also replace certificates and policies of the home that differ and did not come with an "
                    + "earlier bundle of the signer.")
    private boolean replace;

    @Option(
            names = "--allow-older",
            description = "Also import a bundle that is older than the one imported last. It may bring back what was "
                    + "withdrawn.")
    private boolean allowOlder;

    private record FileChange(String path, String change) {}

    private record Answer(
            boolean dryRun,
            boolean changed,
            String signer,
            String fingerprint,
            String created,
            List<FileChange> files,
            Object policies,
            long version) {}

    @Override
    @SuppressWarnings("try") // the lock is only held
    public Integer call() throws IOException {
        SignedBundle read = SignedBundle.read(file, context);
        requireSigner(read); // before a folder is made for a stranger
        if (dryRun) {
            return run(read);
        }
        try (FileChannel unused = ImportRecords.lock(context.home())) {
            return run(read.withRecords(ImportRecords.read(context.home())));
        }
    }

    /** Returns the path to the signer, whose fingerprint a user types for the first bundle of a home. */
    private List<X509Certificate> requireSigner(SignedBundle read) {
        boolean isFirst = read.records().sources().stream().allMatch(Source::withdrawn);
        boolean isWithdrawn = read.records().of(read.signerKey()).isPresent() && isFirst;
        if (isFirst && !isWithdrawn && signedBy == null) {
            signedBy = read.typedFingerprint();
        }
        return read.requireSigner(signedBy);
    }

    private int run(SignedBundle read) throws IOException {
        Home home = context.home();
        ImportRecords records = read.records();
        List<X509Certificate> path = requireSigner(read);
        Bundle bundle = read.bundle();
        Optional<Source> last = records.of(read.signerKey());
        requireInTime(bundle, read, last.orElse(null));
        PolicySet there = new PolicyStore(home).read();
        ImportPlan plan = new ImportPlan(home, there, bundle, records, read.signerKey(), replace);
        if (!plan.problems().isEmpty()) {
            throw CliException.failure("bundle: does not fit this home, nothing was changed")
                    .details(plan.problems())
                    .hint("compare the fingerprints with the sender; --replace takes the certificates and policies of"
                            + " the bundle, except for own identities");
        }
        // an older one that was allowed once opens the door to no other
        Instant latest =
                last.map(Source::time).filter(bundle.created()::isBefore).orElse(bundle.created());
        Source newest = Source.of(path, latest, read.digest(), plan.brought());
        // policies that the home has otherwise, and the bundle replaces, belong to no former signer
        ImportRecords owners = records.without(bundle.policies().policies().stream()
                .filter(policy -> !there.contains(policy))
                .map(policy -> Thing.policy(policy.pattern()))
                .toList());
        PolicyDifference difference = PolicyDifference.between(there, plan.policies());
        boolean changed = !plan.changes().isEmpty() || !difference.isEmpty();
        long version = there.version();
        if (!dryRun && (changed || !owners.with(newest).equals(records))) {
            version = plan.carryOut(owners, newest).version();
        }
        Answer answer = new Answer(
                dryRun,
                changed,
                BundleCommands.name(read.signer()),
                Fingerprint.of(read.signer()),
                bundle.created().toString(),
                plan.changes().stream()
                        .map(change -> new FileChange(change.entry().path(), change.word()))
                        .toList(),
                DifferenceText.answer(difference),
                version);
        report(answer, () -> lines(plan, difference, there.version(), answer));
        if (!json) {
            context.say("signed by " + read.claimedSigner());
        }
        warnOfOtherRecipient(bundle, home);
        return ExitCode.OK;
    }

    private void requireInTime(Bundle bundle, SignedBundle read, @Nullable Source last) {
        Instant now = context.shell().clock().instant();
        if (!now.isBefore(bundle.notAfter())) {
            throw CliException.failure(read.name() + ": ended at " + bundle.notAfter())
                    .hint("ask for a new one; signet bundle export --valid-for sets the end");
        }
        if (bundle.created().isAfter(now.plus(CLOCK_DIFFERENCE))) {
            throw CliException.failure(read.name() + ": from the future: it was made at " + bundle.created())
                    .hint("compare the clocks of both machines");
        }
        if (last != null
                && !last.digest().equals(read.digest())
                && !bundle.created().isAfter(last.time())
                && !allowOlder) {
            throw CliException.failure(read.name() + ": older than the bundle that was imported last: made at "
                            + bundle.created() + ", the last one at " + last.time())
                    .hint("ask for a new one; --allow-older brings back what was withdrawn since");
        }
    }

    private List<String> lines(ImportPlan plan, PolicyDifference difference, long before, Answer answer) {
        List<String> lines = new ArrayList<>();
        for (ImportPlan.Change change : plan.changes()) {
            Entry entry = change.entry();
            lines.add(entry.path() + ": " + change.word()
                    + (change.kind() == ImportPlan.Kind.REMOVED
                            ? ""
                            : ", " + String.join("; ", BundleCommands.words(entry))));
        }
        lines.addAll(DifferenceText.lines(difference));
        String step = difference.isEmpty()
                ? "policies as before"
                : "policies " + before + " -> " + (dryRun ? before + 1 : answer.version());
        lines.add(file + ": " + (lines.isEmpty() ? "nothing to do" : step + (dryRun ? " (not written)" : "")));
        return lines;
    }

    private void warnOfOtherRecipient(Bundle bundle, Home home) {
        Bundle.Consumer consumer = bundle.recipient();
        if (consumer == null) {
            return;
        }
        List<String> own = home.identityStore().names();
        boolean isHere = home.recipientDirectory().all().stream()
                .filter(entry -> own.contains(entry.name()))
                .map(Recipient::certificate)
                .map(KeyIdentifier::of)
                .anyMatch(key -> key.toString().equals(consumer.keyId()));
        if (!isHere) {
            context.warn("the bundle is for '" + consumer.name() + "' with the key "
                    + Failures.oneLine(consumer.keyId()) + ", and this home has no such identity");
        }
    }
}
