/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle.document;

import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.trust.Certificates;

/**
 * A file of a home, by its content.
 *
 * @param folder the folder
 * @param name the name of the file without its extension
 * @param encoded its certificates or revocation lists, DER in base 64
 */
public record BundleEntry(HomeFolder folder, String name, List<String> encoded) {
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String LIST = "X509 CRL";

    public BundleEntry {
        encoded = List.copyOf(encoded);
    }

    public static BundleEntry ofCertificates(HomeFolder folder, String name, List<X509Certificate> certificates) {
        List<byte[]> all = new ArrayList<>();
        try {
            for (X509Certificate certificate : certificates) {
                all.add(certificate.getEncoded());
            }
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("certificate: cannot be encoded", e);
        }
        return of(folder, name, all);
    }

    public static BundleEntry of(HomeFolder folder, String name, List<byte[]> all) {
        return new BundleEntry(
                folder,
                name,
                all.stream().map(Base64.getEncoder()::encodeToString).toList());
    }

    /** Returns the place in a home for messages, and in records of imports. */
    public String path() {
        return folder.key() + "/" + folder.file(name);
    }

    public List<byte[]> decoded() {
        return encoded.stream().map(Base64.getDecoder()::decode).toList();
    }

    /** Returns the certificates; none for lists. */
    public List<X509Certificate> certificates() {
        return folder == HomeFolder.CRL
                ? List.of()
                : decoded().stream().map(Certificates::fromDer).toList();
    }

    /** Returns the fingerprint of the first certificate or list. */
    public String fingerprint() {
        return Fingerprint.of(decoded().get(0));
    }

    /** Returns a digest of the whole content. */
    public String digest() {
        return Fingerprint.of(String.join("\n", encoded));
    }

    /** Returns the content of a file, as PEM. */
    public String pem() {
        String label = folder == HomeFolder.CRL ? LIST : CERTIFICATE;
        return decoded().stream().map(der -> Pem.block(label, der)).collect(Collectors.joining());
    }
}
