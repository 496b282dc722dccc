/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.bundle.ImportRecords.Source;
import org.signetmq.cli.command.bundle.document.Fingerprint;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.Shell;
import org.signetmq.envelope.SignedDocument;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.trust.CertificateTrust;
import picocli.CommandLine.Option;

/** The option that names the signer of a bundle, and the decision whether a home takes bundles of this signer. */
final class SignerOption {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/._+:,@%=][A-Za-z0-9/._+:,@%=-]*");

    @Option(
            names = "--signed-by",
            paramLabel = "CERTIFICATE|FINGERPRINT",
            description =
                    "The signer: a PEM file with its certificate or that of its issuer, or the SHA-256 fingerprint "
                            + "of its certificate. Default: the signer of the earlier bundles. For the first bundle the "
                            + "command asks for the fingerprint.")
    private @Nullable String signedBy;

    /**
     * Checks that a home takes bundles of the signer. Asks for the fingerprint if no bundle came before.
     *
     * @return the path that was accepted: the certificate of the signer first, then its issuers
     * @throws CliException if it does not; with the command that names the signer
     */
    List<X509Certificate> require(BundleFile file, ImportRecords records, CommandContext context) {
        Optional<Source> known = records.of(file.signerKey());
        if (known.filter(Source::isWithdrawn).isPresent()) {
            throw CliException.failure(file.name() + ": signed by a key that was withdrawn from this home: "
                            + file.claimedSigner())
                    .hint("the signer needs a new key");
        }
        if (signedBy == null && records.sources().stream().allMatch(Source::isWithdrawn)) {
            signedBy = typed(file, context);
        }
        String named = signedBy;
        if (named != null) {
            return named(file, named, records, context);
        }
        if (known.isEmpty()) {
            throw unknown(
                    file,
                    records.sources().stream().allMatch(Source::isWithdrawn)
                            ? "a signer that this home does not know"
                            : "another signer than that of the earlier bundles of this home",
                    context);
        }
        return path(file, known.get(), records, context)
                .orElseThrow(() -> unknown(
                        file,
                        "the key of an earlier signer, whose certificate does not lead to the issuer that was accepted",
                        context));
    }

    /** Whether a home takes bundles of the signer without the option. */
    static boolean isTaken(BundleFile file, ImportRecords records, CommandContext context) {
        return records.of(file.signerKey())
                .filter(signer -> !signer.isWithdrawn())
                .flatMap(signer -> path(file, signer, records, context))
                .isPresent();
    }

    /** Returns the path of a signer that was accepted before, if it ends as that one did. */
    private static Optional<List<X509Certificate>> path(
            BundleFile file, Source signer, ImportRecords records, CommandContext context) {
        List<X509Certificate> accepted = signer.path();
        if (accepted.isEmpty()) {
            return Optional.empty();
        }
        X509Certificate anchor = accepted.get(accepted.size() - 1);
        return path(file, context.home().trustIn(anchor, records.certificates()), context);
    }

    private static Optional<List<X509Certificate>> path(
            BundleFile file, CertificateTrust trust, CommandContext context) {
        try {
            return Optional.of(
                    SignedDocument.verify(file.bytes(), trust, context.shell().clock())
                            .path());
        } catch (EnvelopeException e) {
            return Optional.empty();
        }
    }

    private static String typed(BundleFile file, CommandContext context) {
        Shell.Terminal terminal = context.shell().streams().terminal();
        if (terminal == null) {
            throw unknown(file, "a signer whose fingerprint this home does not know yet", context);
        }
        context.say("the certificate says that the signer is '" + BundleText.name(file.signer())
                + "'; ask the sender by telephone to read out the SHA-256 fingerprint");
        char[] typed = terminal.askPassword("Fingerprint of the signer's certificate: ");
        String text = typed == null ? "" : new String(typed);
        return Fingerprint.parse(text)
                .orElseThrow(() -> CliException.failure(file.name() + ": not imported: no SHA-256 fingerprint typed"));
    }

    private static List<X509Certificate> named(
            BundleFile file, String named, ImportRecords records, CommandContext context) {
        Optional<String> fingerprint = Fingerprint.parse(named);
        if (fingerprint.isPresent()) {
            if (!fingerprint.get().equals(Fingerprint.of(file.signer()))) {
                throw CliException.failure(file.name() + ": not signed by the certificate of this fingerprint, but by "
                        + file.claimedSigner());
            }
            return file.signed().path();
        }
        return Pem.readCertificates(context.resolve(Path.of(named))).stream()
                .map(one -> path(file, context.home().trustIn(one, records.certificates()), context))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(() -> CliException.failure(file.name() + ": not signed by a certificate of " + named
                        + ", but by " + file.claimedSigner()));
    }

    private static CliException unknown(BundleFile file, String signer, CommandContext context) {
        return CliException.failure(file.name() + ": signed by " + signer + ": " + file.claimedSigner())
                .hint("ask the sender by telephone to read out the fingerprint of the certificate; if it is the same,"
                        + " run: signet bundle import " + word(file.name(), "FILE")
                        + context.homeOption()
                                .map(home -> " --home " + word(home.toString(), "DIR"))
                                .orElse("")
                        + " --signed-by " + Fingerprint.of(file.signer()));
    }

    /**
     * Returns a name as a word of a command to paste: the sender of a bundle may have chosen it for a shell to read.
     */
    private static String word(String name, String otherwise) {
        return PLAIN.matcher(name).matches() ? name : otherwise;
    }
}
