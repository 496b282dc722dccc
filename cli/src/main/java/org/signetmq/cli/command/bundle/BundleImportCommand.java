/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.bundle.ImportRecords.Source;
import org.signetmq.cli.command.bundle.ImportRecords.Thing;
import org.signetmq.cli.command.bundle.document.Bundle;
import org.signetmq.cli.command.bundle.document.Fingerprint;
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
import picocli.CommandLine.Mixin;
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

    @Mixin
    private final SignerOption signer = new SignerOption();

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
    public Integer call() throws IOException {
        Home home = context.home();
        ImportRecords known = ImportRecords.read(home);
        BundleFile read = BundleFile.read(
                file,
                context.resolve(file),
                home,
                known.certificates(),
                context.shell().clock());
        if (dryRun) {
            return run(read, home, null);
        }
        signer.require(read, known, context); // before a folder is made for a stranger
        try (HomeUpdate update = new HomeUpdate(home)) {
            return run(read, home, update);
        }
    }

    private int run(BundleFile read, Home home, @Nullable HomeUpdate update) throws IOException {
        ImportRecords records = ImportRecords.read(home);
        List<X509Certificate> path = signer.require(read, records, context);
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
                last.map(Source::created).filter(bundle.created()::isBefore).orElse(bundle.created());
        Source newest = new Source(read.signerKey(), path, false, latest, read.digest(), plan.brought());
        // policies that the home has otherwise, and the bundle replaces, belong to no former signer
        ImportRecords owners = records.without(bundle.policies().policies().stream()
                .filter(policy -> !there.contains(policy))
                .map(policy -> Thing.policy(policy.pattern()))
                .toList());
        PolicyDifference difference = PolicyDifference.between(there, plan.policies());
        boolean changes = !plan.changes().isEmpty() || !difference.isEmpty();
        PolicySet written = there;
        if (update != null && (changes || !owners.with(newest).equals(records))) {
            written = update.write(plan, owners, newest);
        }
        show(read, bundle, plan, new Policies(there, written, difference));
        warnOfOtherRecipient(bundle, home);
        return ExitCode.OK;
    }

    /**
     * The policies of a home.
     *
     * @param difference what the import changes
     */
    private record Policies(PolicySet before, PolicySet after, PolicyDifference difference) {}

    private void requireInTime(Bundle bundle, BundleFile read, @Nullable Source last) {
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
                && !bundle.created().isAfter(last.created())
                && !allowOlder) {
            throw CliException.failure(read.name() + ": older than the bundle that was imported last: made at "
                            + bundle.created() + ", the last one at " + last.created())
                    .hint("ask for a new one; --allow-older brings back what was withdrawn since");
        }
    }

    private void show(BundleFile read, Bundle bundle, ImportPlan plan, Policies policies) {
        boolean changed = !plan.changes().isEmpty() || !policies.difference().isEmpty();
        report(
                new Answer(
                        dryRun,
                        changed,
                        BundleText.name(read.signer()),
                        Fingerprint.of(read.signer()),
                        bundle.created().toString(),
                        plan.changes().stream()
                                .map(change -> new FileChange(change.entry().path(), word(change)))
                                .toList(),
                        DifferenceText.answer(policies.difference()),
                        policies.after().version()),
                () -> lines(read, bundle, plan, policies));
        if (!json) {
            context.say("signed by " + read.claimedSigner());
        }
    }

    private List<String> lines(BundleFile read, Bundle bundle, ImportPlan plan, Policies policies) {
        List<String> lines = new ArrayList<>();
        Map<String, List<String>> content = new HashMap<>();
        BundleText.content(bundle)
                .forEach(line -> content.computeIfAbsent(line.replaceFirst(": .*", ""), key -> new ArrayList<>())
                        .add(line.replaceFirst("^[^:]*: ", "")));
        for (ImportPlan.Change change : plan.changes()) {
            String path = change.entry().path();
            lines.add(path + ": " + word(change)
                    + (change.kind() == ImportPlan.Kind.REMOVED
                            ? ""
                            : ", " + String.join("; ", content.getOrDefault(path, List.of()))));
        }
        lines.addAll(DifferenceText.lines(policies.difference()));
        boolean isEmpty = lines.isEmpty();
        String step = policies.difference().isEmpty()
                ? "policies as before"
                : "policies " + policies.before().version() + " -> "
                        + (dryRun
                                ? policies.before().version() + 1
                                : policies.after().version());
        lines.add(read.name() + ": " + (isEmpty ? "nothing to do" : step + (dryRun ? " (not written)" : "")));
        return lines;
    }

    private static String word(ImportPlan.Change change) {
        return change.kind().name().toLowerCase(Locale.ROOT);
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
