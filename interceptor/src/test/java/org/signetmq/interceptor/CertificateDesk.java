/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.crypto.SoftwareKey;
import org.signetmq.keystore.home.Home;

/** Revokes the certificates of identities, and replaces them by some that end soon. */
final class CertificateDesk {
    private static final String ALGORITHM = "SHA256withECDSA";

    private CertificateDesk() {}

    /** Puts a list into the home by which an identity revokes its own certificate. */
    static void revoke(Identity identity, Home home) throws Exception {
        X509Certificate certificate = identity.certificate();
        var list =
                new X509v2CRLBuilder(name(certificate), Date.from(Instant.now().minusSeconds(60)));
        list.setNextUpdate(Date.from(Instant.now().plusSeconds(3600)));
        list.addCRLEntry(
                certificate.getSerialNumber(), Date.from(Instant.now().minusSeconds(60)), CRLReason.keyCompromise);
        X509CRL crl = (X509CRL) CertificateFactory.getInstance("X.509")
                .generateCRL(new ByteArrayInputStream(
                        list.build(new JcaContentSignerBuilder(ALGORITHM).build(SoftwareKey.exported(identity)))
                                .getEncoded()));
        Files.createDirectories(home.crl());
        replace(home.crl().resolve(identity.name() + ".crl"), "X509 CRL", crl.getEncoded());
    }

    /** Replaces the certificate in recipients and trust by one of the same key that ends then. */
    static void endAt(Instant end, Identity identity, Home home) throws Exception {
        byte[] certificate = certificate(identity, end);
        replace(home.recipients().resolve(identity.name() + ".pem"), "CERTIFICATE", certificate);
        replace(home.trust().resolve(identity.name() + ".pem"), "CERTIFICATE", certificate);
    }

    private static byte[] certificate(Identity identity, Instant end)
            throws IOException, OperatorCreationException, GeneralSecurityException {
        X509Certificate former = identity.certificate();
        var builder = new X509v3CertificateBuilder(
                name(former),
                BigInteger.valueOf(end.toEpochMilli()),
                Date.from(Instant.now().minusSeconds(3600)),
                Date.from(end),
                name(former),
                SubjectPublicKeyInfo.getInstance(former.getPublicKey().getEncoded()));
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyAgreement));
        builder.addExtension(
                Extension.subjectKeyIdentifier,
                false,
                new SubjectKeyIdentifier(identity.keyIdentifier().bytes()));
        return builder.build(new JcaContentSignerBuilder(ALGORITHM).build(SoftwareKey.exported(identity)))
                .getEncoded();
    }

    private static X500Name name(X509Certificate certificate) {
        return X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
    }

    private static void replace(Path file, String type, byte[] der) throws IOException {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(
                fresh,
                "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n",
                StandardCharsets.US_ASCII);
        Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
