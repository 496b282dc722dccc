/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Shell;
import org.signetmq.envelope.SignedDocument;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.keystore.trust.TrustedCertificate;

/**
 * The file of a bundle, whose signature was verified with the certificate in it. Trust in that certificate is another
 * question, which the records of the home and the user answer.
 *
 * @param name the file as it was named, for messages
 * @param records the signers that the home accepted before
 */
record SignedBundle(String name, byte[] bytes, SignedDocument signed, ImportRecords records, CommandContext context) {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/._+:,@%=][A-Za-z0-9/._+:,@%=-]*");

    /**
     * Reads a file, and verifies its signature before anything else of it is parsed.
     *
     * @throws CliException if it is too long, or not signed by the key of its certificate
     */
    static SignedBundle read(Path given, CommandContext context) throws IOException {
        Path file = context.resolve(given);
        if (Files.isDirectory(file)) {
            throw CliException.failure(given + ": a folder, not a file");
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(Bundle.MOST_BYTES + 1);
        }
        if (bytes.length > Bundle.MOST_BYTES) {
            throw CliException.failure(given + ": longer than the " + Bundle.MOST_BYTES + " bytes of a bundle");
        }
        ImportRecords records = ImportRecords.read(context.home());
        try {
            AnySigner anySigner = new AnySigner(context.home(), records.certificates());
            SignedDocument signed =
                    SignedDocument.verify(bytes, anySigner, context.shell().clock());
            return new SignedBundle(given.toString(), bytes, signed, records, context);
        } catch (EnvelopeException e) {
            throw CliException.failure(given + ": no bundle with a right signature: "
                            + Failures.oneLine(String.valueOf(e.getMessage())))
                    .hint("it may have been changed on its way; ask for it again")
                    .causedBy(e);
        }
    }

    /** Accepts each certificate that may sign now and is not revoked. It decides nothing about its owner. */
    private record AnySigner(Home home, List<X509Certificate> known) implements CertificateTrust {
        @Override
        public TrustedCertificate verify(
                X509Certificate certificate, Collection<X509Certificate> others, CertificateUse use, Instant at) {
            return home.trustIn(certificate, known).verify(certificate, others, use, at);
        }

        @Override
        public List<Recipient> trusted() {
            return List.of();
        }

        @Override
        public long version() {
            return 0;
        }

        @Override
        public long signatureVerifications() {
            return 0;
        }
    }

    /** Returns the same file with what the home has recorded by now. */
    SignedBundle withRecords(ImportRecords now) {
        return new SignedBundle(name, bytes, signed, now, context);
    }

    /** Reads the document. */
    Bundle bundle() {
        return Bundle.read(name, signed.content());
    }

    String digest() {
        return Fingerprint.of(bytes);
    }

    /** Returns the certificate of the signer. The names in it are not proved. */
    X509Certificate signer() {
        return signed.signer();
    }

    /** Returns the fingerprint of the signer's key. */
    String signerKey() {
        return Fingerprint.ofKey(signer());
    }

    /** Returns the signer as its certificate claims, with the fingerprint that proves it. */
    String claimedSigner() {
        return "'" + BundleCommands.name(signer()) + "', SHA-256 fingerprint " + Fingerprint.of(signer());
    }

    /** Whether the home takes bundles of the signer that nobody names. */
    boolean isOfKnownSigner() {
        return records.of(signerKey())
                .filter(known -> !known.withdrawn())
                .flatMap(this::pathOf)
                .isPresent();
    }

    /**
     * Checks that the home takes bundles of the signer.
     *
     * @param named the signer as the user names it, or null
     * @return the path that was accepted: the certificate of the signer first, then its issuers
     * @throws CliException if it does not; with the command that names the signer
     */
    List<X509Certificate> requireSigner(@Nullable String named) {
        Optional<ImportRecords.Source> known = records.of(signerKey());
        if (known.filter(ImportRecords.Source::withdrawn).isPresent()) {
            throw CliException.failure(name + ": signed by a key that was withdrawn from this home: " + claimedSigner())
                    .hint("the signer needs a new key");
        }
        if (named != null) {
            return pathNamed(named);
        }
        if (known.isEmpty()) {
            throw unknown("another signer than that of the earlier bundles of this home");
        }
        return pathOf(known.get())
                .orElseThrow(
                        () -> unknown(
                                "the key of an earlier signer, whose certificate does not lead to the issuer that was accepted"));
    }

    /** Returns the path to the signer, if it ends as the one that was accepted before. */
    private Optional<List<X509Certificate>> pathOf(ImportRecords.Source known) {
        List<X509Certificate> accepted = known.path();
        return accepted.isEmpty() ? Optional.empty() : pathFrom(accepted.get(accepted.size() - 1));
    }

    private Optional<List<X509Certificate>> pathFrom(X509Certificate anchor) {
        try {
            CertificateTrust trust = context.home().trustIn(anchor, records.certificates());
            return Optional.of(
                    SignedDocument.verify(bytes, trust, context.shell().clock()).path());
        } catch (EnvelopeException e) {
            return Optional.empty();
        }
    }

    private List<X509Certificate> pathNamed(String named) {
        Optional<String> fingerprint = Fingerprint.parse(named);
        if (fingerprint.isPresent()) {
            if (!fingerprint.get().equals(Fingerprint.of(signer()))) {
                throw CliException.failure(
                        name + ": not signed by the certificate of this fingerprint, but by " + claimedSigner());
            }
            return signed.path();
        }
        return Pem.readCertificates(context.resolve(Path.of(named))).stream()
                .flatMap(one -> pathFrom(one).stream())
                .findFirst()
                .orElseThrow(() -> CliException.failure(
                        name + ": not signed by a certificate of " + named + ", but by " + claimedSigner()));
    }

    /** Asks a user at the terminal for the fingerprint of the signer, which the home does not know yet. */
    String typedFingerprint() {
        Shell.Terminal terminal = context.shell().streams().terminal();
        if (terminal == null) {
            throw unknown("a signer whose fingerprint this home does not know yet");
        }
        context.say("the certificate says that the signer is '" + BundleCommands.name(signer())
                + "'; ask the sender by telephone to read out the SHA-256 fingerprint");
        char[] typed = terminal.askPassword("Fingerprint of the signer's certificate: ");
        return Fingerprint.parse(typed == null ? "" : new String(typed))
                .orElseThrow(() -> CliException.failure(name + ": not imported: no SHA-256 fingerprint typed"));
    }

    private CliException unknown(String signer) {
        return CliException.failure(name + ": signed by " + signer + ": " + claimedSigner())
                .hint("ask the sender by telephone to read out the fingerprint of the certificate; if it is the same,"
                        + " run: signet bundle import " + word(name, "FILE")
                        + context.homeOption()
                                .map(home -> " --home " + word(home.toString(), "DIR"))
                                .orElse("")
                        + " --signed-by " + Fingerprint.of(signer()));
    }

    /**
     * Returns a name as a word of a command to paste: the sender of a bundle may have chosen it for a shell to read.
     */
    private static String word(String name, String otherwise) {
        return PLAIN.matcher(name).matches() ? name : otherwise;
    }
}
