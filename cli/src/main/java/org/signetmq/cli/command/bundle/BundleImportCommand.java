/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.bundle.Bundle.Entry;
import org.signetmq.cli.command.bundle.Bundle.Folder;
import org.signetmq.cli.command.bundle.ImportRecords.Source;
import org.signetmq.cli.command.bundle.ImportRecords.Thing;
import org.signetmq.cli.command.policy.PolicyStore;
import org.signetmq.cli.command.policy.PolicyText.DifferenceText;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.enrolment.RevocationFolder;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.Policy;
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
        if (!plan.problems.isEmpty()) {
            throw CliException.failure("bundle: does not fit this home, nothing was changed")
                    .details(plan.problems)
                    .hint("compare the fingerprints with the sender; --replace takes the certificates and policies of"
                            + " the bundle, except for own identities");
        }
        // an older one that was allowed once opens the door to no other
        Instant latest =
                last.map(Source::time).filter(bundle.created()::isBefore).orElse(bundle.created());
        Source newest = Source.of(path, latest, read.digest(), plan.brought);
        // policies that the home has otherwise, and the bundle replaces, belong to no former signer
        ImportRecords owners = records.without(bundle.policies().policies().stream()
                .filter(policy -> !there.contains(policy))
                .map(policy -> Thing.policy(policy.pattern()))
                .toList());
        PolicyDifference difference = PolicyDifference.between(there, plan.policies);
        boolean changed = !plan.changes.isEmpty() || !difference.isEmpty();
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
                plan.changes.stream()
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
        for (ImportPlan.Change change : plan.changes) {
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

    /**
     * What an import makes of a home, and why it may not. What the signer's earlier bundle brought goes or changes with
     * it. A user's own identities, and what others brought, stay. What the home has already, and no bundle brought,
     * stays the home's own. Not thread-safe.
     */
    static final class ImportPlan {
        private static final int MOST_BYTES = 64 << 20;

        private final Home home;
        private final Set<String> identities;
        private final ImportRecords records;
        /** What came with the signer's earlier bundle alone. */
        private final Set<Thing> own;

        private final boolean mayReplace;
        private final List<Change> changes = new ArrayList<>();
        private final Set<Thing> brought = new LinkedHashSet<>();
        private final List<String> problems = new ArrayList<>();
        private final PolicySet policies;

        /** The ways to change a file. */
        enum Kind {
            NEW,
            REPLACED,
            REMOVED
        }

        /**
         * One file.
         *
         * @param entry the new content, or the content that goes
         */
        record Change(Kind kind, Entry entry) {
            /** Returns the participle for the change. */
            String word() {
                return kind.name().toLowerCase(Locale.ROOT);
            }
        }

        /**
         * Plans an import.
         *
         * @param there the policies of the home
         * @param signer the fingerprint of the signer's key
         * @param mayReplace whether the bundle may change what it did not bring, too
         */
        ImportPlan(Home home, PolicySet there, Bundle bundle, ImportRecords records, String signer, boolean mayReplace)
                throws IOException {
            this.home = home;
            this.identities = Set.copyOf(home.identityStore().names());
            this.records = records;
            this.own = records.ofAlone(signer);
            this.mayReplace = mayReplace;
            List<X509Certificate> trusted = Folder.TRUST.read(home).values().stream()
                    .flatMap(found -> found.certificates().stream())
                    .toList();
            for (Folder folder : Folder.values()) {
                planFiles(folder.read(home), bundle, folder, trusted);
            }
            this.policies = merged(there, bundle.policies());
        }

        private void planFiles(Map<String, Entry> there, Bundle bundle, Folder folder, List<X509Certificate> trusted) {
            Set<String> kept = new HashSet<>();
            for (Entry entry : bundle.entries()) {
                if (entry.folder() == folder) {
                    kept.add(entry.name());
                    add(entry, there, trusted);
                }
            }
            for (Entry entry : there.values()) {
                if (!kept.contains(entry.name()) && own.contains(Thing.of(entry)) && !isIdentity(entry)) {
                    changes.add(new Change(Kind.REMOVED, entry));
                }
            }
        }

        private boolean isIdentity(Entry entry) {
            return entry.folder() != Folder.CRL && identities.contains(entry.name());
        }

        private void add(Entry entry, Map<String, Entry> there, List<X509Certificate> trusted) {
            Entry found = there.get(entry.name());
            if (entry.equals(found)) {
                bring(Thing.of(entry), true);
                return;
            }
            Optional<String> other = there.keySet().stream()
                    .filter(name -> name.equalsIgnoreCase(entry.name()) && !name.equals(entry.name()))
                    .findFirst();
            if (isIdentity(entry)) {
                problems.add(entry.path() + ": '" + entry.name() + "' is an identity of this home, and the bundle has"
                        + " another certificate for it, SHA-256 " + entry.fingerprint());
            } else if (other.isPresent()) {
                problems.add(entry.path() + ": this home has '" + other.get()
                        + "', and some file systems take both names for one");
            } else if (found == null || mayReplace || isLaterList(found, entry, trusted)) {
                changes.add(new Change(found == null ? Kind.NEW : Kind.REPLACED, entry));
                bring(Thing.of(entry), false);
            } else {
                problems.add(entry.path() + ": differs: SHA-256 " + found.fingerprint() + " in this home, "
                        + entry.fingerprint() + " in the bundle");
            }
        }

        private void bring(Thing thing, boolean isThere) {
            if (!isThere || records.has(thing)) {
                brought.add(thing);
            }
        }

        /** Returns whether a revocation list is a later one of the same issuer and part, which the home trusts. */
        private static boolean isLaterList(Entry before, Entry after, List<X509Certificate> trusted) {
            if (after.folder() != Folder.CRL
                    || before.encoded().size() != 1
                    || after.encoded().size() != 1) {
                return false;
            }
            X509CRL old = Bundle.revocationList(before.decoded().get(0));
            X509CRL now = Bundle.revocationList(after.decoded().get(0));
            return RevocationFolder.isForSameCertificates(old, now)
                    && now.getThisUpdate()
                            .toInstant()
                            .isAfter(old.getThisUpdate().toInstant())
                    && trusted.stream().anyMatch(issuer -> isSigned(old, issuer) && isSigned(now, issuer));
        }

        private static boolean isSigned(X509CRL list, X509Certificate issuer) {
            try {
                list.verify(issuer.getPublicKey());
                return list.getIssuerX500Principal().equals(issuer.getSubjectX500Principal());
            } catch (GeneralSecurityException e) {
                return false;
            }
        }

        /** Returns the policies of the home with those of the bundle; those of the home if they do not fit. */
        private PolicySet merged(PolicySet there, PolicySet bundle) {
            int before = problems.size();
            boolean isAllOwned = there.policies().stream()
                    .map(Policy::pattern)
                    .map(Thing::policy)
                    .allMatch(own::contains);
            boolean isRecoveryOwned =
                    isAllOwned && there.recovery().stream().map(Thing::recovery).allMatch(own::contains);
            if (!isAllOwned && !there.wildcards().equals(bundle.wildcards())) {
                problems.add("policies: the wildcards of the bundle ("
                        + bundle.wildcards().describe() + ") are not those of the home ("
                        + there.wildcards().describe() + ")");
            }
            if (!isAllOwned && there.unmatched() != bundle.unmatched() && !mayReplace) {
                problems.add("policies: addresses without a policy "
                        + there.unmatched().label() + " in this home, and "
                        + bundle.unmatched().label() + " in the bundle");
            }
            if (!isRecoveryOwned && !there.recovery().equals(bundle.recovery()) && !mayReplace) {
                problems.add("policies: the recovery recipients of the bundle (" + list(bundle.recovery())
                        + ") are not those of the home (" + list(there.recovery()) + ")");
            }
            Map<String, Policy> merged = new LinkedHashMap<>();
            there.policies().stream()
                    .filter(policy -> !own.contains(Thing.policy(policy.pattern())))
                    .forEach(policy -> merged.put(policy.pattern(), policy));
            for (Policy policy : bundle.policies()) {
                Policy other = merged.put(policy.pattern(), policy);
                if (other != null && !other.equals(policy) && !mayReplace) {
                    problems.add("policies: '" + Failures.oneLine(policy.pattern())
                            + "' is set in this home otherwise, and not by an earlier bundle of this signer");
                }
                bring(Thing.policy(policy.pattern()), there.contains(policy));
            }
            bundle.recovery()
                    .forEach(
                            name -> bring(Thing.recovery(name), there.recovery().contains(name)));
            return problems.size() == before
                    ? PolicySet.of(
                            there.version(),
                            bundle.settings()
                                    .withUsers(there.settings().users())
                                    .withCertificates(there.settings().certificates()), // a bundle has files for these
                            List.copyOf(merged.values()))
                    : there;
        }

        private static String list(List<String> names) {
            return names.isEmpty() ? "none" : Failures.oneLine(String.join("; ", names));
        }

        /**
         * Writes the import: all of it, or nothing. The policies follow the certificates. The record says first what
         * belongs to the signer, and last which bundle is in the home. A failure undoes what was done. After a loss of
         * power in between, the same import completes it.
         *
         * @param before what the home records of other signers
         * @param newest the record of this import
         * @return the policies that the home has after it
         */
        PolicySet carryOut(ImportRecords before, Source newest) throws IOException {
            Deque<Undo> done = new ArrayDeque<>();
            try {
                keep(ImportRecords.file(home), done);
                before.before(newest).write(home);
                for (Change change : changes) {
                    write(change, done);
                }
                keep(new WholeFile(home.policies()), done);
                PolicySet written = new PolicyStore(home).replace(policies, policies.version());
                before.with(newest).write(home);
                return written;
            } catch (IOException | RuntimeException e) {
                while (!done.isEmpty()) {
                    try {
                        done.pop().run();
                    } catch (IOException | RuntimeException further) {
                        e.addSuppressed(further); // the others are undone all the same
                    }
                }
                throw e;
            }
        }

        /** Takes back one step. */
        private interface Undo {
            void run() throws IOException;
        }

        private void write(Change change, Deque<Undo> done) throws IOException {
            Entry entry = change.entry();
            Path target = home.root().resolve(entry.path());
            if (change.kind() != Kind.REMOVED) {
                WholeFile.makeFolder(target.resolveSibling(""));
                Set<PosixFilePermission> permissions = keep(new WholeFile(target), done);
                new WholeFile(target).write(entry.pem(), permissions);
            }
            for (Path there : entry.folder().files(home)) { // perhaps of another extension
                boolean isWritten = change.kind() != Kind.REMOVED && there.equals(target);
                if (Folder.name(there).equals(entry.name()) && !isWritten) {
                    keep(new WholeFile(there), done);
                    new WholeFile(there).delete();
                }
            }
        }

        /** Keeps the content of a file, and returns its permissions. */
        private static Set<PosixFilePermission> keep(WholeFile file, Deque<Undo> done) throws IOException {
            Optional<byte[]> before = file.read(MOST_BYTES);
            Set<PosixFilePermission> permissions = file.permissionsOr(WholeFile.READABLE);
            done.push(before.isEmpty() ? file::delete : () -> file.write(before.get(), permissions));
            return permissions;
        }
    }
}
