/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.certificate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.certificate.CertificateCommands.CertificateView;
import org.signetmq.cli.command.certificate.CertificateCommands.PolicyReferences;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.ImportedFiles;
import org.signetmq.cli.console.ImportedFiles.SourcePasswordOptions;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.cli.console.TextTable;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.enrolment.CertificateChange;
import org.signetmq.keystore.enrolment.ImportFile;
import org.signetmq.keystore.enrolment.RevocationFolder;
import org.signetmq.keystore.enrolment.TrustFolder;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.trust.CertificateTrust;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands {@code signet trust}. */
@Command(name = "trust", description = "Adds, shows and removes trusted issuers and revocation lists.")
public final class TrustCommands extends Subcommand {
    private static final String NAME = "The name of the issuer or party in this home.";

    @Override
    public List<Class<?>> commands() {
        return List.of(Add.class, Listing.class, Remove.class);
    }

    /** The command {@code signet trust add}. */
    @Command(
            name = "add",
            description =
                    "Trusts an issuer (CA), or the self-signed certificate of a party; or adds the revocation list of a "
                            + "trusted issuer. Compare the printed fingerprint with its owner. A new certificate of the same name "
                            + "renews it, and the former ones stay.",
            footer = {
                "  signet trust add corp-root --in corp-root.pem",
                "  signet trust add corp-root --in corp-root.crl",
            })
    static final class Add extends Subcommand {
        @Parameters(paramLabel = "NAME", description = NAME)
        private String name = "";

        @Option(
                names = "--in",
                required = true,
                paramLabel = "FILE",
                description =
                        "A PEM, DER, PKCS#7, PKCS#12 or JKS file with the certificate, or a PEM or DER file with revocation lists; - "
                                + "is standard input; repeatable.")
        private List<Path> files = List.of();

        @Mixin
        private final SourcePasswordOptions sourcePassword = new SourcePasswordOptions();

        @Override
        public Integer call() throws IOException {
            Home home = context.home();
            List<ImportFile> read =
                    sourcePassword.certificates(context, ImportedFiles.read(context, files, ImportFile.MAX_LIST_BYTES));
            if (read.stream().anyMatch(ImportFile::hasRevocationList)) {
                addLists(home, read);
            } else {
                addCertificate(home, read);
            }
            return ExitCode.OK;
        }

        private void addCertificate(Home home, List<ImportFile> read) {
            CertificateChange change = new TrustFolder(home, context.shell().clock()).add(name, read);
            CertificateView.lines(name, change).lines().forEach(context::print);
            change.ignored()
                    .forEach(other -> context.say("not trusted by itself: "
                            + Failures.oneLine(DistinguishedName.shown(other.getSubjectX500Principal()))));
        }

        private void addLists(Home home, List<ImportFile> read) {
            List<X509CRL> added = new RevocationFolder(home, context.shell().clock()).add(name, read);
            if (added.isEmpty()) {
                context.print(name + ": nothing to do");
            }
            added.forEach(list -> context.print("%s: revocation list of %s, %d revoked, next update %s"
                    .formatted(
                            name,
                            Failures.oneLine(DistinguishedName.shown(list.getIssuerX500Principal())),
                            count(list),
                            list.getNextUpdate().toInstant())));
        }
    }

    /** The command {@code signet trust list}. */
    @Command(
            name = "list",
            description = "Lists the trusted certificates and the revocation lists.",
            footer = {"  signet trust list", "  signet trust list --json"})
    static final class Listing extends ReportingCommand {
        /**
         * A trusted certificate in the answer of {@code signet trust list}.
         *
         * @param kind {@code root}, {@code issuer} below a root, or {@code party}
         */
        private record Row(String name, String kind, CertificateView certificate) {}

        /**
         * A revocation list in the answer.
         *
         * @param nextUpdate null if it has none
         */
        private record ListRow(
                String name,
                String issuer,
                String thisUpdate,
                @Nullable String nextUpdate,
                int revoked) {}

        /** The whole answer. */
        private record Answer(List<Row> certificates, List<ListRow> revocationLists) {
            List<String> lines() {
                TextTable table = TextTable.of("NAME", "KIND", "DN", "NOT AFTER", "SHA-256");
                certificates.forEach(row -> table.row(
                        row.name(),
                        row.kind(),
                        row.certificate().dn(),
                        row.certificate().notAfter(),
                        row.certificate().sha256()));
                List<String> lines = new ArrayList<>(table.lines());
                if (!revocationLists.isEmpty()) {
                    TextTable lists =
                            TextTable.of("REVOCATION LIST", "ISSUER", "THIS UPDATE", "NEXT UPDATE", "REVOKED");
                    revocationLists.forEach(row -> lists.row(
                            row.name(),
                            row.issuer(),
                            row.thisUpdate(),
                            row.nextUpdate() == null ? "-" : row.nextUpdate(),
                            Integer.toString(row.revoked())));
                    lines.add("");
                    lines.addAll(lists.lines());
                }
                return lines;
            }
        }

        private static Answer answer(Home home) throws IOException {
            List<Row> certificates = home.certificateTrust().trusted().stream()
                    .map(entry ->
                            new Row(entry.name(), kind(entry.certificate()), CertificateView.of(entry.certificate())))
                    .toList();
            return new Answer(certificates, lists(home));
        }

