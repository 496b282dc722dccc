/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.nio.file.Path;
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
import java.util.function.Supplier;
import javax.security.auth.x500.X500Principal;
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

/** The identities of a home. Thread-safe. */
public final class IdentityStore {
    private final Home home;
    private final IdentityFiles files;
    private final IdentityFiles issuers;
    private final KeyChanges changes;
    private final CertificateIssuer issuing;
    private final CryptoProviders providers;
    private final @Nullable Identity outside;
    private final SecureRandom random = new SecureRandom();

    IdentityStore(Home home, CryptoProviders providers, Clock clock) {
        this(home, providers, clock, () -> {});
    }

    /**
     * Makes a store.
     *
     * @param beforeChange runs before each change of a file in a renewal
     */
    IdentityStore(Home home, CryptoProviders providers, Clock clock, Runnable beforeChange) {
        this.home = home;
        this.files = new IdentityFiles(home, providers);
        this.changes = new KeyChanges(home, files, clock, beforeChange);
        this.issuers = new IdentityFiles(home, CryptoProviders.jdk()); // for few signatures, without a library to load
        this.providers = providers;
        this.issuing = new CertificateIssuer(clock, random);
        this.outside = null;
    }

    private IdentityStore(IdentityStore like, CertificateIssuer issuing, @Nullable Identity outside) {
        this.outside = outside;
        this.home = like.home;
        this.files = like.files;
        this.changes = like.changes;
        this.issuers = like.issuers;
        this.providers = like.providers;
        this.issuing = issuing;
    }

    /** Returns the same store, with certificates of new identities that are valid for this time from now. */
    public IdentityStore withValidity(Duration validity) {
        return new IdentityStore(this, issuing.withValidity(validity), outside);
    }

    /** Returns the same store, with certificates of new identities that only sign. */
    public IdentityStore signingOnly() {
        return new IdentityStore(this, issuing.forUse(CertificateUse.SIGNING), outside);
    }

    /**
     * Returns the same store with an issuing identity whose key is not in the home, for example in a token. It is used
     * where a request or a renewal names it.
     */
    public IdentityStore issuedBy(Identity issuer) {
        return new IdentityStore(this, issuing, issuer);
    }

    /**
     * Makes a key of an identity that only receives. Others encrypt for it from now on, and the current key goes on to
     * sign. The key that received before still opens messages.
     *
     * @param renewal with a new key; without an algorithm the kind of the current key
     * @throws KeystoreUnusableException as {@link #renew} does, and if such a key cannot receive
     */
    public Identity renewReceiving(IdentityRenewal renewal, Password password) {
        return changes.alone(renewal.name(), () -> {
            IdentityKeys keys = loadAll(renewal.name(), password);
            Identity made = renewed(renewal, keys, password, CertificateUse.RECEIVING);
            if (!CertificateRules.isFor(made.certificate(), CertificateUse.RECEIVING)) {
                throw new KeystoreUnusableException(
                        "identity '" + renewal.name() + "': a key of this kind cannot receive; choose another kind");
            }
            changes.receive(keys, made, password);
            return made;
        });
    }

    /** Rejects names that could lead out of the home or hide in it. */
    public static void requireName(String name) {
        IdentityFiles.requireName(name);
    }

    /** Rejects names that a file of the home has. */
    public void requireFree(String name) {
        requireName(name);
        files.requireFree(name);
    }

    /** Does work on the keys of the home while no other process or thread changes them through this class. */
    public <T> T exclusively(String name, Supplier<T> work) {
        return changes.alone(name, work);
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
        return created(request, password, pair -> chain(issuing, subject, pair, issuer));
    }

    /**
     * Adds an identity with a key and a chain from elsewhere. The caller has judged them.
     *
     * @throws KeystoreUnusableException if the name is taken, or nothing can be written
     */
    public void add(Identity identity, Password password) {
        requireName(identity.name());
        KeyStoreFile.requirePortable(password);
        files.requireFree(identity.name());
        try {
            files.write(identity, password);
        } catch (GeneralSecurityException e) {
            throw new KeystoreUnusableException("identity '" + identity.name() + "': cannot be encrypted", e);
        }
    }

    /**
     * Gives an identity a certificate, and perhaps a key, from elsewhere, as {@link #renew} does with its own.
     *
     * @param keys the identity as it is
     * @param made the identity as it shall be, with the same distinguished name
     * @throws KeystoreUnusableException as {@link #renew} does
     */
    public void replace(IdentityKeys keys, Identity made, Password password) {
        requireSameName(keys.current(), made);
        changes.replace(keys, made, password);
    }

    /**
     * Adds a key from elsewhere to an identity. It only opens messages: its certificate is not put into
     * {@code recipients/} or {@code trust/}. The current key stays the current one.
     *
     * @throws KeystoreUnusableException as {@link #renew} does
     */
    public void addFormer(IdentityKeys keys, Identity made, Password password) {
        requireSameName(keys.current(), made);
        changes.addFormer(keys, made, password);
    }

