/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.trust;

import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509CRL;
import java.util.List;
import org.signetmq.cli.command.certificate.CertificateView;
import org.signetmq.cli.command.certificate.PolicyReferences;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.cli.file.ImportedFiles;
import org.signetmq.cli.file.SourcePasswordOptions;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.enrolment.CertificateChange;
import org.signetmq.keystore.enrolment.ImportFile;
import org.signetmq.keystore.enrolment.RevocationFolder;
import org.signetmq.keystore.enrolment.TrustFolder;
import org.signetmq.keystore.home.Home;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands {@code signet trust}. */
@Command(
        name = "trust",
        description = "Adds, shows and removes trusted issuers and revocation lists.",
        subcommands = {
            TrustCommands.Add.class,
            TrustCommands.Listing.class,
            TrustCommands.Remove.class,
        })
public final class TrustCommands extends Subcommand {
    private static final String NAME = "The name of the issuer or party in this home.";

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
                            TrustRow.count(list),
                            list.getNextUpdate().toInstant())));
        }
    }

    /** The command {@code signet trust list}. */
    @Command(
            name = "list",
            description = "Lists the trusted certificates and the revocation lists.",
            footer = {"  signet trust list", "  signet trust list --json"})
    static final class Listing extends ReportingCommand {
        @Override
        public Integer call() throws IOException {
            TrustRow.Answer answer = TrustRow.all(context.existingHome());
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
            int revoked = lists.lists(name).stream().mapToInt(TrustRow::count).sum();
            if (revoked > 0 && !force) {
                throw CliException.failure("revocation list '" + name + "': it revokes " + revoked
                                + (revoked == 1 ? " certificate" : " certificates")
                                + ", which would be accepted again")
                        .hint("signet trust add replaces it by a later one; --force removes it");
            }
            lists.remove(name);
            context.print(name + ": revocation list removed");
        }

        private void removeCertificate(Home home) throws IOException {
            List<String> needing = new Dependents(home, context.shell().clock().instant()).policies(name);
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
}
