/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.certificate;

import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.bundle.Fingerprint;
import org.signetmq.cli.command.policy.ChangingCommand;
import org.signetmq.cli.command.policy.PolicyStore;
import org.signetmq.cli.command.policy.PolicyTarget;
import org.signetmq.cli.command.policy.TargetOptions;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.ImportedFiles;
import org.signetmq.cli.console.ImportedFiles.SourcePasswordOptions;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.cli.console.TextTable;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.enrolment.CertificateChange;
import org.signetmq.keystore.enrolment.IdentityImport;
import org.signetmq.keystore.enrolment.ImportFile;
import org.signetmq.keystore.enrolment.PartyFolder;
import org.signetmq.keystore.enrolment.PartyFolder.Trusting;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.IssuedCertificates;
import org.signetmq.keystore.home.PolicyCertificates;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.policy.text.NearestWord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands {@code signet certificate}. */
@Command(name = "certificate", description = "Adds, shows and removes certificates of other parties.")
public final class CertificateCommands extends Subcommand {
    /** The width of the labels of a certificate. */
    private static final int LABEL = 12;

    private static final String NAME = "The name of the party in the home or at the broker, as policies name it.";

    @Override
    public List<Class<?>> commands() {
        return List.of(Add.class, Listing.class, Remove.class);
    }

    /** The command {@code signet certificate add}. */
    @Command(
            name = "add",
            description = "Adds the certificate of a party. The home then encrypts for the party and recognises its "
                    + "signatures. A new certificate of the same name renews it, and the former ones stay. With --broker "
                    + "the broker keeps it with its policies.",
            footer = {
                "  signet certificate add bob --in bob.pem",
                "  signet certificate add bob --in bob.p7b --untrusted",
                "  signet certificate add bob --in bob.pem --broker tcp://localhost:61616 --user admin",
                "  signet certificate add bob --in bob.pem --replace --broker tcp://localhost:61616 --user admin",
            })
    static final class Add extends ChangingCommand {
        @Parameters(paramLabel = "NAME", description = NAME)
        private String name = "";

        @Option(
                names = "--in",
                required = true,
                paramLabel = "FILE",
                description =
                        "A PEM, DER, PKCS#7, PKCS#12 or JKS file with the certificate, and perhaps its issuers; - is standard input; "
                                + "repeatable.")
        private List<Path> files = List.of();

        @Mixin
        private final SourcePasswordOptions sourcePassword = new SourcePasswordOptions();

        @Option(
                names = "--untrusted",
                description = "Add it before this home trusts it. Messages for it are rejected until then.")
        private boolean untrusted;

        @Option(
                names = "--replace",
                description = "At a broker, let it take the place of a certificate for another key.")
        private boolean replace;

        @Override
        public Integer call() throws IOException {
            boolean atBroker = targets.isBroker(context);
            if (atBroker && untrusted) {
                throw CliException.usage("--untrusted: not with --broker, which warns of a certificate without trust");
            }
            if (!atBroker && (dryRun || replace)) {
                throw CliException.usage((replace ? "--replace" : "--dry-run") + ": only with --broker");
            }
            List<ImportFile> read =
                    sourcePassword.certificates(context, ImportedFiles.read(context, files, ImportFile.MAX_BYTES));
            if (atBroker) {
                store(PartyFolder.certificates(read, context.shell().clock().instant()));
                return ExitCode.OK;
            }
            Home home = context.home();
            CertificateChange change = added(home, read);
            report(
                    CertificateView.of(change.certificate()),
                    () -> CertificateView.lines(name, change).lines());
            change.untrusted()
                    .ifPresent(problem -> context.warn("messages for " + name
                            + " are rejected until this home trusts it: " + Failures.oneLine(problem)));
            List<String> namesakes = IdentityImport.namesakes(home, change.certificate());
            if (!namesakes.isEmpty()) {
                context.warn("the same distinguished name with another key has: " + String.join(", ", namesakes)
                        + "; policies must name each by its name");
            }
            return ExitCode.OK;
        }

        private void store(List<X509Certificate> made) throws IOException {
            IdentityStore.requireName(name);
            change(
                    targets.existing(context),
                    "certificate '" + name + "'",
                    (before, known) -> {
                        Map<String, String> all =
                                new LinkedHashMap<>(before.settings().certificates());
                        all.put(name, renewed(all.get(name), made));
                        return with(before, all);
                    },
                    (prefix, applied) -> {
                        boolean isNew =
                                !applied.before().settings().certificates().containsKey(name);
                        CertificateView view = CertificateView.of(made.get(0));
                        List<String> lines = new ArrayList<>(
                                view.in(new LabelledLines(LABEL)).lines());
                        lines.add(name + ": certificate " + (isNew ? "added" : "renewed"));
                        show(prefix, lines, applied, view);
                    });
        }

