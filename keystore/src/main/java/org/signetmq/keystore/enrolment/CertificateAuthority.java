/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x500.X500Name;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IssuedCertificates;
import org.signetmq.keystore.internal.x509.CertificateIssuer;

/**
 * Issues certificates for the keys of others, who keep their private keys to themselves. Thread-safe.
 *
 * @param issuer an issuing identity of the home
 */
public record CertificateAuthority(Home home, Identity issuer, Clock clock) {
    /** The most certificates of a key that have not ended, unless the operator writes the name. */
    static final int MOST_OF_A_KEY = 200;

    /**
     * The content of a certificate that the issuer decides. It ignores all that a request wishes beside its name.
     *
     * @param subject the distinguished name as RFC 4514 text, or null for that of the request
     * @param validity the time from now to the end of the certificate
     */
    public record Terms(@Nullable String subject, Duration validity, IdentityImport.Kind kind) {}

    /**
     * Issues a certificate.
     *
     * @return the certificate, then its issuers
     * @throws KeystoreUnusableException if the issuer may not issue it, or the record of issued certificates cannot be
     *     used; also if another key has the requested name, by a file of the home or by a certificate that has not
     *     ended, and the terms do not set the name
     * @throws org.signetmq.keystore.CertificateRejectedException if the issuer's certificate allows no such certificate
     */
    public List<X509Certificate> sign(SigningRequest request, Terms terms) {
        CertificateIssuer issuing = new CertificateIssuer(clock, new SecureRandom()).withValidity(terms.validity());
        issuing.requireIssuer(issuer);
        X500Name subject = subject(request, terms);
        X509Certificate made = new IssuedCertificates(home, clock).issue(SigningRequest.principal(subject), earlier -> {
            if (terms.subject() == null) {
                requireFree(request, earlier);
            }
            return issued(issuing, subject, request, terms.kind());
        });
        return Stream.concat(Stream.of(made), issuer.chain().stream()).toList();
    }

    private X509Certificate issued(
            CertificateIssuer issuing, X500Name subject, SigningRequest request, IdentityImport.Kind kind) {
        try {
            if (kind == IdentityImport.Kind.AUTHORITY) {
                return issuing.subordinate(subject, request.publicKey(), issuer);
            }
            X509Certificate made = issuing.issued(subject, request.publicKey(), issuer);
            // consumers would reject it because of constraints of the issuer
            home.trustIn(issuer.certificate()).check(made, List.of(), CertificateUse.SIGNING, clock.instant());
            return made;
        } catch (GeneralSecurityException e) {
            throw new KeystoreUnusableException("issuer '" + issuer.name() + "': cannot sign the request", e);
        }
    }

    /** Rejects a request of one party for the name of another, which its sender chose. */
    private void requireFree(SigningRequest request, List<X509Certificate> earlier) {
        // a key that lost its name to another one, perhaps because it was stolen, must not renew itself
        boolean isRenewal =
                !earlier.isEmpty() && KeyIdentifier.ofKey(earlier.get(0)).equals(request.keyIdentifier());
        if (isRenewal) {
            requireFewRenewals(request, earlier);
        }
        RecipientDirectory parties = home.recipientDirectory();
        List<Recipient> trusted = home.certificateTrust().trusted();
        // the former keys of a party that renews its certificate do not matter
        List<String> owners = Stream.of(parties.all(), isRenewal ? List.<Recipient>of() : parties.former(), trusted)
                .flatMap(List::stream)
                .filter(entry -> isOtherKey(entry.certificate(), request))
                .filter(entry -> !isRenewal || !begins(entry.certificate()).isBefore(begins(earlier.get(0))))
                .map(Recipient::name)
                .distinct()
                .toList();
        if (!owners.isEmpty()) {
            throw taken(request, "gives this name to another key: " + String.join(", ", owners));
        }
        if (!isRenewal && !earlier.isEmpty()) {
            X509Certificate last = earlier.get(0);
            throw taken(
                    request,
                    "gave this name to another key: " + KeyIdentifier.ofKey(last) + ", valid until "
                            + last.getNotAfter().toInstant());
        }
    }

    /** Rejects a key that fills the record of its name, so that no other key gets a certificate any more. */
    private static void requireFewRenewals(SigningRequest request, List<X509Certificate> earlier) {
        long held = earlier.stream()
                .filter(each -> KeyIdentifier.ofKey(each).equals(request.keyIdentifier()))
                .count();
        if (held >= MOST_OF_A_KEY) {
            throw new KeystoreUnusableException("request: the key " + request.keyIdentifier() + " has " + held
                    + " certificates of '" + request.subject().getName()
                    + "' that have not ended, and gets another one only if you write its name: --dn DN");
        }
    }

    private static boolean isOtherKey(X509Certificate certificate, SigningRequest request) {
        return DistinguishedName.of(certificate)
                        .folded()
                        .equals(DistinguishedName.of(request.subject()).folded())
                && !KeyIdentifier.ofKey(certificate).equals(request.keyIdentifier());
    }

    private static Instant begins(X509Certificate certificate) {
        return certificate.getNotBefore().toInstant();
    }

    private static KeystoreUnusableException taken(SigningRequest request, String why) {
        return new KeystoreUnusableException(
                "request: asks for '" + request.subject().getName() + "' with the key " + request.keyIdentifier()
                        + ", and this home " + why + "; if the same party has a new key, write its name: --dn DN");
    }

    private X500Name subject(SigningRequest request, Terms terms) {
        X500Name subject = terms.subject() == null ? request.name() : DistinguishedName.encodeReadable(terms.subject());
        X500Name own = X500Name.getInstance(
                issuer.certificate().getSubjectX500Principal().getEncoded());
        if (DistinguishedName.foldedOrder(subject).equals(DistinguishedName.foldedOrder(own))) {
            throw new KeystoreUnusableException(
                    "request: asks for the distinguished name of its issuer '" + issuer.name() + "'");
        }
        return subject;
    }
}
