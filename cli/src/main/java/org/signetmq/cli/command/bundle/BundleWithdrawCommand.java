/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.signetmq.cli.command.bundle.document.Fingerprint;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.keystore.home.Pem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code signet bundle withdraw}. */
@Command(
        name = "withdraw",
        description = "Takes no more bundles of a signer, under any certificate for its key. What its bundles brought "
                + "stays; policy remove and certificate remove take it away.",
        footer = {"  signet bundle withdraw FINGERPRINT", "  signet bundle withdraw broker.pem"})
final class BundleWithdrawCommand extends Subcommand {
    @Parameters(
            paramLabel = "CERTIFICATE|FINGERPRINT",
            description = "The signer: a PEM file with its certificate, or the SHA-256 fingerprint of the certificate "
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
                .map(ImportRecords.Source::signer)
                .filter(known -> known.key().equals(fingerprint)
                        || (!known.path().isEmpty()
                                && Fingerprint.of(known.path().get(0)).equals(fingerprint)))
                .map(ImportRecords.Signer::key)
                .findFirst()
                .orElseThrow(() -> CliException.failure("no signer of earlier bundles has this fingerprint")
                        .details(signers(records)));
    }

    private static List<String> signers(ImportRecords records) {
        return records.sources().stream()
                .map(ImportRecords.Source::signer)
                .map(known -> (known.path().isEmpty()
                                ? "key " + known.key()
                                : BundleText.name(known.path().get(0)) + ", SHA-256 fingerprint "
                                        + Fingerprint.of(known.path().get(0)))
                        + (known.withdrawn() ? ", withdrawn" : ""))
                .toList();
    }
}