        /** Returns the entry with these certificates in front of those that it has. */
        private String renewed(@Nullable String entry, List<X509Certificate> made) {
            List<X509Certificate> there = entry == null ? List.of() : PolicyCertificates.parse(entry);
            if (!there.isEmpty() && there.get(0).equals(made.get(0)) && there.containsAll(made)) {
                return String.valueOf(entry);
            }
            if (!there.isEmpty() && !replace && !PublicKeyInfo.of(there.get(0)).equals(PublicKeyInfo.of(made.get(0)))) {
                throw CliException.failure("certificate '" + name + "': the broker keeps one for another key, ski:"
                                + KeyIdentifier.ofKey(there.get(0)))
                        .hint(
                                "if the party has a new key, add --replace; signatures of the former key stay accepted until"
                                        + " signet certificate remove");
            }
            List<X509Certificate> all = new ArrayList<>(
                    PartyFolder.renewed(made, there, context.shell().clock().instant()));
            String text = PolicyCertificates.text(all);
            for (int i = all.size() - 1; text.length() > PolicyFile.LONGEST_CERTIFICATE && i > 0; i--) {
                if (!made.contains(all.get(i))) { // the oldest goes first
                    all.remove(i);
                    text = PolicyCertificates.text(all);
                }
            }
            return text;
        }

        private CertificateChange added(Home home, List<ImportFile> read) {
            PartyFolder parties = new PartyFolder(home, context.shell().clock());
            try {
                return parties.add(name, read, untrusted ? Trusting.OPTIONAL : Trusting.REQUIRED);
            } catch (PartyFolder.UntrustedException e) {
                boolean selfSigned = e.certificate()
                        .getSubjectX500Principal()
                        .equals(e.certificate().getIssuerX500Principal());
                CertificateView view = CertificateView.of(e.certificate());
                throw CliException.failure(String.valueOf(e.getMessage()))
                        .details(List.of("certificate '" + name + "': SHA-256 fingerprint " + view.sha256()
                                + (selfSigned ? "" : ", issued by " + view.issuer())))
                        .hint(
                                selfSigned
                                        ? "compare the fingerprint with its owner, then: signet trust add " + name
                                                + " --in FILE"
                                        : "trust its root first: signet trust add ROOT --in FILE; or add it by"
                                                + " --untrusted")
                        .causedBy(e);
            }
        }
    }

    private static PolicySet with(PolicySet before, Map<String, String> certificates) {
        return PolicySet.of(before.version() + 1, before.settings().withCertificates(certificates), before.policies());
    }

    /** The command {@code signet certificate list}. */
    @Command(
            name = "list",
            description =
                    "Lists the certificates of parties, and whether this home trusts them. With --broker it lists "
                            + "those of the broker's home and those that the broker keeps with its policies.",
            footer = {
                "  signet certificate list",
                "  signet certificate list --json",
                "  signet certificate list --issued",
                "  signet certificate list --broker tcp://localhost:61616 --user admin",
            })
    static final class Listing extends ReportingCommand {
        /**
         * A certificate that an issuing identity of the home issued.
         *
         * @param serialNumber in hex, as {@code openssl x509 -serial} prints it
         * @param hasEnded whether its time is over
         * @param issuerKeyId the key id of the issuer's key in hex, by which keys of the same name differ; null if the
         *     certificate does not name it
         */
        private record IssuedRow(
                String serialNumber,
                boolean hasEnded,
                @Nullable String issuerKeyId,
                CertificateView certificate) {
            /** Returns the certificates that a home has issued, sorted by name and end. */
            static List<IssuedRow> all(Home home, Clock clock) {
                IssuedCertificates record = new IssuedCertificates(home, clock);
                return record.all().stream()
                        .map(made -> new IssuedRow(
                                made.getSerialNumber().toString(16),
                                record.hasEnded(made),
                                KeyIdentifier.ofIssuer(made)
                                        .map(KeyIdentifier::toString)
                                        .orElse(null),
                                CertificateView.of(made)))
                        .sorted(Comparator.comparing(
                                        (IssuedRow row) -> row.certificate().dn())
                                .thenComparing(row -> row.certificate().notAfter())
                                .thenComparing(IssuedRow::serialNumber))
                        .toList();
            }

            static List<String> lines(List<IssuedRow> rows) {
                TextTable table =
                        TextTable.of("SERIAL NUMBER", "DN", "ISSUER", "ISSUER KEY ID", "KEY ID", "NOT AFTER", "ENDED");
                rows.forEach(row -> table.row(
                        row.serialNumber(),
                        row.certificate().dn(),
                        row.certificate().issuer(),
                        Objects.requireNonNullElse(row.issuerKeyId(), ""),
                        row.certificate().keyId(),
                        row.certificate().notAfter(),
                        row.hasEnded() ? "yes" : "no"));
                return table.lines();
            }
        }

