/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import static org.signetmq.keystore.internal.x509.TestCertificates.END;
import static org.signetmq.keystore.internal.x509.TestCertificates.START;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;

/** Makes certificates as an attacker does: any name, any key, any extension. */
public final class CertificateForge {
    private final X500Name subject;
    private final KeyPair pair;
    private final Map<ASN1ObjectIdentifier, Extension> extensions = new LinkedHashMap<>();
    private X500Name issuer;
    private KeyPair signer;
    private Instant end = END;

    private CertificateForge(X500Name subject, KeyPair pair) {
        this.subject = subject;
        this.pair = pair;
        this.issuer = subject;
        this.signer = pair;
    }

    public static CertificateForge of(String dn) {
        return of(dn, TestCertificates.ec());
    }

    public static CertificateForge of(String dn, KeyPair pair) {
        return of(DistinguishedName.encode(dn), pair);
    }

    public static CertificateForge of(X500Name subject, KeyPair pair) {
        return new CertificateForge(subject, pair);
    }

    /** As earlier versions of Signet made every identity. */
    public static Party oldIdentity(String dn) {
        return of(dn).with(Extension.basicConstraints, true, new BasicConstraints(0))
                .usage(KeyUsage.digitalSignature | KeyUsage.keyAgreement | KeyUsage.keyCertSign | KeyUsage.cRLSign)
                .make();
    }

    public CertificateForge by(Party authority) {
        issuer = X500Name.getInstance(
                authority.certificate().getSubjectX500Principal().getEncoded());
        signer = authority.pair();
        return this;
    }

    public CertificateForge until(Instant instant) {
        this.end = instant;
        return this;
    }

    public CertificateForge authority() {
        return with(Extension.basicConstraints, true, new BasicConstraints(true));
    }

    public CertificateForge usage(int bits) {
        return with(Extension.keyUsage, true, new KeyUsage(bits));
    }

    public CertificateForge with(ASN1ObjectIdentifier type, boolean critical, ASN1Encodable value) {
        try {
            extensions.put(type, new Extension(type, critical, new DEROctetString(value)));
            return this;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Adds an extension with these bytes, which need not be well-formed. */
    public CertificateForge with(ASN1ObjectIdentifier type, byte[] value) {
        extensions.put(type, new Extension(type, false, value));
        return this;
    }

    public CertificateForge identifier(byte @Nullable [] bytes) {
        return bytes == null ? this : with(Extension.subjectKeyIdentifier, false, new DEROctetString(bytes));
    }

    public Party make() {
        try {
            var builder = new X509v3CertificateBuilder(
                    issuer,
                    new BigInteger(100, new SecureRandom()).add(BigInteger.ONE),
                    Date.from(START),
                    Date.from(end),
                    subject,
                    SubjectPublicKeyInfo.getInstance(pair.getPublic().getEncoded()));
            for (Extension extension : extensions.values()) {
                builder.addExtension(extension);
            }
            String algorithm = signer.getPrivate().getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
            var content = new JcaContentSignerBuilder(algorithm).build(signer.getPrivate());
            return new Party(
                    subject.toString(),
                    pair,
                    CertificateProviders.certificate(builder.build(content).getEncoded()));
        } catch (IOException | OperatorCreationException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
