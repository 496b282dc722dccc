/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.x509.CertificateIssuer;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.internal.x509.CertificateProviders.StructureSignature;
import org.signetmq.keystore.internal.x509.KeyRules;
import org.signetmq.keystore.internal.x509.PemText;

/**
 * A request for a certificate (PKCS#10, RFC 2986). Its signature proves that its sender has the private key. Its key
 * keeps the rules for keys. Immutable.
 */
public final class SigningRequest {
    /** The greatest length of a file with a request, in bytes. */
    public static final int MAX_BYTES = 64 << 10;

    private static final int MAX_NAME = 2048;

    private final PKCS10CertificationRequest request;
    private final PublicKey publicKey;

    private SigningRequest(PKCS10CertificationRequest request, PublicKey publicKey) {
        this.request = request;
        this.publicKey = publicKey;
    }

    /**
     * Reads a request as PEM or DER, and verifies its signature.
     *
     * @param source the name of the file, for messages
     * @throws KeystoreUnusableException if it is malformed, its key is weak, or the private key did not sign it
     */
    public static SigningRequest parse(byte[] bytes, String source) {
        PKCS10CertificationRequest request = decoded(bytes, source);
        SubjectPublicKeyInfo key = request.getSubjectPublicKeyInfo();
        KeyRules.problem(key, CertificateUse.SIGNING).ifPresent(problem -> {
            throw new KeystoreUnusableException(source + ": " + problem);
        });
        if (!KeyRules.isStrong(request.getSignatureAlgorithm())) {
            throw new KeystoreUnusableException(source + ": its signature is of the unsupported kind "
                    + request.getSignatureAlgorithm().getAlgorithm()
                    + "; use ECDSA or RSA with SHA-256, SHA-384 or SHA-512, Ed25519, ML-DSA-65 or ML-DSA-87");
        }
        try {
            PublicKey publicKey = CertificateProviders.publicKey(key);
            byte[] signed =
                    request.toASN1Structure().getCertificationRequestInfo().getEncoded("DER");
            if (!new StructureSignature(request.getSignatureAlgorithm(), request.getSignature())
                    .isBy(publicKey, signed)) {
                throw new KeystoreUnusableException(source
                        + ": its signature is wrong, so its sender did not prove to have the private key; ask for a"
                        + " new request");
            }
            return readable(new SigningRequest(request, publicKey), source);
        } catch (GeneralSecurityException | IOException e) {
            throw new KeystoreUnusableException(source + ": its key is malformed", e);
        }
    }

    private static SigningRequest readable(SigningRequest request, String source) {
        if (request.subject().getName().length() > MAX_NAME) {
            throw new KeystoreUnusableException(
                    source + ": its distinguished name is longer than " + MAX_NAME + " characters");
        }
        if (!DistinguishedName.isReadable(request.subject())) {
            throw new KeystoreUnusableException(
                    source + ": its distinguished name is empty, or has characters that are invisible or ambiguous");
        }
        return request;
    }

    private static PKCS10CertificationRequest decoded(byte[] bytes, String source) {
        if (bytes.length > MAX_BYTES) {
            throw new KeystoreUnusableException(source + ": larger than " + MAX_BYTES + " bytes");
        }
        List<byte[]> blocks = PemText.isPem(bytes)
                ? PemText.blocks(bytes, source, MAX_BYTES).stream()
                        .filter(block -> block.label().endsWith("CERTIFICATE REQUEST"))
                        .map(PemText.Block::content)
                        .toList()
                : List.of(bytes);
        if (blocks.size() != 1) {
            throw new KeystoreUnusableException(
                    source + ": holds " + blocks.size() + " certificate requests (PKCS#10), not one");
        }
        try {
            return new PKCS10CertificationRequest(blocks.get(0));
        } catch (IOException | RuntimeException e) { // the parser throws undocumented exceptions
            throw new KeystoreUnusableException(source + ": not a certificate request (PKCS#10)", e);
        }
    }

    /** Makes a request for the key of an identity. */
    static SigningRequest of(Identity identity, X500Name subject) {
        PublicKey key = identity.certificate().getPublicKey();
        return new SigningRequest(CertificateIssuer.request(subject, key, identity.privateKey()), key);
    }

    /** Returns the distinguished name that the sender wishes. */
    public X500Principal subject() {
        return principal(request.getSubject());
    }

    static X500Principal principal(X500Name name) {
        try {
            return new X500Principal(name.getEncoded());
        } catch (IOException | IllegalArgumentException e) {
            throw new KeystoreUnusableException("request: its distinguished name is malformed", e);
        }
    }

    X500Name name() {
        return request.getSubject();
    }

    /** Returns the key to be certified. */
    public PublicKey publicKey() {
        return publicKey;
    }

    /** Returns the identifier of the key. */
    public KeyIdentifier keyIdentifier() {
        return KeyIdentifier.ofKey(request.getSubjectPublicKeyInfo());
    }

    /** Returns the request as PEM. */
    public String pem() {
        try {
            return PemText.of("CERTIFICATE REQUEST", request.getEncoded());
        } catch (IOException e) {
            throw new IllegalStateException("request: cannot be encoded", e);
        }
    }

    byte[] file() {
        return pem().getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public String toString() {
        return "SigningRequest[" + keyIdentifier() + "]";
    }
}
