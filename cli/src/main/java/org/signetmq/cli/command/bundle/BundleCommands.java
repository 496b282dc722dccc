/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Pem;
import org.signetmq.policy.file.PolicyFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The commands {@code signet bundle}. */
@Command(
        name = "bundle",
        description = "Hands a consumer what its home needs, in one signed file: certificates, trust and policies.")
public final class BundleCommands extends Subcommand {
    /** The longest name that is shown, in characters. */
    private static final int LONGEST_NAME = 300;

    @Override
    public List<Class<?>> commands() {
        return List.of(BundleExportCommand.class, BundleImportCommand.class, Show.class, Withdraw.class);
    }

    /** The command {@code signet bundle show}. */
    @Command(
            name = "show",
            description = "Shows what is in a bundle, and its signer. Exits 1 if the signature is wrong.",
            footer = {"  signet bundle show alice.bundle", "  signet bundle show alice.bundle --json"})
    static final class Show extends ReportingCommand {
        private static final int LABELS = 12;

        @Parameters(paramLabel = "FILE", description = "A bundle of signet bundle export.")
        private Path file = Path.of("");

        /**
         * A bundle.
         *
         * @param trusted whether this home would take it without --signed-by
         */
        private record Answer(
                Certificate signer,
                boolean trusted,
                boolean ended,
                String id,
                String created,
                String notAfter,
                Bundle.@Nullable Consumer recipient,
                List<String> addresses,
                List<String> recovery,
                Object policies,
                List<FileOf> files) {}

        /** A certificate for programs. */
        private record Certificate(String dn, String fingerprint, String notAfter) {
            static Certificate of(X509Certificate certificate) {
                return new Certificate(
                        name(certificate),
                        Fingerprint.of(certificate),
                        certificate.getNotAfter().toInstant().toString());
            }
        }

        /** A file for programs. */
        private record FileOf(String path, List<Certificate> certificates) {
            static FileOf of(Bundle.Entry entry) {
                return new FileOf(
                        entry.path(),
                        entry.certificates().stream().map(Certificate::of).toList());
            }
        }

        @Override
        public Integer call() throws IOException {
            SignedBundle read = SignedBundle.read(file, context);
            Bundle bundle = read.bundle();
            boolean trusted = read.isOfKnownSigner();
            boolean ended = !context.shell().clock().instant().isBefore(bundle.notAfter());
            report(
                    new Answer(
                            Certificate.of(read.signer()),
                            trusted,
                            ended,
                            bundle.id(),
                            bundle.created().toString(),
                            bundle.notAfter().toString(),
                            bundle.recipient(),
                            bundle.addresses(),
                            bundle.policies().recovery(),
                            Json.parse(PolicyFile.format(bundle.policies())),
                            bundle.entries().stream().map(FileOf::of).toList()),
                    () -> lines(read, bundle, trusted, ended));
            return ExitCode.OK;
        }

        private static List<String> lines(SignedBundle read, Bundle bundle, boolean trusted, boolean ended) {
            Bundle.Consumer consumer = bundle.recipient();
            List<String> lines = new ArrayList<>(new LabelledLines(LABELS)
                    .add("signer", name(read.signer()))
                    .add("fingerprint", Fingerprint.of(read.signer()))
                    .add(
                            "signature",
                            "right; "
                                    + (trusted
                                            ? "this home takes bundles of this signer"
                                            : "this home does not take bundles of this signer without --signed-by"))
                    .add("created", bundle.created())
                    .add("not after", bundle.notAfter() + (ended ? ", it has ended" : ""))
                    .add("recipient", consumer == null ? null : consumer.name())
                    .add("addresses", String.join("; ", bundle.addresses()))
                    .add("recovery", recovery(bundle))
                    .lines());
            bundle.entries().forEach(entry -> words(entry).forEach(word -> lines.add(entry.path() + ": " + word)));
            bundle.policies()
                    .policies()
                    .forEach(policy -> lines.add("policy " + Failures.oneLine(policy.pattern()) + ": "
                            + policy.quality().label()));
            return lines;
        }

        /** Returns the recovery recipients of all policies; null if there are none. */
        private static @Nullable String recovery(Bundle bundle) {
            List<String> names = bundle.policies().recovery().stream()
                    .map(BundleCommands::name)
                    .toList();
            return names.isEmpty() ? null : String.join("; ", names) + ", of each policy that encrypts";
        }
    }

    /** The command {@code signet bundle withdraw}. */
    @Command(
            name = "withdraw",
            description =
                    "Takes no more bundles of a signer, under any certificate for its key. What its bundles brought "
                            + "stays; policy remove and certificate remove take it away.",
            footer = {"  signet bundle withdraw FINGERPRINT", "  signet bundle withdraw broker.pem"})
    static final class Withdraw extends Subcommand {
        @Parameters(
                paramLabel = "CERTIFICATE|FINGERPRINT",
                description =
                        "The signer: a PEM file with its certificate, or the SHA-256 fingerprint of the certificate "
                                + "or of its key.")
        private String signer = "";

        @Override
        @SuppressWarnings("try") // the lock is only held
        public Integer call() throws IOException {
            Home home = context.existingHome();
            try (FileChannel unused = ImportRecords.lock(home)) {
                ImportRecords records = ImportRecords.read(home);
                Optional<String> fingerprint = Fingerprint.parse(signer);
                String key = fingerprint.isPresent()
                        ? keyOf(fingerprint.get(), records)
                        : Fingerprint.ofKey(Pem.readCertificates(context.resolve(Path.of(signer)))
                                .get(0));
                records.withdrawing(key).write(home);
                context.print("withdrawn: the signer with the key " + key);
            }
            return ExitCode.OK;
        }

        private static String keyOf(String fingerprint, ImportRecords records) {
            return records.sources().stream()
                    .filter(known -> known.signerKey().equals(fingerprint)
                            || known.path().stream()
                                    .limit(1)
                                    .anyMatch(own -> Fingerprint.of(own).equals(fingerprint)))
                    .map(ImportRecords.Source::signerKey)
                    .findFirst()
                    .orElseThrow(() -> CliException.failure("no signer of earlier bundles has this fingerprint")
                            .details(records.sources().stream()
                                    .map(Withdraw::shown)
                                    .toList()));
        }

        private static String shown(ImportRecords.Source known) {
            return known.path().stream()
                            .limit(1)
                            .map(own -> name(own) + ", SHA-256 fingerprint " + Fingerprint.of(own))
                            .findFirst()
                            .orElse("key " + known.signerKey())
                    + (known.withdrawn() ? ", withdrawn" : "");
        }
    }

    /** Returns the name in a certificate, without characters that reorder or hide the text around it. */
    static String name(X509Certificate certificate) {
        return name(DistinguishedName.shown(certificate.getSubjectX500Principal()));
    }

    /** Returns a name that the author of the bundle chose, in the same form. */
    private static String name(String chosen) {
        return PrintableText.of(Failures.oneLine(chosen), LONGEST_NAME);
    }

    /** Describes the content of a file in words, one for each certificate. */
    static List<String> words(Bundle.Entry entry) {
        int size = entry.encoded().size();
        return entry.folder() == Bundle.Folder.CRL
                ? List.of(size + " revocation list" + (size == 1 ? "" : "s"))
                : entry.certificates().stream()
                        .map(certificate -> name(certificate) + ", until "
                                + certificate.getNotAfter().toInstant() + ", SHA-256 " + Fingerprint.of(certificate))
                        .toList();
    }
}
