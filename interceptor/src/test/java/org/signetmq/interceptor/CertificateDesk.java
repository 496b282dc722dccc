/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.testkit.Certificates;

/** Revokes the certificates of identities, and replaces them by some that end soon. */
final class CertificateDesk {
    private CertificateDesk() {}

    /** Puts a list into the home by which an identity revokes its own certificate. */
    static void revoke(Identity identity, Home home) throws Exception {
        X509Certificate certificate = identity.certificate();
        var list = new X509v2CRLBuilder(
                Certificates.subject(certificate), Date.from(Instant.now().minusSeconds(60)));
        list.setNextUpdate(Date.from(Instant.now().plusSeconds(3600)));
        list.addCRLEntry(
                certificate.getSerialNumber(), Date.from(Instant.now().minusSeconds(60)), CRLReason.keyCompromise);
        X509CRL crl = (X509CRL) CertificateFactory.getInstance("X.509")
                .generateCRL(new ByteArrayInputStream(
                        list.build(new JcaContentSignerBuilder("SHA256withECDSA").build(SoftwareKey.exported(identity)))
                                .getEncoded()));
        Files.createDirectories(home.crl());
        replace(home.crl().resolve(identity.name() + ".crl"), "X509 CRL", crl.getEncoded());
    }

    /** Replaces the certificate in recipients and trust by one of the same key that ends then. */
    static void endAt(Instant end, Identity identity, Home home) throws Exception {
        X509Certificate former = identity.certificate();
        byte[] certificate = Certificates.of(Certificates.subject(former), former.getPublicKey())
                .during(Instant.now().minusSeconds(3600), end)
                .usage(KeyUsage.digitalSignature | KeyUsage.keyAgreement)
                .identifier(identity.keyIdentifier().bytes())
                .signed(SoftwareKey.exported(identity))
                .getEncoded();
        replace(home.recipients().resolve(identity.name() + ".pem"), "CERTIFICATE", certificate);
        replace(home.trust().resolve(identity.name() + ".pem"), "CERTIFICATE", certificate);
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
