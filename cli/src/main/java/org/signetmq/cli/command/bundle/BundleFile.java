/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.signetmq.cli.command.bundle.document.Bundle;
import org.signetmq.cli.command.bundle.document.BundleDocument;
import org.signetmq.cli.command.bundle.document.BundleLimits;
import org.signetmq.cli.command.bundle.document.Fingerprint;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.Failures;
import org.signetmq.envelope.SignedDocument;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.keystore.trust.TrustedCertificate;

/**
 * The file of a bundle, whose signature was verified with the certificate in it. Trust in that certificate is another
 * question.
 *
 * @param name the file as it was named, for messages
 * @param digest SHA-256 of the file
 * @param signed the content and its signer
 */
record BundleFile(String name, byte[] bytes, String digest, SignedDocument signed) {
    /**
     * Reads a file, and verifies its signature before anything else of it is parsed.
     *
     * @param known certificates of the signers of earlier bundles, whose keys may be revoked
     * @throws CliException if it is too long, or not signed by the key of its certificate
     */
    static BundleFile read(Path given, Path file, Home home, List<X509Certificate> known, Clock clock)
            throws IOException {
        if (Files.isDirectory(file)) {
            throw CliException.failure(given + ": a folder, not a file");
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(BundleLimits.FILE + 1);
        }
        if (bytes.length > BundleLimits.FILE) {
            throw CliException.failure(given + ": longer than the " + BundleLimits.FILE + " bytes of a bundle");
        }
        try {
            return new BundleFile(
                    given.toString(),
                    bytes,
                    Fingerprint.of(bytes),
                    SignedDocument.verify(bytes, new AnySigner(home, known), clock));
        } catch (EnvelopeException e) {
            throw CliException.failure(given + ": no bundle with a right signature: "
                            + Failures.oneLine(String.valueOf(e.getMessage())))
                    .hint("it may have been changed on its way; ask for it again")
                    .causedBy(e);
        }
    }

    X509Certificate signer() {
        return signed.signer();
    }

    /** Returns the fingerprint of the signer's key. */
    String signerKey() {
        return Fingerprint.ofKey(signer());
    }

    /** Returns the signer as its certificate claims, with the fingerprint that proves it. */
    String claimedSigner() {
        return "'" + BundleText.name(signer()) + "', SHA-256 fingerprint " + Fingerprint.of(signer());
    }

    /** Reads the document. */
    Bundle bundle() {
        return BundleDocument.read(name, signed.content());
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
}
