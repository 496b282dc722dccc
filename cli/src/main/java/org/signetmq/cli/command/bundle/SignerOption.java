/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.bundle.document.Fingerprint;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.envelope.SignedDocument;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.trust.CertificateTrust;
import picocli.CommandLine.Option;

/** The option that names the signer of a bundle, and the decision whether a home takes bundles of this signer. */
final class SignerOption {
    @Option(
            names = "--signed-by",
            paramLabel = "CERTIFICATE|FINGERPRINT",
            description =
                    "The signer: a PEM file with its certificate or that of its issuer, or the SHA-256 fingerprint "
                            + "of its certificate. Default: the signer of the earlier bundles, else a signer that the home "
                            + "trusts.")
    private @Nullable String signedBy;

    /**
     * Checks that a home takes bundles of the signer.
     *
     * @throws CliException if it does not; with the command that names the signer
     */
    void require(BundleFile file, ImportRecords records, CommandContext context) {
        Clock clock = context.shell().clock();
        Home home = context.home();
        String named = signedBy;
        if (named != null) {
            requireNamed(file, named, context);
        } else if (!records.sources().isEmpty()) {
            if (records.of(file).isEmpty()) {
                throw unknown(file, "another signer than that of the earlier bundles of this home", context);
            }
        } else if (!isTrusted(file, home.certificateTrust(), clock)) {
            throw unknown(file, "a signer that this home does not trust", context);
        }
    }

    /** Whether a home takes bundles of the signer without the option. */
    static boolean isTaken(BundleFile file, ImportRecords records, CommandContext context) {
        return records.sources().isEmpty()
                ? isTrusted(
                        file, context.home().certificateTrust(), context.shell().clock())
                : records.of(file).isPresent();
    }

    private static void requireNamed(BundleFile file, String named, CommandContext context) {
        Optional<String> fingerprint = Fingerprint.parse(named);
        if (fingerprint.isPresent()) {
            if (!fingerprint.get().equals(Fingerprint.of(file.signer()))) {
                throw CliException.failure(file.name() + ": not signed by the certificate of this fingerprint, but by "
                        + file.claimedSigner());
            }
            return;
        }
        List<X509Certificate> certificates = Pem.readCertificates(context.resolve(Path.of(named)));
        Home home = context.home();
        if (certificates.stream()
                .noneMatch(one ->
                        isTrusted(file, home.trustIn(one), context.shell().clock()))) {
            throw CliException.failure(
                    file.name() + ": not signed by a certificate of " + named + ", but by " + file.claimedSigner());
        }
    }

    private static boolean isTrusted(BundleFile file, CertificateTrust trust, Clock clock) {
        try {
            SignedDocument unused = SignedDocument.verify(file.bytes(), trust, clock);
            return true;
        } catch (EnvelopeException e) {
            return false;
        }
    }

    private static CliException unknown(BundleFile file, String signer, CommandContext context) {
        return CliException.failure(file.name() + ": signed by " + signer + ": " + file.claimedSigner())
                .hint("ask the sender by telephone to read out the fingerprint of the certificate; if it is the same,"
                        + " run: signet bundle import " + file.name()
                        + context.homeOption().map(home -> " --home " + home).orElse("") + " --signed-by "
                        + Fingerprint.of(file.signer()));
    }
}
