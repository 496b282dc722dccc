/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.crypto.SoftwareKey;
import org.signetmq.keystore.internal.x509.CertificateIssuer;

/** The identities of a home. Thread-safe. */
public final class IdentityStore {
    private final IdentityFiles files;
    private final IdentityFiles issuers;
    private final CertificateIssuer issuing;
    private final CryptoProviders providers;
    private final SecureRandom random = new SecureRandom();

    IdentityStore(Home home, CryptoProviders providers, Clock clock) {
        this.files = new IdentityFiles(home, providers);
        this.issuers = new IdentityFiles(home, CryptoProviders.jdk()); // for few signatures, without a library to load
        this.providers = providers;
        this.issuing = new CertificateIssuer(clock, random);
    }

    /**
     * Creates an identity: generates its key, and writes its key store and recipient entry. A self-signed identity gets
     * a trust entry too. The issuer's key store must have the same password.
     *
     * @throws KeystoreUnusableException if the name is taken, the issuer cannot issue, or nothing can be written
     */
    public Identity create(IdentityRequest request, Password password) {
        X500Name subject = prepared(request, password);
        Identity issuer = issuer(request.issuer(), password);
        return created(request, password, pair -> chain(subject, pair, issuer));
    }

    /** Returns the names of all identities, sorted. */
    public List<String> names() {
        return files.names();
    }

    /**
     * Loads an identity.
     *
     * @throws KeystoreUnusableException if it is missing or unreadable, or the password is wrong; the text says which
     */
    public Identity load(String name, Password password) {
        return files.load(name, password);
    }

    /**
     * Creates an issuing identity, and writes its key store and trust entry. It issues the certificates of other
     * identities. It neither signs nor receives messages.
     *
     * @param request without an issuer
     * @throws KeystoreUnusableException if the name is taken, or nothing can be written
     */
    public Identity createAuthority(IdentityRequest request, Password password) {
        if (request.issuer() != null) {
            throw new KeystoreUnusableException("identity '" + request.name()
                    + "': an issuing identity cannot have an issuer; leave out the one or the other");
        }
        X500Name subject = prepared(request, password);
        return created(
                request,
                password,
                pair -> List.of(issuing.authority(subject, pair.getPublic(), forCertificates(pair))));
    }

    private interface Issue {
        List<X509Certificate> chain(KeyPair pair) throws GeneralSecurityException;
    }

    private Identity created(IdentityRequest request, Password password, Issue issue) {
        try {
            KeyPair pair = CryptoProviders.generate(request.keyAlgorithm(), random);
            Identity created =
                    new Identity(request.name(), new SoftwareKey(pair.getPrivate(), providers), issue.chain(pair));
            files.write(created, password);
            return created;
        } catch (GeneralSecurityException e) {
            throw new KeystoreUnusableException("identity '" + request.name() + "': cannot be created", e);
        }
    }

    private X500Name prepared(IdentityRequest request, Password password) {
        IdentityFiles.requireName(request.name());
        X500Name subject = subject(request);
        KeyStoreFile.requirePortable(password);
        files.requireFree(request.name());
        return subject;
    }

    private static X500Name subject(IdentityRequest request) {
        try {
            return DistinguishedName.encode(request.distinguishedName());
        } catch (IllegalArgumentException e) {
            throw new KeystoreUnusableException(String.valueOf(e.getMessage()), e);
        }
    }

    private @Nullable Identity issuer(@Nullable String name, Password password) {
        if (name == null) {
            return null;
        }
        Identity issuer = issuers.load(name, password);
        issuing.requireIssuer(issuer);
        return issuer;
    }

    private static PrivateKeyOperations forCertificates(KeyPair pair) {
        return new SoftwareKey(pair.getPrivate(), CryptoProviders.jdk());
    }

    private List<X509Certificate> chain(X500Name subject, KeyPair pair, @Nullable Identity issuer)
            throws GeneralSecurityException {
        if (issuer == null) {
            return List.of(issuing.selfSigned(subject, pair.getPublic(), forCertificates(pair)));
        }
        List<X509Certificate> chain = new ArrayList<>();
        chain.add(issuing.issued(subject, pair.getPublic(), issuer));
        chain.addAll(issuer.chain());
        return chain;
    }
}