    private static void requireSameName(Identity current, Identity made) {
        X500Principal there = current.certificate().getSubjectX500Principal();
        X500Principal next = made.certificate().getSubjectX500Principal();
        if (!DistinguishedName.of(there).equals(DistinguishedName.of(next))) {
            throw new KeystoreUnusableException("identity '" + made.name() + "': is '" + there.getName()
                    + "', and the certificate is for '" + next.getName() + "'; import it under another name");
        }
    }

    /** Returns the names of all identities, sorted. */
    public List<String> names() {
        return files.names();
    }

    /**
     * Loads an identity with its current key.
     *
     * @throws KeystoreUnusableException if it is missing or unreadable, or the password is wrong; the text says which
     */
    public Identity load(String name, Password password) {
        return files.load(name, password);
    }

    /**
     * Loads all keys of an identity. The result has findings about files of former keys that cannot be used.
     *
     * @throws KeystoreUnusableException if the current key cannot be loaded; the text says why
     */
    public IdentityKeys loadAll(String name, Password password) {
        return files.loadAll(name, password, null).keys();
    }

    /**
     * Returns the first 16 hex digits of the identifiers of an identity's former keys, the newest key first. Needs no
     * password.
     */
    public List<String> formerKeys(String name) {
        return new FormerKeys(home.formerKeys())
                .of(name).stream()
                        .filter(FormerKeys.KeyFile::isWellNamed)
                        .map(FormerKeys.KeyFile::id)
                        .toList();
    }

    /**
     * Gives an identity a new certificate, and a new key if the renewal asks for one. The old key stays as a former
     * key, which opens messages. The old certificate stays behind the new one in {@code recipients/} and
     * {@code trust/}. All key stores must have the same password. If the process ends in the middle, or the disk is
     * full, the home has the old identity or the new one.
     *
     * @throws KeystoreUnusableException if the identity or its issuer cannot be loaded, the issuer cannot issue, or a
     *     file cannot be written
     */
    public Identity renew(IdentityRenewal renewal, Password password) {
        return changes.alone(renewal.name(), () -> {
            IdentityKeys keys = loadAll(renewal.name(), password);
            Identity made = renewed(renewal, keys, password);
            changes.replace(keys, made, password);
            return made;
        });
    }

    /**
     * Makes the key and certificate of a renewal, and does not use them yet. The key opens messages, and its
     * certificate stands behind the current one, so that other parties can get it before the key signs. A renewal with
     * {@link IdentityRenewal.NextKey.Held} makes it the current key.
     *
     * @throws KeystoreUnusableException as {@link #renew} does
     */
    public Identity prepare(IdentityRenewal renewal, Password password) {
        return changes.alone(renewal.name(), () -> {
            IdentityKeys keys = loadAll(renewal.name(), password);
            Identity made = renewed(renewal, keys, password);
            changes.prepare(keys, made, password);
            return made;
        });
    }

    /** Does all that {@link #renew} does but the writing of files. */
    public Identity rehearse(IdentityRenewal renewal, Password password) {
        return renewed(renewal, loadAll(renewal.name(), password), password);
    }

    /**
     * Moves a former key to {@code identities/retired/}, where it stays encrypted and is not used. Its certificates
     * leave {@code recipients/} and {@code trust/}. Needs no password.
     *
     * @param key 16 to 40 hex digits of the key identifier
     * @return the file of the retired key
     * @throws KeystoreUnusableException if the identity has no such former key, or a file cannot be written
     */
    public Path retire(String name, String key) {
        return changes.alone(name, () -> changes.retire(name, key));
    }

    private Identity renewed(IdentityRenewal renewal, IdentityKeys keys, Password password) {
        X509Certificate current = keys.current().certificate();
        boolean onlySigns = KeyRules.problem(current, CertificateUse.RECEIVING).isEmpty()
                && !CertificateRules.isFor(current, CertificateUse.RECEIVING)
                && !IssuerRules.mayIssue(current);
        return renewed(renewal, keys, password, onlySigns ? CertificateUse.SIGNING : null);
    }

    /**
     * Makes the key and certificate of a renewal.
     *
     * @param use the only use of the certificate, or null for all uses of its key
     */
    private Identity renewed(
            IdentityRenewal renewal, IdentityKeys keys, Password password, @Nullable CertificateUse use) {
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
        List<String> own = files.names();
        return home.certificateTrust().trusted().stream()
                .filter(entry -> own.contains(entry.name()) && IssuerRules.mayIssue(entry.certificate()))
                .filter(entry -> DistinguishedName.of(entry.certificate().getSubjectX500Principal())
                        .equals(wanted))
                .map(Recipient::name)
                .findFirst()
                .orElseThrow(() -> new KeystoreUnusableException("identity '" + current.name() + "': its issuer '"
                        + old.getIssuerX500Principal().getName()
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
            Identity created = identity(request.name(), pair, issue.chain(pair));
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
        Identity issuer = outside != null && outside.name().equals(name) ? outside : issuers.load(name, password);
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