        private static String kind(X509Certificate certificate) {
            if (certificate.getBasicConstraints() < 0) {
                return "party";
            }
            return certificate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal())
                    ? "root"
                    : "issuer";
        }

        private static List<ListRow> lists(Home home) throws IOException {
            List<Path> files;
            try (Stream<Path> found = Files.list(home.crl())) {
                files = found.filter(
                                file -> String.valueOf(file.getFileName()).matches("[^.].*\\.(pem|crl|der|crt|cer)"))
                        .sorted()
                        .toList();
            } catch (NoSuchFileException e) {
                return List.of();
            }
            List<ListRow> rows = new ArrayList<>();
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                for (X509CRL list : Pem.readCrls(file)) {
                    rows.add(new ListRow(
                            name.substring(0, name.lastIndexOf('.')),
                            Failures.oneLine(DistinguishedName.shown(list.getIssuerX500Principal())),
                            list.getThisUpdate().toInstant().toString(),
                            list.getNextUpdate() == null
                                    ? null
                                    : list.getNextUpdate().toInstant().toString(),
                            count(list)));
                }
            }
            return rows;
        }

        @Override
        public Integer call() throws IOException {
            Answer answer = answer(context.existingHome());
            report(answer, answer::lines);
            return ExitCode.OK;
        }
    }

    /** The command {@code signet trust remove}. */
    @Command(
            name = "remove",
            description =
                    "Removes a trusted certificate, or a revocation list. Refuses while a policy of this home needs it.",
            footer = {"  signet trust remove corp-root", "  signet trust remove corp-root --crl --force"})
    static final class Remove extends Subcommand {
        @Parameters(paramLabel = "NAME", description = NAME)
        private String name = "";

        @Option(names = "--crl", description = "Remove the revocation list, and not the certificate.")
        private boolean list;

        @Option(
                names = "--force",
                description = "Remove it even if policies need it, or certificates are revoked by it.")
        private boolean force;

        @Override
        public Integer call() throws IOException {
            Home home = context.existingHome();
            try {
                if (list) {
                    removeList(home);
                } else {
                    removeCertificate(home);
                }
            } catch (KeystoreUnusableException e) {
                throw CliException.failure(String.valueOf(e.getMessage()))
                        .hint("signet trust list shows those that are there")
                        .causedBy(e);
            }
            return ExitCode.OK;
        }

        private void removeList(Home home) {
            RevocationFolder lists = new RevocationFolder(home, context.shell().clock());
            int revoked =
                    lists.lists(name).stream().mapToInt(TrustCommands::count).sum();
            if (revoked > 0 && !force) {
                throw CliException.failure("revocation list '" + name + "': it revokes " + revoked
                                + (revoked == 1 ? " certificate" : " certificates")
                                + ", which would be accepted again")
                        .hint("signet trust add replaces it by a later one; --force removes it");
            }
            lists.remove(name);
            context.print(name + ": revocation list removed");
        }

        /**
         * Returns the patterns of policies that name signers by it, or parties for whose certificates it alone vouches.
         */
        private List<String> policiesThatNeed(Home home) throws IOException {
            CertificateTrust trust = home.certificateTrust();
            Set<X509Certificate> alone = new HashSet<>();
            trust.trusted().stream()
                    .filter(entry -> entry.name().equals(name))
                    .forEach(entry -> alone.add(entry.certificate()));
            trust.trusted().stream()
                    .filter(entry -> !entry.name().equals(name))
                    .forEach(entry -> alone.remove(entry.certificate()));
            PolicyReferences references = PolicyReferences.of(home);
            Set<String> found = new TreeSet<>(references.ofIssuer(name));
            for (Recipient party : home.recipientDirectory().all()) {
                if (Stream.of(CertificateUse.values())
                        .anyMatch(use -> anchor(party, use, trust)
                                .filter(alone::contains)
                                .isPresent())) {
                    found.addAll(references.ofParty(party.name()));
                }
            }
            return List.copyOf(found);
        }

        /** Returns the trusted certificate at which the path of a party ends; empty if the party is not trusted now. */
        private Optional<X509Certificate> anchor(Recipient party, CertificateUse use, CertificateTrust trust) {
            try {
                List<X509Certificate> path = trust.verify(
                                party.certificate(),
                                List.of(),
                                use,
                                context.shell().clock().instant())
                        .path();
                return Optional.of(path.get(path.size() - 1));
            } catch (CertificateRejectedException | KeystoreUnusableException e) {
                return Optional.empty();
            }
        }

        private void removeCertificate(Home home) throws IOException {
            List<String> needing = policiesThatNeed(home);
            if (!needing.isEmpty() && !force) {
                throw PolicyReferences.refusal("trust '" + name + "'", needing);
            }
            new TrustFolder(home, context.shell().clock()).remove(name);
            context.print(name + ": no longer trusted");
            if (!needing.isEmpty()) {
                context.warn("policies still need " + name + ": " + String.join(", ", needing));
            }
        }
    }

    /** Returns the number of certificates that a list revokes. */
    private static int count(X509CRL list) {
        return list.getRevokedCertificates() == null
                ? 0
                : list.getRevokedCertificates().size();
    }
}
