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
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.DefaultSignatureAlgorithmIdentifierFinder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCS10CertificationRequestBuilder;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRenewal;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.SignatureScheme;

/**
 * Issues X.509 version 3 certificates (RFC 5280). Thread-safe.
 *
 * @param uses the bits of key usage that certificates of parties may have
 */
public record CertificateIssuer(Clock clock, SecureRandom random, Duration validity, int uses) {
    /** The time before now from which a certificate is valid, because a consumer's clock may be late. */
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    private static final String DIGEST = "SHA-512";
    private static final int SERIAL_BYTES = 16;
    private static final int ALL_USES = ~0;
    private static final int FOR_ISSUING = KeyUsage.keyCertSign | KeyUsage.cRLSign;

    public CertificateIssuer(Clock clock, SecureRandom random) {
        this(clock, random, IdentityRenewal.DEFAULT_VALIDITY, ALL_USES);
    }

    /** Returns the same issuer for certificates that are valid for this time from now. */
    public CertificateIssuer withValidity(Duration time) {
        return new CertificateIssuer(clock, random, time, uses);
    }

    /** Returns the same issuer for certificates of parties that have this use alone. */
    public CertificateIssuer forUse(CertificateUse use) {
        int bits = use == CertificateUse.SIGNING
                ? KeyUsage.digitalSignature
                : KeyUsage.keyEncipherment | KeyUsage.keyAgreement;
        return new CertificateIssuer(clock, random, validity, bits);
    }

