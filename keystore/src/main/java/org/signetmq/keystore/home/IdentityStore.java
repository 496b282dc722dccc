/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x500.X500Name;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRenewal;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.file.FileChanges;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.internal.x509.CertificateIssuer;
import org.signetmq.keystore.internal.x509.CertificateRules;
import org.signetmq.keystore.internal.x509.KeyRules;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.policy.Policy.RequiredKeys;

/**
 * The identities of a home: creates and renews them, and loads their keys. At any moment the home has the old or the
 * new identity. Thread-safe.
 */
public final class IdentityStore {
    private static final Pattern KEY_ID = Pattern.compile("[0-9a-f]{16,40}");
    private static final List<String> OTHER_EXTENSIONS = List.of(".crt", ".cer", ".der");
    private static final String EXTENSION = ".pem";
    private static final String LOCK = ".lock";
    private static final ReentrantLock ALONE = new ReentrantLock(); // the lock of a file does not keep threads apart

    private final Home home;
    private final CryptoProviders providers;
    private final Clock clock;
    private final Runnable beforeEach;
    private final IdentityFiles files;
    private final IssuedCertificates issued;
    private final SecureRandom random = new SecureRandom();
    private final CertificateIssuer issuing;
    private final @Nullable Identity externalIssuer;

    IdentityStore(Home home, CryptoProviders providers, Clock clock) {
        this(home, providers, clock, () -> {});
    }

    /**
     * Makes a store.
     *
     * @param beforeEach runs before each change of a file in a renewal
     */
    IdentityStore(Home home, CryptoProviders providers, Clock clock, Runnable beforeEach) {
        this.home = home;
        this.providers = providers;
        this.clock = clock;
        this.beforeEach = beforeEach;
        this.files = new IdentityFiles(home, providers);
        this.issued = new IssuedCertificates(home, clock);
        this.issuing = new CertificateIssuer(clock, random);
        this.externalIssuer = null;
    }

    private IdentityStore(IdentityStore like, CertificateIssuer issuing, @Nullable Identity externalIssuer) {
        this.home = like.home;
        this.providers = like.providers;
        this.clock = like.clock;
        this.beforeEach = like.beforeEach;
        this.files = like.files;
        this.issued = like.issued;
        this.issuing = issuing;
        this.externalIssuer = externalIssuer;
    }

    /** Returns the same store, with certificates of new identities that are valid for this time from now. */
    public IdentityStore withValidity(Duration validity) {
        return new IdentityStore(this, issuing.withValidity(validity), externalIssuer);
    }

    /** Returns the same store, with certificates of new identities that only sign. */
    public IdentityStore signingOnly() {
        return new IdentityStore(this, issuing.forUse(CertificateUse.SIGNING), externalIssuer);
    }

