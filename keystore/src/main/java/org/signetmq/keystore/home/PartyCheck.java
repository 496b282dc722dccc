/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.internal.x509.CertificateRules;
import org.signetmq.keystore.internal.x509.FormerCertificates;
import org.signetmq.keystore.internal.x509.Selector;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.Policy.RequiredKeys;
import org.signetmq.policy.text.NearestWord;

/** Checks the recipients and signers that a policy names, before any message is sent. Thread-safe. */
public record PartyCheck(RecipientDirectory directory, CertificateTrust trust, Clock clock) {
    /** Creates a check with the system's clock. */
    public PartyCheck(RecipientDirectory directory, CertificateTrust trust) {
        this(directory, trust, Clock.systemUTC());
    }

    /** Returns the reason why no message can be encrypted for the selector now; empty if one can. */
    public Optional<String> problemWithRecipient(String selector) {
        if (parsed(selector) instanceof Selector.ByIssuedDn) {
            return Optional.of("'" + selector + "' names an issuer, which only signers have; name the recipient by its"
                    + " file in recipients/");
        }
        return problem(selector, CertificateUse.RECEIVING, () -> directory.find(selector));
    }

    /** Returns the reason why no signature of the selector can be accepted now; empty if one can. */
    public Optional<String> problemWithSigner(String selector) {
        Selector parsed = parsed(selector);
        if (parsed instanceof Selector.ByIssuedDn issued) {
            return problemWithIssuer(issued.issuer());
        }
        return parsed instanceof Selector.ByDn dn
                ? problem(selector, CertificateUse.SIGNING, () -> known(dn.name()))
                : problem(selector, CertificateUse.SIGNING, () -> directory.find(selector));
    }

    /**
     * Returns the reason why a name and its companion, which has the post-quantum keys of the same party, cannot both
     * be used; empty if they can.
     */
    public Optional<String> problemWithBoth(String name, CertificateUse use) {
        String companion = RequiredKeys.companionOf(name);
        return problem(name, use, () -> directory.find(name))
                .or(() -> problem(companion, use, () -> directory.find(companion)))
                .or(() -> problemWithKind(name, use, false))
                .or(() -> problemWithKind(companion, use, true));
    }

    private Optional<String> problemWithKind(String name, CertificateUse use, boolean postQuantum) {
        PublicKey key = certificateFor(use, directory.find(name).orElseThrow()).getPublicKey();
        return KeyAlgorithm.postQuantum(key).isPresent() == postQuantum
                ? Optional.empty()
                : Optional.of("the key of '" + name + "' is " + KeyAlgorithm.label(key)
                        + ", where require: both needs a " + (postQuantum ? "post-quantum" : "classical") + " one");
    }

    /**
     * Checks a signer as {@link #problemWithSigner} does, for policies in force. A DN without a key in the home, or
     * with two, has no problem here. It matches no signer, and {@link TrustFindings} reports it.
     */
    public Optional<String> problemWithSignerInForce(String selector) {
        return parsed(selector) instanceof Selector.ByDn dn && !isKnownOnce(dn.name())
                ? Optional.empty()
                : problemWithSigner(selector);
    }

    private boolean isKnownOnce(DistinguishedName name) {
        List<Recipient> entries = entries(name);
        return entries.stream().anyMatch(entry -> isNamed(entry, name))
                && RecipientIndex.conflict(entries).isEmpty();
    }

    private static @Nullable Selector parsed(String selector) {
        return Selector.parse(selector).orElse(null);
    }

    private static boolean isNamed(Recipient entry, DistinguishedName name) {
        return DistinguishedName.of(entry.certificate()).equals(name);
    }

    /** Returns the certificates of the home with this name, or one that looks like it, those of recipients first. */
    private List<Recipient> entries(DistinguishedName name) {
        return FormerCertificates.removed(directory, trust.trusted()).stream()
                .filter(entry ->
                        DistinguishedName.of(entry.certificate()).folded().equals(name.folded()))
                .toList();
    }

    private Optional<Recipient> known(DistinguishedName name) {
        List<Recipient> entries = entries(name);
        RecipientIndex.conflict(entries).ifPresent(names -> {
            throw new KeystoreUnusableException("the certificates " + names + " have one distinguished name but"
                    + " different keys; name the signer by its file in recipients/, or write '; issuer=NAME' behind the"
                    + " distinguished name");
        });
        return RecipientIndex.best(
                entries.stream().filter(entry -> isNamed(entry, name)).toList(), clock.instant());
    }

    private Optional<String> problemWithIssuer(String name) {
        List<Recipient> issuers = trust.trusted().stream()
                .filter(entry -> entry.name().equals(name))
                .toList();
        if (issuers.isEmpty()) {
            List<String> names =
                    trust.trusted().stream().map(Recipient::name).distinct().toList();
            return Optional.of("no certificate named '" + name + "' in trust/" + NearestWord.nameHint(name, names));
        }
        return issuers.stream().anyMatch(entry -> CertificateRules.mayIssue(entry.certificate()))
                ? Optional.empty()
                : Optional.of("the certificate 'trust/" + name + "' may not issue others");
    }

    private Optional<String> problem(String selector, CertificateUse use, Supplier<Optional<Recipient>> search) {
        try {
            Optional<Recipient> found = search.get();
            if (found.isEmpty()) {
                return Optional.of(missing(selector, use));
            }
            trust.check(certificateFor(use, found.get()), List.of(), use, clock.instant());
            return Optional.empty();
        } catch (CertificateRejectedException | KeystoreUnusableException e) {
            return Optional.of("'" + selector + "' cannot be used: " + e.getMessage());
        }
    }

    /** Returns the certificate of a party for a use: a party may sign with another key than it receives with. */
    public X509Certificate certificateFor(CertificateUse use, Recipient party) {
        X509Certificate current = party.certificate();
        if (use == CertificateUse.RECEIVING || CertificateRules.isFor(current, use)) {
            return current;
        }
        return directory.former().stream()
                .filter(entry -> entry.name().equals(party.name()))
                .map(Recipient::certificate)
                .filter(certificate -> CertificateRules.isFor(certificate, use))
                .findFirst()
                .orElse(current);
    }

    private String missing(String text, CertificateUse use) {
        Selector selector = parsed(text);
        if (selector == null) {
            return "'" + text + "' is neither a name, a DN (RFC 4514) nor 'ski:' with hex digits";
        }
        if (selector instanceof Selector.ByName) {
            List<String> names = directory.all().stream().map(Recipient::name).toList();
            return "no certificate named '" + text + "' in recipients/" + NearestWord.nameHint(text, names);
        }
        if (selector instanceof Selector.ByKey key) {
            return "no certificate of '" + text + "' in recipients/" + claimedBy(key.identifier());
        }
        return use == CertificateUse.RECEIVING
                ? "no certificate of '" + text + "' in recipients/"
                : "no certificate of '" + text + "' in recipients/ or trust/; put it there, or write '; issuer=NAME'"
                        + " behind it to accept what the certificate NAME in trust/ issues";
    }

    /** Returns a hint for an identifier that only a certificate claims, because issuers compute it in many ways. */
    private String claimedBy(KeyIdentifier identifier) {
        return directory.all().stream()
                .filter(entry -> entry.keyIdentifier().equals(identifier))
                .findFirst()
                .map(entry -> "; '" + entry.name() + "' claims it, but the identifier of its key is ski:"
                        + KeyIdentifier.ofKey(entry.certificate()))
                .orElse("");
    }
}