    /** Rejects an identity that may not issue certificates, or whose certificate is not valid now. */
    public void requireIssuer(Identity issuer) {
        X509Certificate certificate = issuer.certificate();
        if (!CertificateRules.mayIssue(certificate) || CertificateRules.isIdentityThatIssues(certificate)) {
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
        X509v3CertificateBuilder builder = selfIssued(subject, publicKey, publicKey);
        return sign(builder, new BasicConstraints(false), uses & leafUsage(publicKey), new KeySigner(publicKey, key));
    }

    /**
     * Returns a certificate for a receiving key that cannot sign. The signing key of the same party signs it. The
     * signature proves nothing to others, who trust the certificate itself as a self-signed one.
     */
    public X509Certificate signedByOwner(X500Name subject, PublicKey publicKey, Identity owner)
            throws GeneralSecurityException {
        X509v3CertificateBuilder builder =
                selfIssued(subject, publicKey, owner.certificate().getPublicKey());
        return sign(builder, new BasicConstraints(false), uses & leafUsage(publicKey), KeySigner.of(owner));
    }

    /** Returns a self-signed certificate that issues leaf certificates, and neither signs nor receives messages. */
    public X509Certificate authority(X500Name subject, PublicKey publicKey, PrivateKeyOperations key)
            throws GeneralSecurityException {
        X509v3CertificateBuilder builder = selfIssued(subject, publicKey, publicKey);
        return sign(builder, new BasicConstraints(0), FOR_ISSUING, new KeySigner(publicKey, key));
    }

    private X509v3CertificateBuilder selfIssued(X500Name subject, PublicKey key, PublicKey signer)
            throws GeneralSecurityException {
        X509v3CertificateBuilder builder = new X509v3CertificateBuilder(
                subject, serial(), Date.from(notBefore()), Date.from(notAfter()), subject, keyInfo(key));
        extend(builder, Extension.subjectKeyIdentifier, new SubjectKeyIdentifier(keyIdentifier(key)));
        extend(builder, Extension.authorityKeyIdentifier, new AuthorityKeyIdentifier(keyIdentifier(signer)));
        return builder;
    }

    /** Returns an issued certificate that can sign and receive. It ends not later than its issuer. */
    public X509Certificate issued(X500Name subject, PublicKey key, Identity issuer) throws GeneralSecurityException {
        X509v3CertificateBuilder builder = issuedBy(issuer, subject, key);
        // "openssl cms -verify" requires it by default
        extend(builder, Extension.extendedKeyUsage, new ExtendedKeyUsage(KeyPurposeId.id_kp_emailProtection));
        return sign(builder, new BasicConstraints(false), uses & leafUsage(key), KeySigner.of(issuer));
    }

    /** Returns an issued certificate that issues leaf certificates. It ends not later than its issuer. */
    public X509Certificate subordinate(X500Name subject, PublicKey key, Identity issuer)
            throws GeneralSecurityException {
        if (issuer.certificate().getBasicConstraints() < 1) {
            throw new KeystoreUnusableException(
                    "issuer '" + issuer.name() + "': its certificate allows no other issuer below it (path length 0)");
        }
        X509v3CertificateBuilder builder = issuedBy(issuer, subject, key);
        return sign(builder, new BasicConstraints(0), FOR_ISSUING, KeySigner.of(issuer));
    }

    private X509v3CertificateBuilder issuedBy(Identity issuer, X500Name subject, PublicKey key)
            throws GeneralSecurityException {
        X509Certificate authority = issuer.certificate();
        Date notBefore = Collections.max(List.of(Date.from(notBefore()), authority.getNotBefore()));
        Date notAfter = Collections.min(List.of(Date.from(notAfter()), authority.getNotAfter()));
        X500Name issuerName =
                X500Name.getInstance(authority.getSubjectX500Principal().getEncoded());
        X509v3CertificateBuilder builder =
                new X509v3CertificateBuilder(issuerName, serial(), notBefore, notAfter, subject, keyInfo(key));
        extend(builder, Extension.subjectKeyIdentifier, new SubjectKeyIdentifier(keyIdentifier(key)));
        extend(
                builder,
                Extension.authorityKeyIdentifier,
                new AuthorityKeyIdentifier(issuer.keyIdentifier().bytes()));
        return builder;
    }

    private static X509Certificate sign(
            X509v3CertificateBuilder builder, BasicConstraints constraints, int usage, ContentSigner signer)
            throws GeneralSecurityException {
        extend(builder, Extension.basicConstraints, constraints);
        extend(builder, Extension.keyUsage, new KeyUsage(usage));
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

    /** Returns a request for a certificate that signs and receives messages. */
    public static PKCS10CertificationRequest request(X500Name subject, PublicKey publicKey, PrivateKeyOperations key) {
        ExtensionsGenerator extensions = new ExtensionsGenerator();
        try {
            extensions.addExtension(Extension.keyUsage, true, new KeyUsage(leafUsage(publicKey)));
            extensions.addExtension(
                    Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_emailProtection));
        } catch (IOException e) {
            throw new IllegalStateException("extensions: cannot be encoded", e);
        }
        return new PKCS10CertificationRequestBuilder(subject, keyInfo(publicKey))
                .addAttribute(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, extensions.generate())
                .build(new KeySigner(publicKey, key));
    }

    /** Signs one certificate or request, wherever the private key is kept. */
    private static final class KeySigner implements ContentSigner {
        private final SignatureScheme scheme;
        private final String algorithm;
        private final PrivateKeyOperations key;
        private final ByteArrayOutputStream content = new ByteArrayOutputStream();

        static KeySigner of(Identity issuer) {
            return new KeySigner(issuer.certificate().getPublicKey(), issuer.privateKey());
        }

        KeySigner(PublicKey publicKey, PrivateKeyOperations key) {
            this.scheme = SignatureScheme.of(publicKey)
                    .orElseThrow(() -> new KeystoreUnusableException(
                            "key: an " + KeyAlgorithm.label(publicKey) + " key cannot sign"));
            this.algorithm = KeyAlgorithm.postQuantum(publicKey)
                    .map(KeyAlgorithm::standardName)
                    .orElseGet(() -> scheme.primitive(DIGEST));
            this.key = key;
        }

        @Override
        public AlgorithmIdentifier getAlgorithmIdentifier() {
            return new DefaultSignatureAlgorithmIdentifierFinder().find(algorithm);
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

    /** Returns the bits of the key usage of a key that signs and receives as far as its kind can. */
    static int leafUsage(PublicKey key) {
        return switch (key.getAlgorithm()) {
            case "RSA" -> KeyUsage.digitalSignature | KeyUsage.keyEncipherment;
            case "EC" -> KeyUsage.digitalSignature | KeyUsage.keyAgreement;
            default ->
                KeyAlgorithm.postQuantum(key).filter(KeyAlgorithm::isMlKem).isPresent()
                        ? KeyUsage.keyEncipherment // the only use by RFC 9935
                        : KeyUsage.digitalSignature;
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
        return PublicKeyInfo.structure(key);
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
}