    /**
     * Returns the same store with an issuing identity whose key is not in the home, for example in a token. It is used
     * where a request or a renewal names it.
     */
    public IdentityStore issuedBy(Identity issuer) {
        return new IdentityStore(this, issuing, issuer);
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
    @SuppressWarnings("try") // the lock is only held
    public <T> T exclusively(String name, Supplier<T> work) {
        if (!Files.isDirectory(home.identities())) {
            return work.get(); // it makes the folder, or says what is missing
        }
        ALONE.lock();
        try (FileChannel lock = new WholeFile(home.identities().resolve(LOCK)).lock()) {
            return work.get();
        } catch (IOException e) {
            throw IdentityFiles.unwritten(home, name, e);
        } finally {
            ALONE.unlock();
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
     * Loads an identity with its current key, and its companion {@code NAME.pq} if the home has it. Both have the same
     * password.
     *
     * @throws KeystoreUnusableException as {@link #load} does
     */
    public Identity loadSigner(String name, Password password) {
        return files.loadSigner(name, password);
    }

    /**
     * Loads all keys of an identity, then those of its companion {@code NAME.pq} if the home has it, as former ones.
     *
     * @throws KeystoreUnusableException as {@link #loadAll} does
     */
    public IdentityKeys loadParty(String name, Password password) {
        IdentityKeys own = loadAll(name, password);
        if (!files.hasCompanion(name)) {
            return own;
        }
        IdentityKeys companion = loadAll(RequiredKeys.companionOf(name), password);
        return new IdentityKeys(
                own.current().with(companion.current()),
                Stream.concat(own.former().stream(), companion.all().stream()).toList(),
                Stream.concat(own.findings().stream(), companion.findings().stream())
                        .toList());
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
        return files.former(name).stream()
                .filter(IdentityFiles.KeyFile::isWellNamed)
                .map(IdentityFiles.KeyFile::id)
                .toList();
    }

    /**
     * Creates an identity: generates its key, and writes its key store and recipient entry. A self-signed identity gets
     * a trust entry too. The issuer's key store must have the same password.
     *
     * @throws KeystoreUnusableException if the name is taken, the issuer cannot issue, or nothing can be written
     */
    public Identity create(IdentityRequest request, Password password) {
        return created(request, password, subject -> {
            Identity issuer = issuer(request.issuer(), password);
            KeyPair pair = generate(request.keyAlgorithm());
            return identity(request.name(), pair, chain(issuing, subject, pair, issuer));
        });
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
        return created(request, password, subject -> {
            KeyPair pair = generate(request.keyAlgorithm());
            return identity(request.name(), pair, authority(issuing, subject, pair));
        });
    }

    /** Generates a key that signs. */
    private KeyPair generate(KeyAlgorithm algorithm) throws GeneralSecurityException {
        requireSigning(algorithm);
        return CryptoProviders.generate(algorithm, random);
    }

    /** Rejects a kind of key that cannot be the current key of an identity. */
    public static void requireSigning(KeyAlgorithm algorithm) {
        if (algorithm.isMlKem()) {
            throw new KeystoreUnusableException("key: an " + algorithm.label() + " key receives and cannot sign; choose"
                    + " ml-dsa-65 or ml-dsa-87, which make such a key, too, or add it to an identity: signet identity"
                    + " renew NAME --decrypt-key --key-algorithm " + algorithm.label());
        }
    }

    private interface Generation {
        Identity of(X500Name subject) throws GeneralSecurityException;
    }

    private Identity created(IdentityRequest request, Password password, Generation generation) {
        IdentityFiles.requireName(request.name());
        X500Name subject = DistinguishedName.encodeReadable(request.distinguishedName());
        KeyStoreFile.requirePortable(password);
        files.requireFree(request.name());
        try {
            Identity created = generation.of(subject);
            record(created);
            files.write(created, password);
            return created;
        } catch (GeneralSecurityException e) {
            throw new KeystoreUnusableException("identity '" + request.name() + "': cannot be created", e);
        }
    }

    /**
     * Records a certificate that an issuing identity issued, before the home uses it. Does nothing for a self-signed
     * one.
     */
    private void record(Identity made) {
        if (made.chain().size() > 1) {
            issued.record(made.certificate());
        }
    }

    /**
     * Adds an identity with a key and a chain from elsewhere. The caller has judged them.
     *
     * @throws KeystoreUnusableException if the name is taken, or nothing can be written
     */
    public void add(Identity identity, Password password) {
        requireFree(identity.name());
        KeyStoreFile.requirePortable(password);
        try {
            files.write(identity, password);
        } catch (GeneralSecurityException e) {
            throw new KeystoreUnusableException("identity '" + identity.name() + "': cannot be encrypted", e);
        }
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
        return exclusively(renewal.name(), () -> {
            IdentityKeys keys = loadAll(renewal.name(), password);
            Identity made = renewed(renewal, keys, password, null);
            if (!(renewal.key() instanceof IdentityRenewal.NextKey.Held)) {
                record(made);
            }
            put(keys, made, password);
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
        return exclusively(renewal.name(), () -> {
            IdentityKeys keys = loadAll(renewal.name(), password);
            Identity made = renewed(renewal, keys, password, null);
            record(made);
            addFormer(keys, made, password, CertificatePosition.BEHIND_SIGNER);
            return made;
        });
    }

    /**
     * Makes a key of an identity that only receives. Others encrypt for it from now on, and the current key goes on to
     * sign. The key that received before still opens messages.
     *
     * @param renewal with a new key; without an algorithm the one beside that of the current key
     * @throws KeystoreUnusableException as {@link #renew} does, and if such a key cannot receive
     */
    public Identity renewReceiving(IdentityRenewal renewal, Password password) {
        return exclusively(renewal.name(), () -> {
            IdentityKeys keys = loadAll(renewal.name(), password);
            Identity made = renewed(renewal, keys, password, CertificateUse.RECEIVING);
            if (!CertificateRules.isFor(made.certificate(), CertificateUse.RECEIVING)) {
                throw new KeystoreUnusableException(
                        "identity '" + renewal.name() + "': a key of this kind cannot receive; choose another kind");
            }
            record(made);
            addFormer(keys, made, password, CertificatePosition.FIRST);
            return made;
        });
    }

    /** Does all that {@link #renew} does but the writing of files. */
    public Identity rehearse(IdentityRenewal renewal, Password password) {
        return renewed(renewal, loadAll(renewal.name(), password), password, null);
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
        put(keys, made, password);
    }

    /**
     * Adds a key from elsewhere to an identity. It only opens messages: its certificate is not put into
     * {@code recipients/} or {@code trust/}. The current key stays the current one.
     *
     * @throws KeystoreUnusableException as {@link #renew} does
     */
    public void addFormer(IdentityKeys keys, Identity made, Password password) {
        requireSameName(keys.current(), made);
        addFormer(keys, made, password, CertificatePosition.NOWHERE);
    }

    private static void requireSameName(Identity current, Identity made) {
        X500Principal there = current.certificate().getSubjectX500Principal();
        X500Principal next = made.certificate().getSubjectX500Principal();
        if (!DistinguishedName.of(there).equals(DistinguishedName.of(next))) {
            throw new KeystoreUnusableException("identity '" + made.name() + "': is '" + there.getName()
                    + "', and the certificate is for '" + next.getName() + "'; import it under another name");
        }
    }

    /**
     * Generates the next key or certificate of an identity.
     *
     * @param onlyUse the only use of the certificate; null for the uses of the current one
     */
    private Identity renewed(
            IdentityRenewal renewal, IdentityKeys keys, Password password, @Nullable CertificateUse onlyUse) {
        String name = renewal.name();
        if (renewal.key() instanceof IdentityRenewal.NextKey.Held held) {
            return held(keys, held.id());
        }
        Identity current = keys.current();
        X509Certificate old = current.certificate();
        boolean onlySigns = KeyRules.problem(old, CertificateUse.RECEIVING).isEmpty()
                && !CertificateRules.isFor(old, CertificateUse.RECEIVING)
                && !CertificateRules.mayIssue(old);
        CertificateUse use = onlyUse == null && onlySigns ? CertificateUse.SIGNING : onlyUse;
        X500Name subject = X500Name.getInstance(old.getSubjectX500Principal().getEncoded());
        CertificateIssuer valid = issuing.withValidity(renewal.validity());
        CertificateIssuer lasting = use == null ? valid : valid.forUse(use);
        boolean isAuthority = CertificateRules.mayIssue(old) && !CertificateRules.isIdentityThatIssues(old);
        if (isAuthority && use == CertificateUse.RECEIVING) {
            throw new KeystoreUnusableException("identity '" + name + "': an issuing identity receives no messages");
        }
        if (isAuthority && renewal.issuer() != null) {
            throw new KeystoreUnusableException("identity '" + name + "': an issuing identity cannot have an issuer");
        }
        try {
            Identity issuer = isAuthority ? null : issuer(issuerOf(renewal, current), password); // before a key is made
            KeyPair pair = nextKey(renewal, current, use);
            if (issuer == null && SignatureScheme.of(pair.getPublic()).isEmpty()) {
                return identity(name, pair, List.of(lasting.signedByOwner(subject, pair.getPublic(), current)));
            }
            return identity(
                    name,
                    pair,
                    isAuthority ? authority(lasting, subject, pair) : chain(lasting, subject, pair, issuer));
        } catch (GeneralSecurityException e) {
            throw new KeystoreUnusableException("identity '" + name + "': cannot be renewed", e);
        }
    }

    private static Identity held(IdentityKeys keys, String id) {
        String digits = requireKeyId(id);
        return keys.former().stream()
                .filter(key -> isKey(key.certificate(), digits))
                .filter(key -> CertificateRules.isFor(key.certificate(), CertificateUse.SIGNING))
                .findFirst()
                .orElseThrow(() -> noSuchKey(keys.current().name(), digits));
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
        List<String> own = names();
        return home.readerByHand().trusted().stream()
                .filter(entry -> own.contains(entry.name()) && CertificateRules.mayIssue(entry.certificate()))
                .filter(entry -> DistinguishedName.of(entry.certificate()).equals(wanted))
                .map(Recipient::name)
                .findFirst()
                .orElseThrow(() -> new KeystoreUnusableException("identity '" + current.name() + "': its issuer '"
                        + DistinguishedName.shown(old.getIssuerX500Principal())
                        + "' is not an identity of this home; name one that is: --issuer NAME"));
    }

    private KeyPair nextKey(IdentityRenewal renewal, Identity current, @Nullable CertificateUse use)
            throws GeneralSecurityException {
        PublicKey present = current.certificate().getPublicKey();
        if (renewal.key() instanceof IdentityRenewal.NextKey.New made) {
            if (use == CertificateUse.RECEIVING) {
                return CryptoProviders.generate(
                        made.algorithm() == null ? kindOf(present).receiving() : made.algorithm(), random);
            }
            return generate(made.algorithm() == null ? kindOf(present) : made.algorithm());
        }
        return new KeyPair(present, SoftwareKey.exported(current));
    }

    private static KeyAlgorithm kindOf(PublicKey key) {
        String kind = KeyAlgorithm.label(key);
        return KeyAlgorithm.named(kind)
                .orElseThrow(() -> new KeystoreUnusableException(
                        "key: Signet makes no keys of the present kind, " + kind + "; choose another kind"));
    }

    private @Nullable Identity issuer(@Nullable String name, Password password) {
        if (name == null) {
            return null;
        }
        Identity issuer = externalIssuer != null && externalIssuer.name().equals(name)
                ? externalIssuer
                // for few signatures, without a library to load
                : new IdentityFiles(home, CryptoProviders.jdk()).load(name, password);
        issuing.requireIssuer(issuer);
        return issuer;
    }

    private static PrivateKeyOperations forCertificates(KeyPair pair) {
        return new SoftwareKey(pair.getPrivate(), CryptoProviders.jdk());
    }

    private static List<X509Certificate> authority(CertificateIssuer issuing, X500Name subject, KeyPair pair)
            throws GeneralSecurityException {
        return List.of(issuing.authority(subject, pair.getPublic(), forCertificates(pair)));
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

    /**
     * Replaces the current key or certificate of an identity. The new private key is in the home before its certificate
     * is handed out. The old one stays as a former key.
     *
     * @param keys the identity as it is
     * @param made the identity as it shall be
     */
    private void put(IdentityKeys keys, Identity made, Password password) {
        String name = made.name();
        X509Certificate old = keys.current().certificate();
        boolean newKey = !PublicKeyInfo.isSame(old, made.certificate());
        requireRoom(keys, made);
        Path next = former(name, made.certificate());
        try (FileChanges changes = new FileChanges()) {
            byte[] keyStore = KeyStoreFile.bytes(made, password);
            if (newKey) {
                changes.put(next, WholeFile.PRIVATE, keyStore);
            }
            for (Path place : files.places(made)) {
                List<X509Certificate> certificates = new ArrayList<>(renewed(place, made.certificate(), keys));
                if (certificates.size() > 1 && isReceiving(certificates.get(1)) && !isReceiving(made.certificate())) {
                    certificates.add(1, certificates.remove(0)); // others go on to encrypt for the other key
                }
                addIssuers(made, certificates);
                changes.put(place, WholeFile.READABLE, Pem.bytes(certificates));
            }
            if (newKey) {
                changes.put(former(name, old), WholeFile.PRIVATE, KeyStoreFile.bytes(keys.current(), password));
            }
            changes.put(files.keyStore(name), WholeFile.PRIVATE, keyStore);
            if (newKey) {
                changes.delete(next);
            }
            changes.apply(beforeEach);
        } catch (IOException | GeneralSecurityException e) {
            throw IdentityFiles.unwritten(home, name, e);
        }
    }

    /** Where a certificate is put among those of an identity. Others encrypt for the first one. */
    private enum CertificatePosition {
        FIRST,
        BEHIND_SIGNER,
        /** Nowhere: it gets no trust, and no other party sees it. */
        NOWHERE;

        int in(List<X509Certificate> certificates) {
            if (this == FIRST || certificates.isEmpty()) {
                return 0;
            }
            return isReceiving(certificates.get(0)) ? Math.min(2, certificates.size()) : 1;
        }
    }

    /** Adds a key to an identity. It opens messages, and the current key goes on to sign. */
    private void addFormer(IdentityKeys keys, Identity made, Password password, CertificatePosition position) {
        requireRoom(keys, made);
        try (FileChanges changes = new FileChanges()) {
            changes.put(former(made.name(), made.certificate()), WholeFile.PRIVATE, KeyStoreFile.bytes(made, password));
            for (Path place : position == CertificatePosition.NOWHERE ? List.<Path>of() : files.places(made)) {
                List<X509Certificate> renewed = new ArrayList<>(renewed(place, made.certificate(), keys));
                renewed.remove(0);
                renewed.add(position.in(renewed), made.certificate());
                addIssuers(made, renewed);
                changes.put(place, WholeFile.READABLE, Pem.bytes(renewed));
            }
            changes.apply(beforeEach);
        } catch (IOException | GeneralSecurityException e) {
            throw IdentityFiles.unwritten(home, made.name(), e);
        }
    }

    private static void addIssuers(Identity made, List<X509Certificate> certificates) {
        IdentityFiles.issuersBelowRoot(made)
                .filter(issuer -> !certificates.contains(issuer))
                .forEach(certificates::add);
    }

    /** Tells whether a certificate is for a key that receives messages, and does not sign them. */
    private static boolean isReceiving(X509Certificate certificate) {
        return CertificateRules.isFor(certificate, CertificateUse.RECEIVING)
                && !CertificateRules.isFor(certificate, CertificateUse.SIGNING);
    }

    private static void requireRoom(IdentityKeys keys, Identity made) {
        boolean isThere =
                keys.all().stream().anyMatch(key -> PublicKeyInfo.isSame(key.certificate(), made.certificate()));
        if (!isThere && keys.former().size() >= IdentityFiles.MOST_FORMER) {
            throw new KeystoreUnusableException("identity '" + made.name() + "': has " + IdentityFiles.MOST_FORMER
                    + " former keys, which is the most; retire one with: signet identity retire " + made.name()
                    + " --key ID");
        }
    }

    private Path former(String name, X509Certificate certificate) {
        return home.formerKeys().resolve(IdentityFiles.fileName(name, KeyIdentifier.ofKey(certificate)));
    }

    /** Returns the new certificates of a file: the made one, then those that are there and have not ended. */
    private List<X509Certificate> renewed(Path place, X509Certificate made, IdentityKeys keys) {
        List<X509Certificate> there = existing(place);
        if (there.isEmpty() && place.equals(files.recipient(keys.current().name()))) {
            return List.of(made, keys.current().certificate());
        }
        if (!there.isEmpty()
                && keys.all().stream().noneMatch(key -> PublicKeyInfo.isSame(key.certificate(), there.get(0)))) {
            throw new KeystoreUnusableException(place + ": its first certificate is not one of identity '"
                    + keys.current().name() + "', so it was not changed; put the one of the identity there");
        }
        List<X509Certificate> renewed = new ArrayList<>(List.of(made));
        Instant now = clock.instant();
        there.stream()
                .filter(certificate -> !certificate.equals(made)
                        && certificate.getNotAfter().toInstant().isAfter(now))
                .limit(IdentityFiles.MOST_FORMER)
                .forEach(renewed::add);
        return renewed;
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
        return exclusively(name, () -> moveToRetired(name, requireFormer(name, key)));
    }

    private Path moveToRetired(String name, String digits) {
        String file = IdentityFiles.fileName(name, digits.substring(0, IdentityFiles.ID_LENGTH));
        List<Path> places = List.of(files.recipient(name), files.trusted(name));
        Path retired = home.retiredKeys().resolve(file);
        try (FileChanges changes = new FileChanges()) {
            byte[] keyStore = new WholeFile(home.formerKeys().resolve(file))
                    .read(KeyStoreFile.MAX_BYTES)
                    .orElseThrow(() -> noSuchKey(name, digits));
            changes.put(retired, WholeFile.PRIVATE, keyStore);
            for (Path place : places) {
                List<X509Certificate> there = existing(place);
                List<X509Certificate> left = there.stream()
                        .filter(certificate -> !isKey(certificate, digits))
                        .toList();
                if (left.size() < there.size()) {
                    changes.put(place, WholeFile.READABLE, Pem.bytes(left));
                }
            }
            changes.delete(home.formerKeys().resolve(file));
            changes.apply(beforeEach);
            return retired;
        } catch (IOException e) {
            throw IdentityFiles.unwritten(home, name, e);
        }
    }

    /**
     * Checks that an identity has a former key that {@link #retire} can move. Needs no password.
     *
     * @param key 16 to 40 hex digits of the key identifier
     * @return the digits in lower case
     * @throws KeystoreUnusableException if it has no such former key; the text says why
     */
    public String requireFormer(String name, String key) {
        IdentityFiles.requireName(name);
        String digits = requireKeyId(key);
        for (Path place : List.of(files.recipient(name), files.trusted(name))) {
            List<X509Certificate> there = existing(place);
            if (!there.isEmpty() && isKey(there.get(0), digits)) {
                throw new KeystoreUnusableException("identity '" + name + "': " + digits
                        + " is its current key, which cannot be retired; renew it first: signet identity renew "
                        + name);
            }
        }
        if (!Files.exists(home.formerKeys()
                .resolve(IdentityFiles.fileName(name, digits.substring(0, IdentityFiles.ID_LENGTH))))) {
            throw noSuchKey(name, digits);
        }
        return digits;
    }

    /** Returns the hex digits of a key identifier in lower case. */
    private static String requireKeyId(String key) {
        String digits = key.toLowerCase(Locale.ROOT);
        if (!KEY_ID.matcher(digits).matches()) {
            throw new KeystoreUnusableException(
                    "key: must be 16 to 40 hex digits, as signet identity show prints them, but was '" + key + "'");
        }
        return digits;
    }

    private static KeystoreUnusableException noSuchKey(String name, String digits) {
        return new KeystoreUnusableException("identity '" + name + "': has no former key " + digits
                + "; signet identity show " + name + " lists its keys");
    }

    /** Returns the certificates of a file; an empty list if it is absent. */
    private static List<X509Certificate> existing(Path place) {
        String base = String.valueOf(place.getFileName());
        String stem = base.substring(0, base.length() - EXTENSION.length());
        for (String extension : OTHER_EXTENSIONS) {
            Path other = place.resolveSibling(stem + extension);
            if (Files.exists(other, LinkOption.NOFOLLOW_LINKS)) {
                throw new KeystoreUnusableException(
                        other + ": has the name of the identity, too; rename it to " + base);
            }
        }
        return Files.exists(place) ? Pem.readCertificates(place) : List.of();
    }

    private static boolean isKey(X509Certificate certificate, String digits) {
        return KeyIdentifier.ofKey(certificate).toString().startsWith(digits);
    }

    /**
     * All keys of one identity. Immutable.
     *
     * @param current the identity with its current key, which signs and for which messages are encrypted now
     * @param former the identity with its former keys, which only open messages
     * @param findings the files of former keys that cannot be used
     */
    public record IdentityKeys(Identity current, List<Identity> former, List<Finding> findings) {
        public IdentityKeys {
            former = List.copyOf(former);
            findings = List.copyOf(findings);
        }

        /** Returns the identity with each of its keys, the current one first. */
        public List<Identity> all() {
            List<Identity> all = new ArrayList<>(former.size() + 1);
            all.add(current);
            all.addAll(former);
            return List.copyOf(all);
        }
    }
}
