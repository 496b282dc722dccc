/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.trust;

import static org.signetmq.keystore.internal.x509.TestCertificates.END;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;

import java.io.IOException;
import java.math.BigInteger;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.ocsp.OCSPObjectIdentifiers;
import org.bouncycastle.asn1.oiw.OIWObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.ocsp.BasicOCSPRespBuilder;
import org.bouncycastle.cert.ocsp.CertificateID;
import org.bouncycastle.cert.ocsp.CertificateStatus;
import org.bouncycastle.cert.ocsp.OCSPException;
import org.bouncycastle.cert.ocsp.OCSPReq;
import org.bouncycastle.cert.ocsp.OCSPRespBuilder;
import org.bouncycastle.cert.ocsp.RespID;
import org.bouncycastle.cert.ocsp.RevokedStatus;
import org.bouncycastle.cert.ocsp.UnknownStatus;
import org.bouncycastle.operator.DigestCalculator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.testkit.Certificates;

/** Makes OCSP answers of every kind, by the classes of Bouncy Castle and not by those of Signet. */
public final class OcspForge {
    private final Party issuer;
    private Party signer;
    private BigInteger serialNumber;
    private @Nullable CertificateStatus status = CertificateStatus.GOOD;
    private Instant from = NOW.minusSeconds(60);
    private @Nullable Instant until = END;
    private @Nullable Extension nonce;

    private OcspForge(Party issuer, X509Certificate about) {
        this.issuer = issuer;
        this.signer = issuer;
        this.serialNumber = about.getSerialNumber();
    }

    public static OcspForge of(Party issuer, Party about) {
        return new OcspForge(issuer, about.certificate());
    }

    public OcspForge signedBy(Party other) {
        signer = other;
        return this;
    }

    public OcspForge about(BigInteger other) {
        serialNumber = other;
        return this;
    }

    public OcspForge revoked() {
        status = new RevokedStatus(Date.from(NOW.minusSeconds(120)));
        return this;
    }

    public OcspForge unknown() {
        status = new UnknownStatus();
        return this;
    }

    public OcspForge during(Instant first, @Nullable Instant last) {
        from = first;
        until = last;
        return this;
    }

    /** Repeats the nonce of a question. */
    public OcspForge answering(byte[] question) throws IOException {
        nonce = new OCSPReq(question).getExtension(OCSPObjectIdentifiers.id_pkix_ocsp_nonce);
        return this;
    }

    public OcspForge nonce(Extension other) {
        nonce = other;
        return this;
    }

    public byte[] der() {
        try {
            DigestCalculator sha1 = new JcaDigestCalculatorProviderBuilder()
                    .build()
                    .get(new AlgorithmIdentifier(OIWObjectIdentifiers.idSHA1, DERNull.INSTANCE));
            X509CertificateHolder holder = new JcaX509CertificateHolder(issuer.certificate());
            var builder = new BasicOCSPRespBuilder(
                    new RespID(new JcaX509CertificateHolder(signer.certificate()).getSubject()));
            builder.addResponse(
                    new CertificateID(sha1, holder, serialNumber),
                    status,
                    Date.from(from),
                    until == null ? null : Date.from(until));
            if (nonce != null) {
                builder.setResponseExtensions(new Extensions(nonce));
            }
            var content = Certificates.signer(signer.pair().getPrivate());
            X509CertificateHolder[] chain = {new JcaX509CertificateHolder(signer.certificate())};
            return new OCSPRespBuilder()
                    .build(OCSPRespBuilder.SUCCESSFUL, builder.build(content, chain, Date.from(NOW)))
                    .getEncoded();
        } catch (OCSPException | OperatorCreationException | IOException | CertificateEncodingException e) {
            throw new IllegalStateException(e);
        }
    }
}
