/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.bouncycastle.asn1.x500.X500Name;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRenewal;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.crypto.SoftwareKey;
import org.signetmq.keystore.internal.x509.CertificateIssuer;
import org.signetmq.keystore.internal.x509.CertificateRules;
import org.signetmq.keystore.internal.x509.IssuerRules;
import org.signetmq.keystore.internal.x509.KeyRules;

/** Generates the keys and certificates of identities, new and renewed. It writes no file. Thread-safe. */
final class IdentityGenerator {
    private final Home home;
    private final IdentityFiles issuers;
    private final CryptoProviders providers;
    private final SecureRandom random;
    private final CertificateIssuer issuing;
    private final @Nullable Identity externalIssuer;

    IdentityGenerator(Home home, CryptoProviders providers, Clock clock) {
        this.home = home;
        this.issuers = new IdentityFiles(home, CryptoProviders.jdk()); // for few signatures, without a library to load
        this.providers = providers;
        this.random = new SecureRandom();
        this.issuing = new CertificateIssuer(clock, random);
        this.externalIssuer = null;
    }

    private IdentityGenerator(IdentityGenerator like, CertificateIssuer issuing, @Nullable Identity externalIssuer) {
        this.home = like.home;
        this.issuers = like.issuers;
        this.providers = like.providers;
        this.random = like.random;
        this.issuing = issuing;
        this.externalIssuer = externalIssuer;
    }

    /** Returns the same generator, with certificates of new identities that are valid for this time from now. */
    IdentityGenerator withValidity(Duration validity) {
        return new IdentityGenerator(this, issuing.withValidity(validity), externalIssuer);
    }

    /** Returns the same generator, with certificates of new identities for this use alone. */
    IdentityGenerator forUse(CertificateUse use) {
        return new IdentityGenerator(this, issuing.forUse(use), externalIssuer);
    }

    /** Returns the same generator, with an issuing identity whose key is not in the home. */
    IdentityGenerator issuedBy(Identity issuer) {
        return new IdentityGenerator(this, issuing, issuer);
    }

    /** Generates a new identity. Its issuer's key store must have this password. */
    Identity create(X500Name subject, IdentityRequest request, Password password) throws GeneralSecurityException {
        Identity issuer = issuer(request.issuer(), password);
        KeyPair pair = CryptoProviders.generate(request.keyAlgorithm(), random);
        return identity(request.name(), pair, chain(issuing, subject, pair, issuer));
    }

    /** Generates a new issuing identity. */
    Identity createAuthority(X500Name subject, IdentityRequest request) throws GeneralSecurityException {
        KeyPair pair = CryptoProviders.generate(request.keyAlgorithm(), random);
        return identity(
                request.name(), pair, List.of(issuing.authority(subject, pair.getPublic(), forCertificates(pair))));
    }

    /** Generates the next key or certificate of an identity, for the uses of its current one. */
    Identity renewed(IdentityRenewal renewal, IdentityKeys keys, Password password) {
        X509Certificate current = keys.current().certificate();
        boolean onlySigns = KeyRules.problem(current, CertificateUse.RECEIVING).isEmpty()
                && !CertificateRules.isFor(current, CertificateUse.RECEIVING)
                && !IssuerRules.mayIssue(current);
        return renewed(renewal, keys, password, onlySigns ? CertificateUse.SIGNING : null);
    }

    /**
     * Generates the next key or certificate of an identity.
     *
     * @param use the only use of the certificate, or null for all uses of its key
     */
    Identity renewed(IdentityRenewal renewal, IdentityKeys keys, Password password, @Nullable CertificateUse use) {
        String name = renewal.name();
        if (renewal.key() instanceof IdentityRenewal.NextKey.Held held) {
            return held(keys, held.id());
        }
        Identity current = keys.current();
        X509Certificate old = current.certificate();
        X500Name subject = X500Name.getInstance(old.getSubjectX500Principal().getEncoded());
        CertificateIssuer valid = issuing.withValidity(renewal.validity());
        CertificateIssuer lasting = use == null ? valid : valid.forUse(use);
        boolean authority = IssuerRules.mayIssue(old) && !IssuerRules.isIdentityThatIssues(old);
        if (authority && use == CertificateUse.RECEIVING) {
            throw new KeystoreUnusableException("identity '" + name + "': an issuing identity receives no messages");
        }
        if (authority && renewal.issuer() != null) {
            throw new KeystoreUnusableException("identity '" + name + "': an issuing identity cannot have an issuer");
        }
        try {
            if (authority) {
                KeyPair pair = nextKey(renewal, current);
                return identity(
                        name, pair, List.of(lasting.authority(subject, pair.getPublic(), forCertificates(pair))));
            }
            Identity issuer = issuer(issuerOf(renewal, current), password); // before a key is made
            KeyPair pair = nextKey(renewal, current);
            return identity(name, pair, chain(lasting, subject, pair, issuer));
        } catch (GeneralSecurityException e) {
            throw new KeystoreUnusableException("identity '" + name + "': cannot be renewed", e);
        }
    }

