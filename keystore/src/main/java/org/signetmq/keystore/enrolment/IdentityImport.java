/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.IdentityStore.IdentityKeys;
import org.signetmq.keystore.home.Password;

/**
 * Puts identities with keys or certificates from elsewhere into a home. If the process ends in the middle, the home has
 * the old identity or the new one. Thread-safe.
 */
public record IdentityImport(Home home, Clock clock) {
    /** The place of an imported key among the keys of its identity. */
    public enum Place {
        /** It signs, and others encrypt for it. */
        CURRENT,
        /** It only opens messages. Its certificate may have ended. */
        FORMER
    }

    /** The use of an imported certificate. */
    public enum Kind {
        /** A party that signs and receives messages. */
        PARTY,
        /** An issuing identity. */
        AUTHORITY
    }

    /**
     * The result of an import.
     *
     * @param identity the identity with the imported key
     * @param isChange false if the home had it already
     * @param untrusted the reason why this home does not trust the certificate; empty if it does
     */
    public record Result(Identity identity, boolean isChange, Optional<String> untrusted) {}

    private IdentityStore store() {
        return home.identityStore();
    }

    private PendingRequests pending() {
        return new PendingRequests(home);
    }

    /**
     * Imports the certificate for the pending request of a name, or another certificate for the present key of an
     * identity. The files may have the issuers, too, in any order.
     *
     * @throws KeystoreUnusableException if no certificate is for one of these keys, or nothing can be written
     */
    public Result certificates(String name, List<ImportFile> files, Kind kind, Password password) {
        List<X509Certificate> certificates = ImportFile.certificates(files);
        if (certificates.isEmpty()) {
            throw new KeystoreUnusableException(files.get(0).source() + ": holds no certificate");
        }
        List<Identity> waiting = new ArrayList<>();
        boolean isPending = pending().names().contains(name);
        if (isPending) {
            waiting.add(pending().load(name, password));
        }
        boolean exists = store().names().contains(name);
        if (exists) {
            waiting.add(store().load(name, password));
        }
        if (waiting.isEmpty()) {
            throw new KeystoreUnusableException("identity '" + name + "': has no pending request in "
                    + home.pendingKeys() + ", and " + files.get(0).source() + " holds no private key");
        }
        for (Identity key : waiting) {
            Optional<X509Certificate> leaf = certificates.stream()
                    .filter(certificate -> PublicKeyInfo.isSame(certificate, key.certificate()))
                    .findFirst();
            if (leaf.isPresent()) {
                Identity made = new Identity(name, key.privateKey(), PartyRules.chain(leaf.get(), certificates));
                return key(made, new Rules(kind, Place.CURRENT), password);
            }
        }
        throw new KeystoreUnusableException(
                "identity '" + name + "': " + files.get(0).source()
                        + " holds no certificate for its key " + waiting.get(0).keyIdentifier()
                        + (isPending ? "; it must be that for the pending request" : ""));
    }

    /**
     * Imports a private key with its certificate. If the identity exists with the same distinguished name, the key is
     * added, and the present one becomes a former key.
     *
     * @throws KeystoreUnusableException if a rule rejects the key or certificate, or nothing can be written
     */
    public Result key(Identity made, Rules rules, Password password) {
        String name = made.name();
        IdentityStore.requireName(name);
        X509Certificate leaf = made.certificate();
        PartyRules.requireReadableName(leaf);
        boolean authority = PartyRules.isAuthority(leaf);
        if (authority && rules.kind() != Kind.AUTHORITY) {
            throw new KeystoreUnusableException("identity '" + name + "': '"
                    + DistinguishedName.shown(leaf)
                    + "' is the certificate of an issuer (CA), not of a party; --ca imports an issuing identity");
        }
        if (!authority && rules.kind() == Kind.AUTHORITY) {
            throw new KeystoreUnusableException("identity '" + name + "': '" + DistinguishedName.shown(leaf)
                    + "' may not issue certificates; leave out --ca");
        }
        if (rules.place() == Place.CURRENT) {
            if (authority) {
                PartyRules.requireAuthority(leaf, clock.instant());
            } else {
                PartyRules.require(leaf, clock.instant());
            }
        }
        boolean changed = store().exclusively(name, () -> written(made, rules.place(), password));
        finish(made);
        return new Result(
                made, changed, authority ? Optional.empty() : PartyFolder.untrusted(home, leaf, List.of(), clock));
    }

