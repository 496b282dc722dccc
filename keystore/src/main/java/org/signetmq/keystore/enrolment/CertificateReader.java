/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSSignedData;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.internal.x509.KeyRules;
import org.signetmq.keystore.internal.x509.PemText;

/** Reads certificates from PEM, DER and PKCS#7 files, in the order of the files. */
final class CertificateReader {
    private static final int MOST = 256;
    private static final String PKCS7 = "PKCS7";
    private static final String CMS = "CMS";

    private CertificateReader() {}

    /** Returns the certificates of files, each once. */
    static List<X509Certificate> read(Collection<ImportFile> files) {
        LinkedHashSet<X509Certificate> found = new LinkedHashSet<>();
        files.forEach(file -> found.addAll(read(file)));
        return List.copyOf(found);
    }

    private static List<X509Certificate> read(ImportFile file) {
        List<X509Certificate> found = new ArrayList<>();
        switch (file.format()) {
            case CERTIFICATE -> found.add(certificate(file.bytes(), file.source()));
            case PKCS7 -> found.addAll(bundle(file.bytes(), file.source()));
            case PEM -> {
                for (PemText.Block block : file.blocks()) {
                    switch (block.label()) {
                        case "CERTIFICATE", "X509 CERTIFICATE" ->
                            found.add(certificate(block.content(), file.source()));
                        case PKCS7, CMS -> found.addAll(bundle(block.content(), file.source()));
                        default -> {
                            // keys and parameters are no certificates
                        }
                    }
                    requireFew(found, file.source());
                }
            }
            default -> {
                // key stores are read with their keys
            }
        }
        return found;
    }

    static X509Certificate certificate(byte[] der, String source) {
        try {
            return CertificateProviders.certificate(der);
        } catch (GeneralSecurityException | RuntimeException e) {
            throw new KeystoreUnusableException(source + ": holds " + unreadable(der), e);
        }
    }

    private static String unreadable(byte[] der) {
        try {
            return KeyRules.unreadableKey(der)
                    .map(problem -> "a certificate that cannot be used: " + problem)
                    .orElse("a damaged certificate");
        } catch (RuntimeException none) {
            return "something that is not a certificate";
        }
    }

    private static List<X509Certificate> bundle(byte[] pkcs7, String source) {
        try {
            List<X509Certificate> found = new ArrayList<>();
            for (X509CertificateHolder holder :
                    new CMSSignedData(pkcs7).getCertificates().getMatches(null)) {
                found.add(certificate(holder.getEncoded(), source));
                requireFew(found, source);
            }
            return found;
        } catch (KeystoreUnusableException e) {
            throw e;
        } catch (CMSException | IOException | RuntimeException e) {
            throw new KeystoreUnusableException(source + ": not a PKCS#7 file of certificates", e);
        }
    }

    private static void requireFew(List<X509Certificate> found, String source) {
        if (found.size() > MOST) {
            throw new KeystoreUnusableException(source + ": more than " + MOST + " certificates");
        }
    }
}