        private record Row(String name, boolean isTrusted, String problem, int former, CertificateView certificate) {}

        @Option(
                names = "--issued",
                description = "List the certificates that this home has issued, not those of parties.")
        private boolean issued;

        @Mixin
        private final TargetOptions targets = new TargetOptions();

        @Override
        public Integer call() throws IOException {
            if (targets.isBroker(context)) {
                if (issued) {
                    throw CliException.usage("--issued: not with --broker; a home knows what it issued");
                }
                List<PolicyTarget.Party> parties = targets.existing(context).only(PolicyTarget::known);
                report(Map.of("parties", parties), () -> {
                    TextTable table = TextTable.of("NAME", "SOURCE", "DN", "NOT AFTER", "FORMER", "KEY ID");
                    parties.forEach(party -> table.row(
                            party.name(),
                            party.source(),
                            party.dn(),
                            party.notAfter(),
                            Integer.toString(party.former()),
                            party.keyId()));
                    return table.lines();
                });
                return ExitCode.OK;
            }
            Home home = context.existingHome();
            if (issued) {
                List<IssuedRow> made = IssuedRow.all(home, context.shell().clock());
                report(Map.of("issued", made), () -> IssuedRow.lines(made));
                return ExitCode.OK;
            }
            CertificateTrust trust = home.certificateTrust();
            List<Recipient> former = home.recipientDirectory().former();
            List<Row> rows = home.recipientDirectory().all().stream()
                    .map(party -> row(party, former, trust))
                    .toList();
            report(Map.of("certificates", rows), () -> {
                TextTable table = TextTable.of("NAME", "DN", "NOT AFTER", "FORMER", "TRUSTED", "SHA-256");
                rows.forEach(row -> table.row(
                        row.name(),
                        row.certificate().dn(),
                        row.certificate().notAfter(),
                        Integer.toString(row.former()),
                        row.isTrusted() ? "yes" : "no",
                        row.certificate().sha256()));
                return table.lines();
            });
            return ExitCode.OK;
        }

        private Row row(Recipient party, List<Recipient> former, CertificateTrust trust) {
            String problem = problem(party, trust, context.shell().clock().instant());
            int count = (int) former.stream()
                    .filter(entry -> entry.name().equals(party.name()))
                    .count();
            return new Row(party.name(), problem.isEmpty(), problem, count, CertificateView.of(party.certificate()));
        }

        /** Returns the reason why the home does not trust a party for any use; empty if it does. */
        private static String problem(Recipient party, CertificateTrust trust, Instant now) {
            String problem = "";
            for (CertificateUse use : List.of(CertificateUse.SIGNING, CertificateUse.RECEIVING)) {
                try {
                    trust.check(party.certificate(), List.of(), use, now);
                    return "";
                } catch (CertificateRejectedException | KeystoreUnusableException e) {
                    problem = problem.isEmpty() ? Failures.inWords(e) : problem;
                }
            }
            return problem;
        }
    }

    /** The command {@code signet certificate remove}. */
    @Command(
            name = "remove",
            description = "Removes the certificates of a party. Refuses while a policy names it.",
            footer = {
                "  signet certificate remove bob",
                "  signet certificate remove bob --broker tcp://localhost:61616 --user admin --dry-run",
            })
    static final class Remove extends ChangingCommand {
        @Parameters(paramLabel = "NAME", description = NAME)
        private String name = "";

        @Option(
                names = "--force",
                description = "Remove it even if policies name it. Their messages are rejected then.")
        private boolean force;

        @Override
        public Integer call() throws IOException {
            if (targets.isBroker(context)) {
                if (force) {
                    throw CliException.usage(
                            "--force: not with --broker; change the policies that name the party first");
                }
                change(
                        targets.existing(context),
                        "certificate '" + name + "'",
                        (before, known) -> without(before),
                        (prefix, applied) -> show(prefix, List.of(name + ": certificate removed"), applied, null));
                return ExitCode.OK;
            }
            if (dryRun) {
                throw CliException.usage("--dry-run: only with --broker");
            }
            Home home = context.existingHome();
            List<String> needing = PolicyReferences.of(home).ofParty(name);
            boolean isThere = home.recipientDirectory().all().stream()
                    .anyMatch(party -> party.name().equals(name));
            if (isThere && !needing.isEmpty() && !force) {
                throw PolicyReferences.refusal("certificate '" + name + "'", needing);
            }
            try {
                new PartyFolder(home, context.shell().clock()).remove(name);
            } catch (KeystoreUnusableException e) {
                throw CliException.failure(String.valueOf(e.getMessage()))
                        .hint("signet certificate list shows those that are there")
                        .causedBy(e);
            }
            report(Map.of("removed", name), () -> List.of(name + ": certificate removed"));
            if (!needing.isEmpty()) {
                context.warn("policies still name " + name + ": " + String.join(", ", needing));
            }
            return ExitCode.OK;
        }

