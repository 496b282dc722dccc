/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.DefaultSignatureAlgorithmIdentifierFinder;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRenewal;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.SignatureScheme;

/** Issues X.509 version 3 certificates (RFC 5280). Thread-safe. */
public final class CertificateIssuer {
    /** The time before now from which a certificate is valid, because a consumer's clock may be late. */
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    private static final int SERIAL_BYTES = 16;
    private static final String DIGEST = "SHA-512";

    private final Clock clock;
    private final SecureRandom random;
    private final Duration validity;

    public CertificateIssuer(Clock clock, SecureRandom random) {
        this(clock, random, IdentityRenewal.DEFAULT_VALIDITY);
    }

    private CertificateIssuer(Clock clock, SecureRandom random, Duration validity) {
        this.clock = clock;
        this.random = random;
        this.validity = validity;
    }

    /** Returns the same issuer for certificates that are valid for this time from now. */
    public CertificateIssuer withValidity(Duration time) {
        return new CertificateIssuer(clock, random, time);
    }

    /** Rejects an identity that may not issue certificates, or whose certificate is not valid now. */
    public void requireIssuer(Identity issuer) {
        X509Certificate certificate = issuer.certificate();
        if (!IssuerRules.mayIssue(certificate) || IssuerRules.isIdentityThatIssues(certificate)) {
            throw new KeystoreUnusableException("issuer '" + issuer.name()
                    + "': it is not an issuing identity; make one with: signet identity create NAME --dn DN --ca");
        }
        Instant now = clock.instant();
        if (now.isAfter(certificate.getNotAfter().toInstant())) {
            throw new KeystoreUnusableException("issuer '" + issuer.name() + "': its certificate expired on "
                    + certificate.getNotAfter().toInstant());
        }
        if (now.isBefore(certificate.getNotBefore().toInstant())) {
            throw new KeystoreUnusableException("issuer '" + issuer.name() + "': its certificate is not valid before "
                    + certificate.getNotBefore().toInstant());
        }
    }

    /** Returns a self-signed certificate that can sign and receive, and issues no others. */
    public X509Certificate selfSigned(X500Name subject, PublicKey publicKey, PrivateKeyOperations key)
            throws GeneralSecurityException {
        X509v3CertificateBuilder builder = selfIssued(subject, publicKey);
        extend(builder, Extension.basicConstraints, new BasicConstraints(false));
        extend(builder, Extension.keyUsage, new KeyUsage(leafUsage(publicKey)));
        return sign(builder, new Signer(publicKey, key));
    }