    /**
     * Imports the certificate of an external key, for example of one in a token. It becomes the first in
     * {@code recipients/}, so its key is the current one.
     *
     * @param keys the identity with each of its keys
     * @param files the certificate, perhaps with former ones behind it and issuers
     * @throws KeystoreUnusableException if no certificate is for one of the keys, or nothing can be written
     */
    public Result certificateOfExternalKey(List<Identity> keys, List<ImportFile> files) {
        String name = keys.get(0).name();
        files.forEach(ImportFile::requireNoPrivateKey);
        if (pending().names().contains(name) || store().names().contains(name)) {
            throw new KeystoreUnusableException(
                    "identity '" + name + "': has a key in the home; use another name for the external key");
        }
        List<X509Certificate> certificates = ImportFile.certificates(files);
        Optional<X509Certificate> first = certificates.stream()
                .filter(certificate -> !PartyRules.isAuthority(certificate))
                .findFirst();
        Identity key = first.flatMap(leaf -> keys.stream()
                        .filter(one -> PublicKeyInfo.isSame(one.certificate(), leaf))
                        .findFirst())
                .orElseThrow(() -> new KeystoreUnusableException("identity '" + name + "': the first certificate of "
                        + files.get(0).source() + " is for none of its keys "
                        + keys.stream()
                                .map(one ->
                                        KeyIdentifier.ofKey(one.certificate()).toString())
                                .toList()));
        CertificateChange change = new PartyFolder(home, clock).add(name, files, PartyFolder.Trusting.OPTIONAL);
        return new Result(
                new Identity(name, key.privateKey(), PartyRules.chain(change.certificate(), certificates)),
                change.kind() != CertificateChange.Kind.NONE,
                change.untrusted());
    }

    /** The choices of a user for an import. */
    public record Rules(Kind kind, Place place) {}

    private boolean written(Identity made, Place place, Password password) {
        if (!store().names().contains(made.name())) {
            if (place == Place.FORMER) {
                throw new KeystoreUnusableException("identity '" + made.name()
                        + "': not in the home, so it can have no former key; import its current key first");
            }
            store().add(made, password);
            return true;
        }
        IdentityKeys keys = store().loadAll(made.name(), password);
        boolean isThere = place == Place.FORMER
                ? keys.all().stream().anyMatch(key -> PublicKeyInfo.isSame(key.certificate(), made.certificate()))
                : keys.current().chain().equals(made.chain());
        if (isThere) {
            return false;
        }
        if (place == Place.FORMER) {
            store().addFormer(keys, made, password);
        } else {
            store().replace(keys, made, password);
        }
        return true;
    }

    /** Removes the pending request of the key that has its certificate now. */
    private void finish(Identity made) {
        pending()
                .find(made.name())
                .filter(request -> request.keyIdentifier().equals(KeyIdentifier.ofKey(made.certificate())))
                .ifPresent(request -> pending().discard(made.name()));
    }

    /** Returns the names of other parties in the home with this distinguished name and another key. */
    public static List<String> namesakes(Home home, X509Certificate certificate) {
        DistinguishedName name = DistinguishedName.of(certificate).folded();
        return home.recipientDirectory().all().stream()
                .filter(entry -> !PublicKeyInfo.isSame(entry.certificate(), certificate))
                .filter(entry ->
                        DistinguishedName.of(entry.certificate()).folded().equals(name))
                .map(Recipient::name)
                .distinct()
                .toList();
    }
}
