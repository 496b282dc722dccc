/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.signature;

import static org.signetmq.envelope.internal.der.DerReader.OCTET_STRING;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.SET;
import static org.signetmq.envelope.internal.der.DerReader.constructed;
import static org.signetmq.envelope.internal.der.DerReader.primitive;
import static org.signetmq.envelope.internal.der.DerWriter.concat;
import static org.signetmq.envelope.internal.der.DerWriter.element;

import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.envelope.internal.cms.SignatureOids;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.Policy;
import org.signetmq.policy.SignatureAlgorithm;

/** A signer with the constant parts of its signatures. Thread-safe. */
public final class SignerProfile {
    private static final String DIGEST = "SHA-512";

    private final Identity identity;
    private final SignatureScheme scheme;
    private final byte[] beforeAttributes;
    private final byte[] algorithm;
    private final byte[] certificates;
    private final byte[] signingCertificate;
    private volatile @Nullable SignedAttributesTemplate attributes;

    private SignerProfile(Identity identity, SignatureScheme scheme, Function<byte[], byte[]> included) {
        this.identity = identity;
        this.scheme = scheme;
        byte[] identifier = element(primitive(0), identity.keyIdentifier().bytes());
        this.beforeAttributes = concat(SignedDataWriter.VERSION_3, identifier, SignedDataWriter.SHA_512);
        this.algorithm = SignatureOids.of(scheme);
        try {
            byte[] certificate = identity.certificate().getEncoded();
            this.certificates = included.apply(certificate);
            this.signingCertificate = signingCertificate(certificate);
        } catch (CertificateEncodingException unusable) {
            throw new KeystoreUnusableException("identity '" + identity.name() + "': unusable certificate", unusable);
        }
    }

    static SignerProfile of(Identity identity, Policy.Signing signing) {
        PublicKey publicKey = identity.certificate().getPublicKey();
        SignatureScheme natural = SignatureScheme.of(publicKey)
                .orElseThrow(() -> new KeystoreUnusableException(
                        "identity '" + identity.name() + "': its " + publicKey.getAlgorithm() + " key cannot sign"));
        boolean pss = natural == SignatureScheme.RSA && signing.algorithm() == SignatureAlgorithm.SHA_512_RSA_PSS;
        return new SignerProfile(
                identity,
                pss ? SignatureScheme.RSA_PSS : natural,
                certificate -> signing.certificate() == CertificateInclusion.INCLUDED
                        ? element(constructed(0), certificate)
                        : new byte[0]);
    }

    /**
     * Returns the profile for a document that is read without the home of the signer: its signature has all
     * certificates of the signer, except roots.
     */
    public static SignerProfile ofDocument(Identity identity) {
        SignerProfile alone = of(identity, Policy.Signing.DEFAULT);
        return new SignerProfile(identity, alone.scheme, certificate -> chain(identity, certificate));
    }

    private static byte[] chain(Identity identity, byte[] certificate) {
        List<byte[]> all = new ArrayList<>(List.of(certificate));
        try {
            for (X509Certificate issuer :
                    identity.chain().subList(1, identity.chain().size())) {
                if (!issuer.getSubjectX500Principal().equals(issuer.getIssuerX500Principal())) {
                    all.add(issuer.getEncoded());
                }
            }
        } catch (CertificateEncodingException unusable) {
            throw new KeystoreUnusableException("identity '" + identity.name() + "': unusable certificate", unusable);
        }
        return element(constructed(0), DerWriter.sorted(all.toArray(byte[][]::new)));
    }

    /** Encodes the attribute signing-certificate-v2 (RFC 5035) with SHA-256, the default algorithm. */
    private static byte[] signingCertificate(byte[] certificate) {
        byte[] hash = element(OCTET_STRING, CryptoProviders.sha256(certificate));
        byte[] certIds = element(SEQUENCE, element(SEQUENCE, hash));
        return element(SEQUENCE, Oids.SIGNING_CERTIFICATE_V2, element(SET, element(SEQUENCE, certIds)));
    }

    /** Signs with SHA-512. */
    byte[] sign(byte[] bytes) {
        return identity.privateKey().sign(scheme, DIGEST, bytes);
    }

    /** The start of a SignerInfo: version, subject key identifier and digest algorithm. */
    byte[] beforeAttributes() {
        return beforeAttributes;
    }

    /** The AlgorithmIdentifier of the signatures. */
    byte[] algorithm() {
        return algorithm;
    }

    /** The certificates field; empty if the policy only references the certificate. */
    byte[] certificates() {
        return certificates;
    }

    /** Returns the signed attributes of a message as SET OF, by the SHA-512 of its content. */
    byte[] signedAttributes(byte[] digest, Instant time) {
        SignedAttributesTemplate current = attributes;
        if (current == null || current.second() != time.getEpochSecond()) {
            current = SignedAttributesTemplate.of(signingCertificate, time);
            attributes = current;
        }
        return current.with(digest);
    }
}
