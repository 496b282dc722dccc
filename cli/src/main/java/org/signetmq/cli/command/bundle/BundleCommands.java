/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.bundle.document.Bundle;
import org.signetmq.cli.command.bundle.document.Fingerprint;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Pem;
import org.signetmq.policy.file.PolicyFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The commands {@code signet bundle}. */
@Command(
        name = "bundle",
        description = "Hands a consumer what its home needs, in one signed file: certificates, trust and policies.",
        subcommands = {
            BundleExportCommand.class,
            BundleImportCommand.class,
            BundleCommands.Show.class,
            BundleCommands.Withdraw.class
        })
public final class BundleCommands extends Subcommand {
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
                BundleText.Certificate signer,
                boolean trusted,
                boolean ended,
                String id,
                String created,
                String notAfter,
                Bundle.@Nullable Consumer recipient,
                List<String> addresses,
                List<String> recovery,
                Object policies,
                List<BundleText.Entry> files) {}

        @Override
        public Integer call() throws IOException {
            Home home = context.home();
            ImportRecords records = ImportRecords.read(home);
            BundleFile read = BundleFile.read(
                    file,
                    context.resolve(file),
                    home,
                    records.certificates(),
                    context.shell().clock());
            Bundle bundle = read.bundle();
            boolean trusted = SignerOption.isTaken(read, records, context);
            boolean ended = !context.shell().clock().instant().isBefore(bundle.notAfter());
            report(
                    new Answer(
                            BundleText.Certificate.of(read.signer()),
                            trusted,
                            ended,
                            bundle.id(),
                            bundle.created().toString(),
                            bundle.notAfter().toString(),
                            bundle.recipient(),
                            bundle.addresses(),
                            bundle.policies().recovery(),
                            Json.parse(PolicyFile.format(bundle.policies())),
                            bundle.entries().stream().map(BundleText.Entry::of).toList()),
                    () -> lines(read, bundle, trusted, ended));
            return ExitCode.OK;
        }

        private static List<String> lines(BundleFile read, Bundle bundle, boolean trusted, boolean ended) {
            Bundle.Consumer consumer = bundle.recipient();
            List<String> lines = new ArrayList<>(new LabelledLines(LABELS)
                    .add("signer", BundleText.name(read.signer()))
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
            lines.addAll(BundleText.content(bundle));
            return lines;
        }

        /** Returns the recovery recipients of all policies; null if there are none. */
        private static @Nullable String recovery(Bundle bundle) {
            List<String> names =
                    bundle.policies().recovery().stream().map(BundleText::name).toList();
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
        public Integer call() throws IOException {
            try (HomeUpdate update = new HomeUpdate(context.existingHome())) {
                ImportRecords records = ImportRecords.read(context.home());
                Optional<String> fingerprint = Fingerprint.parse(signer);
                String key = fingerprint.isPresent()
                        ? keyOf(fingerprint.get(), records)
                        : Fingerprint.ofKey(Pem.readCertificates(context.resolve(Path.of(signer)))
                                .get(0));
                update.write(records.withdrawing(key));
                context.print("withdrawn: the signer with the key " + key);
            }
            return ExitCode.OK;
        }

        private static String keyOf(String fingerprint, ImportRecords records) {
            return records.sources().stream()
                    .filter(known -> known.key().equals(fingerprint)
                            || (!known.path().isEmpty()
                                    && Fingerprint.of(known.path().get(0)).equals(fingerprint)))
                    .map(ImportRecords.Source::key)
                    .findFirst()
                    .orElseThrow(() -> CliException.failure("no signer of earlier bundles has this fingerprint")
                            .details(signers(records)));
        }

        private static List<String> signers(ImportRecords records) {
            return records.sources().stream()
                    .map(known -> (known.path().isEmpty()
                                    ? "key " + known.key()
                                    : BundleText.name(known.path().get(0)) + ", SHA-256 fingerprint "
                                            + Fingerprint.of(known.path().get(0)))
                            + (known.isWithdrawn() ? ", withdrawn" : ""))
                    .toList();
        }
    }
}