        private PolicySet without(PolicySet before) {
            Map<String, String> left = new LinkedHashMap<>(before.settings().certificates());
            if (left.remove(name) == null) {
                throw CliException.failure("certificate '" + name + "': not one that the broker keeps with its policies"
                                + NearestWord.nameHint(name, left.keySet()))
                        .hint("signet certificate list --broker shows those that are there");
            }
            return with(before, left);
        }
    }

    /**
     * A certificate as the commands show it.
     *
     * @param sha256 the fingerprint, as {@code openssl x509 -fingerprint -sha256} prints it
     */
    public record CertificateView(String dn, String issuer, String notAfter, String keyId, String sha256) {
        private static final Map<CertificateChange.Kind, String> RESULTS = Map.of(
                CertificateChange.Kind.NEW, "added",
                CertificateChange.Kind.RENEWED, "renewed; the former certificates stay",
                CertificateChange.Kind.NONE, "nothing to do");

        /** Returns the view of a certificate. */
        public static CertificateView of(X509Certificate certificate) {
            return new CertificateView(
                    Failures.oneLine(DistinguishedName.shown(certificate.getSubjectX500Principal())),
                    Failures.oneLine(DistinguishedName.shown(certificate.getIssuerX500Principal())),
                    certificate
                            .getNotAfter()
                            .toInstant()
                            .truncatedTo(ChronoUnit.SECONDS)
                            .toString(),
                    KeyIdentifier.ofKey(certificate).toString(),
                    Fingerprint.of(certificate));
        }

        /** Returns a change as lines: the result, then the fields by which a user compares the certificate. */
        public static LabelledLines lines(String name, CertificateChange change) {
            return of(change.certificate())
                    .in(new LabelledLines(LABEL).add("name", name).add("result", RESULTS.get(change.kind())));
        }

        private LabelledLines in(LabelledLines lines) {
            return lines.add("dn", dn)
                    .add("issuer", issuer)
                    .add("not after", notAfter)
                    .add("key id", keyId)
                    .add("sha-256", sha256);
        }
    }

    /** Finds the policies of a home that name a certificate, for recovery too. */
    public record PolicyReferences(PolicySet policies, RecipientDirectory directory) {
        private static final int MOST = 20;
        private static final String RECOVERY = "(recovery)";

        /** Returns those of a home. */
        public static PolicyReferences of(Home home) throws IOException {
            return new PolicyReferences(new PolicyStore(home).read(), home.recipientDirectory());
        }

        /**
         * Returns the patterns of policies that name a party by its name, its distinguished name or its key. The
         * recovery recipients are last, in brackets.
         */
        public List<String> ofParty(String name) {
            return matching(selector -> selector.equals(name) || standsFor(selector, name));
        }

        /** Returns the patterns of policies that name signers by a certificate in {@code trust/}. */
        public List<String> ofIssuer(String name) {
            Pattern issued = Pattern.compile(".*;\\s*issuer\\s*=\\s*" + Pattern.quote(name) + "\\s*", Pattern.DOTALL);
            return matching(selector -> issued.matcher(selector).matches());
        }

        private List<String> matching(Predicate<String> isMeant) {
            Stream<String> patterns = policies.policies().stream()
                    .filter(policy -> selectors(policy).anyMatch(isMeant))
                    .map(Policy::pattern);
            Stream<String> recovery =
                    policies.recovery().stream().anyMatch(isMeant) ? Stream.of(RECOVERY) : Stream.empty();
            return Stream.concat(patterns, recovery).toList();
        }

        private static Stream<String> selectors(Policy policy) {
            return Stream.of(
                            policy.encryption().recipients(),
                            policy.signing().signers(),
                            policy.signing().brokers())
                    .flatMap(List::stream);
        }

        private boolean standsFor(String selector, String name) {
            if (Policy.isByAddress(selector)) {
                return Policy.namesByAddress(selector).test(name);
            }
            try {
                return directory
                        .find(selector)
                        .filter(found -> found.name().equals(name))
                        .isPresent();
            } catch (KeystoreUnusableException e) {
                return false; // several keys have the distinguished name, so it stands for none of them
            }
        }

        /** Refuses the removal of something that policies name. */
        public static CliException refusal(String what, List<String> patterns) {
            String shown = String.join(", ", patterns.subList(0, Math.min(MOST, patterns.size())));
            int more = patterns.size() - MOST;
            return CliException.failure(
                            what + ": policies need it: " + shown + (more > 0 ? " and " + more + " more" : ""))
                    .hint(
                            "change these policies first; --force removes it all the same, and messages are rejected then");
        }
    }
}
