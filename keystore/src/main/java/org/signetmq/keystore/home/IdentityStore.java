/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x500.X500Name;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRenewal;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.internal.x509.CertificateRules;

/** The identities of a home. Thread-safe. */
public final class IdentityStore {
    private final Home home;
    private final IdentityFiles files;
    private final KeyChanges changes;
    private final IdentityGenerator generator;
    private final IssuedCertificates issued;

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
        this.generator = new IdentityGenerator(home, providers, clock);
        this.issued = new IssuedCertificates(home, clock);
    }

    private IdentityStore(IdentityStore like, IdentityGenerator generator) {
        this.home = like.home;
        this.files = like.files;
        this.changes = like.changes;
        this.generator = generator;
        this.issued = like.issued;
    }

    /** Returns the same store, with certificates of new identities that are valid for this time from now. */
    public IdentityStore withValidity(Duration validity) {
        return new IdentityStore(this, generator.withValidity(validity));
    }

    /** Returns the same store, with certificates of new identities that only sign. */
    public IdentityStore signingOnly() {
        return new IdentityStore(this, generator.forUse(CertificateUse.SIGNING));
    }

    /**
     * Returns the same store with an issuing identity whose key is not in the home, for example in a token. It is used
     * where a request or a renewal names it.
     */
    public IdentityStore issuedBy(Identity issuer) {
        return new IdentityStore(this, generator.issuedBy(issuer));
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
            Identity made = generator.renewed(renewal, keys, password, CertificateUse.RECEIVING);
            if (!CertificateRules.isFor(made.certificate(), CertificateUse.RECEIVING)) {
                throw new KeystoreUnusableException(
                        "identity '" + renewal.name() + "': a key of this kind cannot receive; choose another kind");
            }
            record(made);
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
        return created(request, password, subject -> generator.create(subject, request, password));
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
            Identity made = generator.renewed(renewal, keys, password);
            if (!(renewal.key() instanceof IdentityRenewal.NextKey.Held)) {
                record(made);
            }
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
            Identity made = generator.renewed(renewal, keys, password);
            record(made);
            changes.prepare(keys, made, password);
            return made;
        });
    }

    /** Does all that {@link #renew} does but the writing of files. */
    public Identity rehearse(IdentityRenewal renewal, Password password) {
        return generator.renewed(renewal, loadAll(renewal.name(), password), password);
    }

    /**
     * Checks that an identity has a former key that {@link #retire} can move. Needs no password.
     *
     * @param key 16 to 40 hex digits of the key identifier
     * @throws KeystoreUnusableException if it has no such former key; the text says why
     */
    public void requireFormer(String name, String key) {
        changes.requireFormer(name, key);
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
        return created(request, password, subject -> generator.createAuthority(subject, request));
    }

    private interface Generation {
        Identity of(X500Name subject) throws GeneralSecurityException;
    }

    private Identity created(IdentityRequest request, Password password, Generation generation) {
        IdentityFiles.requireName(request.name());
        X500Name subject = subject(request);
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

    private static X500Name subject(IdentityRequest request) {
        try {
            X500Name name = DistinguishedName.encode(request.distinguishedName());
            if (!DistinguishedName.isReadable(new X500Principal(name.getEncoded()))) {
                throw new KeystoreUnusableException("dn: has characters that are invisible or ambiguous");
            }
            return name;
        } catch (IOException | IllegalArgumentException e) {
            throw new KeystoreUnusableException(String.valueOf(e.getMessage()), e);
        }
    }
}
