/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.testkit;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
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
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Makes certificates as an attacker does: any name, any key, any time, any extension. */
public final class Certificates {
    private final X500Name subject;
    private final SubjectPublicKeyInfo key;
    private final Map<ASN1ObjectIdentifier, Extension> extensions = new LinkedHashMap<>();
    private X500Name issuer;
    private Instant start = Instant.now().minus(Duration.ofMinutes(1));
    private Instant end = Instant.now().plus(Duration.ofDays(1));

    private Certificates(X500Name subject, PublicKey key) {
        this.subject = subject;
        this.issuer = subject;
        this.key = SubjectPublicKeyInfo.getInstance(key.getEncoded());
    }

    /** Begins a certificate that its own subject issues. It is valid for a day from now on, and has no extension. */
    public static Certificates of(X500Name subject, PublicKey key) {
        return new Certificates(subject, key);
    }

    /** Returns the name of the subject of a certificate, byte for byte. */
    public static X500Name subject(X509Certificate certificate) {
        return X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
    }

    /** Names an issuer, whose key is that of the signer or any other. */
    public Certificates by(X500Name name) {
        issuer = name;
        return this;
    }

    /** Limits the time in which it is valid, to the second. */
    public Certificates during(Instant from, Instant to) {
        start = from;
        end = to;
        return this;
    }

    /** Says whether the subject issues certificates. */
    public Certificates authority(boolean is) {
        return with(Extension.basicConstraints, true, new BasicConstraints(is));
    }

    /** Limits the key to uses, which are bits of {@link KeyUsage}. */
    public Certificates usage(int bits) {
        return with(Extension.keyUsage, true, new KeyUsage(bits));
    }

    /** Gives the subject's key this identifier. */
    public Certificates identifier(byte[] bytes) {
        return with(Extension.subjectKeyIdentifier, false, new DEROctetString(bytes));
    }

    /** Adds an extension. */
    public Certificates with(ASN1ObjectIdentifier type, boolean critical, ASN1Encodable value) {
        try {
            return with(new Extension(type, critical, new DEROctetString(value)));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Adds an extension, whose bytes need not be well-formed. */
    public Certificates with(Extension extension) {
        extensions.put(extension.getExtnId(), extension);
        return this;
    }

    /** Signs as {@link #signer} does. */
    public X509Certificate signed(PrivateKey signer) {
        return signed(signer(signer));
    }

    /** Returns a signer by ML-DSA, or with SHA-256 by RSA PKCS #1 or ECDSA, as the key is. */
    public static ContentSigner signer(PrivateKey key) {
        String algorithm = key.getAlgorithm();
        try {
            return algorithm.startsWith("ML-DSA")
                    ? new JcaContentSignerBuilder(algorithm)
                            .setProvider(new BouncyCastleProvider())
                            .build(key)
                    : new JcaContentSignerBuilder(algorithm.equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA")
                            .build(key);
        } catch (OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Signs by any signer. Each certificate has another serial number. */
    public X509Certificate signed(ContentSigner signer) {
        try {
            var builder = new X509v3CertificateBuilder(
                    issuer,
                    new BigInteger(100, new SecureRandom()).add(BigInteger.ONE),
                    Date.from(start),
                    Date.from(end),
                    subject,
                    key);
            for (Extension extension : extensions.values()) {
                builder.addExtension(extension);
            }
            return (X509Certificate) CertificateFactory.getInstance("X.509", "SUN")
                    .generateCertificate(
                            new ByteArrayInputStream(builder.build(signer).getEncoded()));
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