    /** Returns a self-signed certificate that issues leaf certificates, and neither signs nor receives messages. */
    public X509Certificate authority(X500Name subject, PublicKey publicKey, PrivateKeyOperations key)
            throws GeneralSecurityException {
        X509v3CertificateBuilder builder = selfIssued(subject, publicKey);
        extend(builder, Extension.basicConstraints, new BasicConstraints(0));
        extend(builder, Extension.keyUsage, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
        return sign(builder, new Signer(publicKey, key));
    }

    private X509v3CertificateBuilder selfIssued(X500Name subject, PublicKey key) throws GeneralSecurityException {
        X509v3CertificateBuilder builder = new X509v3CertificateBuilder(
                subject, serial(), Date.from(notBefore()), Date.from(notAfter()), subject, keyInfo(key));
        byte[] keyId = keyIdentifier(key);
        extend(builder, Extension.subjectKeyIdentifier, new SubjectKeyIdentifier(keyId));
        extend(builder, Extension.authorityKeyIdentifier, new AuthorityKeyIdentifier(keyId));
        return builder;
    }

    /** Returns an issued certificate that can sign and receive. It ends not later than its issuer. */
    public X509Certificate issued(X500Name subject, PublicKey key, Identity issuer) throws GeneralSecurityException {
        X509Certificate authority = issuer.certificate();
        Date notBefore = Collections.max(List.of(Date.from(notBefore()), authority.getNotBefore()));
        Date notAfter = Collections.min(List.of(Date.from(notAfter()), authority.getNotAfter()));
        X500Name issuerName =
                X500Name.getInstance(authority.getSubjectX500Principal().getEncoded());
        X509v3CertificateBuilder builder =
                new X509v3CertificateBuilder(issuerName, serial(), notBefore, notAfter, subject, keyInfo(key));
        extend(builder, Extension.basicConstraints, new BasicConstraints(false));
        extend(builder, Extension.keyUsage, new KeyUsage(leafUsage(key)));
        extend(builder, Extension.subjectKeyIdentifier, new SubjectKeyIdentifier(keyIdentifier(key)));
        extend(
                builder,
                Extension.authorityKeyIdentifier,
                new AuthorityKeyIdentifier(issuer.keyIdentifier().bytes()));
        // "openssl cms -verify" requires it by default
        extend(builder, Extension.extendedKeyUsage, new ExtendedKeyUsage(KeyPurposeId.id_kp_emailProtection));
        return sign(builder, new Signer(authority.getPublicKey(), issuer.privateKey()));
    }

    private static X509Certificate sign(X509v3CertificateBuilder builder, Signer signer)
            throws GeneralSecurityException {
        try {
            return CertificateProviders.certificate(builder.build(signer).getEncoded());
        } catch (IOException e) {
            throw new GeneralSecurityException("certificate: cannot be encoded", e);
        }
    }

    private static void extend(X509v3CertificateBuilder builder, ASN1ObjectIdentifier type, ASN1Encodable value)
            throws GeneralSecurityException {
        boolean critical = type.equals(Extension.basicConstraints) || type.equals(Extension.keyUsage);
        try {
            builder.addExtension(type, critical, value);
        } catch (IOException e) {
            throw new GeneralSecurityException("extension: cannot be encoded", e);
        }
    }

    private static int leafUsage(PublicKey key) {
        return switch (key.getAlgorithm()) {
            case "RSA" -> KeyUsage.digitalSignature | KeyUsage.keyEncipherment;
            case "EC" -> KeyUsage.digitalSignature | KeyUsage.keyAgreement;
            default -> KeyUsage.digitalSignature;
        };
    }

    private BigInteger serial() {
        byte[] bytes = new byte[SERIAL_BYTES];
        random.nextBytes(bytes);
        // positive, and always of full length
        bytes[0] = (byte) ((bytes[0] & 0x3f) | 0x40);
        return new BigInteger(bytes);
    }

    private static SubjectPublicKeyInfo keyInfo(PublicKey key) {
        return SubjectPublicKeyInfo.getInstance(key.getEncoded());
    }

    private static byte[] keyIdentifier(PublicKey key) {
        return KeyIdentifier.ofKey(keyInfo(key)).bytes();
    }

    private Instant notBefore() {
        return clock.instant().minus(CLOCK_SKEW);
    }

    private Instant notAfter() {
        return clock.instant().plus(validity);
    }

    /** Signs one certificate, wherever the private key is kept. */
    private static final class Signer implements ContentSigner {
        private final SignatureScheme scheme;
        private final PrivateKeyOperations key;
        private final ByteArrayOutputStream content = new ByteArrayOutputStream();

        Signer(PublicKey publicKey, PrivateKeyOperations key) {
            this.scheme = SignatureScheme.of(publicKey)
                    .orElseThrow(() ->
                            new KeystoreUnusableException("key: an " + publicKey.getAlgorithm() + " key cannot sign"));
            this.key = key;
        }

        @Override
        public AlgorithmIdentifier getAlgorithmIdentifier() {
            return new DefaultSignatureAlgorithmIdentifierFinder().find(scheme.primitive(DIGEST));
        }

        @Override
        public OutputStream getOutputStream() {
            return content;
        }

        @Override
        public byte[] getSignature() {
            return key.sign(scheme, DIGEST, content.toByteArray());
        }
    }
}
