/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.x500.X500Name;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.file.FileChanges;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.KeyStoreFile;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.home.PermissionCheck;
import org.signetmq.keystore.internal.file.BoundedFile;
import org.signetmq.keystore.internal.x509.CertificateIssuer;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.SoftwareKey;

/**
 * The keys of a home that wait for a certificate of another issuer, with their requests. The private key is encrypted
 * and never leaves the home. Thread-safe.
 */
public record PendingRequests(Home home) {
    private static final String KEY = ".p12";
    private static final String REQUEST = ".csr";

    /** Returns the names with a pending request, sorted. */
    public List<String> names() {
        return BoundedFile.names(home.pendingKeys(), KEY);
    }

    /** Returns the pending request of a name; empty if there is none. Needs no password. */
    public Optional<SigningRequest> find(String name) {
        IdentityStore.requireName(name);
        if (!Files.exists(key(name), LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try {
            byte[] request = new WholeFile(request(name))
                    .read(SigningRequest.MAX_BYTES)
                    .orElseThrow(() -> new KeystoreUnusableException(
                            request(name) + ": missing; discard the pending key, and request again"));
            return Optional.of(SigningRequest.parse(request, request(name).toString()));
        } catch (IOException e) {
            throw new KeystoreUnusableException(request(name) + ": cannot be read", e);
        }
    }

    /**
     * Makes a key and a request for it. The home keeps both until {@link IdentityImport} gets the certificate.
     *
     * @param subject the wished distinguished name as RFC 4514 text
     * @throws KeystoreUnusableException if the name has a pending request, or nothing can be written
     */
    public SigningRequest make(String name, String subject, KeyAlgorithm algorithm, Password password) {
        return make(name, DistinguishedName.encodeReadable(subject), algorithm, password);
    }

    /**
     * Makes a new key for an identity of the home, and a request for it with the identity's distinguished name.
     *
     * @throws KeystoreUnusableException as {@link #make} does
     */
    public SigningRequest renew(Identity identity, KeyAlgorithm algorithm, Password password) {
        return make(identity.name(), nameOf(identity), algorithm, password);
    }

    /** Returns a request for the present key of an identity. Nothing is kept for it. */
    public static SigningRequest again(Identity identity) {
        return SigningRequest.of(identity, nameOf(identity));
    }

    /**
     * Returns a request for the key of an identity with another distinguished name. Nothing is kept for it.
     *
     * @param subject the wished distinguished name as RFC 4514 text
     * @throws KeystoreUnusableException if the text is no name
     */
    public static SigningRequest again(Identity identity, String subject) {
        return SigningRequest.of(identity, DistinguishedName.encodeReadable(subject));
    }

    private SigningRequest make(String name, X500Name subject, KeyAlgorithm algorithm, Password password) {
        if (!home.identityStore().names().contains(name)) {
            home.identityStore().requireFree(name);
        }
        IdentityStore.requireSigning(algorithm);
        KeyStoreFile.requirePortable(password);
        return home.identityStore().exclusively(name, () -> {
            if (Files.exists(key(name), LinkOption.NOFOLLOW_LINKS)) {
                throw new KeystoreUnusableException(
                        "identity '" + name + "': a request is pending already in " + home.pendingKeys());
            }
            try (FileChanges changes = new FileChanges()) {
                Identity pending = pending(name, subject, algorithm);
                SigningRequest request = SigningRequest.of(pending, subject);
                changes.put(request(name), WholeFile.PRIVATE, request.file());
                changes.put(key(name), WholeFile.PRIVATE, KeyStoreFile.bytes(pending, password));
                changes.apply(() -> {});
                return request;
            } catch (IOException | GeneralSecurityException e) {
                throw new KeystoreUnusableException(
                        "identity '" + name + "': the request cannot be written to " + home.pendingKeys() + ": "
                                + e.getMessage(),
                        e);
            }
        });
    }

    /** Makes a key with a certificate that only its file needs. */
    private Identity pending(String name, X500Name subject, KeyAlgorithm algorithm) throws GeneralSecurityException {
        SecureRandom random = new SecureRandom();
        KeyPair pair = CryptoProviders.generate(algorithm, random);
        SoftwareKey key = new SoftwareKey(pair.getPrivate(), CryptoProviders.jdk());
        CertificateIssuer issuer = new CertificateIssuer(Clock.systemUTC(), random);
        return new Identity(name, key, List.of(issuer.selfSigned(subject, pair.getPublic(), key)));
    }

    private static X500Name nameOf(Identity identity) {
        return X500Name.getInstance(
                identity.certificate().getSubjectX500Principal().getEncoded());
    }

    /** Loads the pending key of a name. Its certificate is none that others accept. */
    Identity load(String name, Password password) {
        PermissionCheck.forThisUser().part(home.pendingKeys()).secret(key(name)).requireNoFinding();
        return KeyStoreFile.read(key(name), name, password, CryptoProviders.jdk());
    }

    /** Removes the pending request of a name with its key. The key is lost, and a certificate for it has no use. */
    public void discard(String name) {
        IdentityStore.requireName(name);
        if (!Files.isDirectory(home.pendingKeys())) {
            return;
        }
        try (FileChanges changes = new FileChanges()) {
            changes.delete(key(name));
            changes.delete(request(name));
            changes.apply(() -> {});
        } catch (IOException e) {
            throw new KeystoreUnusableException(key(name) + ": cannot be removed: " + e.getMessage(), e);
        }
    }

    Path key(String name) {
        return home.pendingKeys().resolve(name + KEY);
    }

    private Path request(String name) {
        return home.pendingKeys().resolve(name + REQUEST);
    }
}