    private static Identity held(IdentityKeys keys, String id) {
        String digits = KeyChanges.requireKeyId(id);
        return keys.former().stream()
                .filter(key -> KeyChanges.isKey(key.certificate(), digits))
                .filter(key -> CertificateRules.isFor(key.certificate(), CertificateUse.SIGNING))
                .findFirst()
                .orElseThrow(() -> KeyChanges.noSuchKey(keys.current().name(), digits));
    }

    private Identity identity(String name, KeyPair pair, List<X509Certificate> chain) {
        return new Identity(name, new SoftwareKey(pair.getPrivate(), providers), chain);
    }

    /** Returns the name of the identity that issues the next certificate; null for a self-signed one. */
    private @Nullable String issuerOf(IdentityRenewal renewal, Identity current) {
        X509Certificate old = current.certificate();
        if (renewal.issuer() != null || old.getSubjectX500Principal().equals(old.getIssuerX500Principal())) {
            return renewal.issuer();
        }
        DistinguishedName wanted = DistinguishedName.of(old.getIssuerX500Principal());
        List<String> own = issuers.names();
        return home.certificateTrust().trusted().stream()
                .filter(entry -> own.contains(entry.name()) && IssuerRules.mayIssue(entry.certificate()))
                .filter(entry -> DistinguishedName.of(entry.certificate().getSubjectX500Principal())
                        .equals(wanted))
                .map(Recipient::name)
                .findFirst()
                .orElseThrow(() -> new KeystoreUnusableException("identity '" + current.name() + "': its issuer '"
                        + DistinguishedName.shown(old.getIssuerX500Principal())
                        + "' is not an identity of this home; name one that is: --issuer NAME"));
    }

    private KeyPair nextKey(IdentityRenewal renewal, Identity current) throws GeneralSecurityException {
        PublicKey present = current.certificate().getPublicKey();
        if (renewal.key() instanceof IdentityRenewal.NextKey.New made) {
            KeyAlgorithm algorithm = made.algorithm() == null ? kindOf(present) : made.algorithm();
            return CryptoProviders.generate(algorithm, random);
        }
        return new KeyPair(present, SoftwareKey.exported(current));
    }

    private static KeyAlgorithm kindOf(PublicKey key) {
        String label = label(key);
        return KeyAlgorithm.named(label)
                .orElseThrow(() -> new KeystoreUnusableException(
                        "key: Signet makes no keys of the present kind, " + label + "; choose another kind"));
    }

    private static String label(PublicKey key) {
        if (key instanceof RSAPublicKey rsa) {
            return "rsa-" + rsa.getModulus().bitLength();
        }
        if (key instanceof ECPublicKey ec) {
            return "ec-p" + ec.getParams().getCurve().getField().getFieldSize();
        }
        String name = key instanceof EdECPublicKey edwards ? edwards.getParams().getName() : key.getAlgorithm();
        return name.toLowerCase(Locale.ROOT);
    }

    private @Nullable Identity issuer(@Nullable String name, Password password) {
        if (name == null) {
            return null;
        }
        Identity issuer = externalIssuer != null && externalIssuer.name().equals(name)
                ? externalIssuer
                : issuers.load(name, password);
        issuing.requireIssuer(issuer);
        return issuer;
    }

    private static PrivateKeyOperations forCertificates(KeyPair pair) {
        return new SoftwareKey(pair.getPrivate(), CryptoProviders.jdk());
    }

    private static List<X509Certificate> chain(
            CertificateIssuer issuing, X500Name subject, KeyPair pair, @Nullable Identity issuer)
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
