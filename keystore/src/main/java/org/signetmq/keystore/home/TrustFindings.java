/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.nio.file.Files;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.internal.x509.CertificateRules;
import org.signetmq.keystore.internal.x509.FormerCertificates;
import org.signetmq.keystore.internal.x509.HomeCertificates.NamedParties;
import org.signetmq.keystore.trust.CertificateTrust;

/** Lists problems of the certificates of a home, such as names that several keys share. Thread-safe. */
public final class TrustFindings {
    private static final String SETTINGS = "trust.json";

    private final Home home;
    private final RecipientDirectory directory;
    private final List<Recipient> parties;
    private final List<Recipient> trusted;
    private final PartyCheck check;
    private final List<Finding> findings = new ArrayList<>();

    private TrustFindings(Home home, RecipientDirectory directory, CertificateTrust trust) {
        this.home = home;
        this.directory = directory;
        this.parties = directory.all();
        this.trusted = trust.trusted();
        this.check = new PartyCheck(directory, trust);
    }

    /**
     * Returns the findings of a home.
     *
     * @param signers the names on the policies' lists of signers
     */
    public static List<Finding> of(Home home, Collection<String> signers) {
        HomeReader reader = home.readerByHand();
        return of(home, reader, reader, signers);
    }

    /**
     * Returns the findings of a home by its certificates in use.
     *
     * @param directory the recipients of the home
     * @param trust the trust of the home
     * @param signers the names on the policies' lists of signers
     */
    public static List<Finding> of(
            Home home, RecipientDirectory directory, CertificateTrust trust, Collection<String> signers) {
        TrustFindings found = new TrustFindings(home, directory, trust);
        found.identitiesThatIssue();
        found.shared(
                FormerCertificates.removed(found.directory, found.trusted),
                entry -> DistinguishedName.of(entry.certificate()).folded(),
                "have one distinguished name but different keys, so it names neither");
        found.shared(
                Stream.concat(found.parties.stream(), found.trusted.stream()).toList(),
                Recipient::keyIdentifier,
                "claim one subject key identifier but have different keys, so both are rejected");
        found.otherPurposes();
        found.signers(signers);
        return List.copyOf(found.findings);
    }

    /**
     * Returns the finding that the settings of trust let messages be opened that do not commit to one key, if they do.
     */
    public static Optional<Finding> uncommitted(CertificateTrust trust, Instant now) {
        Instant until = trust.uncommittedUntil();
        if (until.equals(Instant.MIN)) {
            return Optional.empty();
        }
        return Optional.of(
                now.isBefore(until)
                        ? new Finding(
                                SETTINGS,
                                "uncommitted-until: until " + until + " messages of former versions are opened,"
                                        + " of which another recipient may read another text",
                                "remove it from trust.json when no queue holds such messages")
                        : new Finding(
                                SETTINGS,
                                "uncommitted-until: ended at " + until + ", and has no effect",
                                "remove it from trust.json"));
    }

    /** Finds identities that may issue certificates. Earlier versions of Signet created all identities so. */
    private void identitiesThatIssue() {
        NamedParties known = NamedParties.of(parties);
        for (Recipient entry : trusted) {
            X509Certificate certificate = entry.certificate();
            if (!CertificateRules.mayIssue(certificate) || known.believesNamesOf(entry)) {
                continue;
            }
            List<String> issued = parties.stream()
                    .filter(party -> isIssuedBy(party.certificate(), certificate))
                    .map(party -> "recipients/" + party.name())
                    .toList();
            String what = issued.isEmpty()
                    ? "is the certificate of an identity that may issue others; the names that it issues are not believed"
                    : "is the certificate of an identity and issued " + String.join(", ", issued)
                            + "; where these files are missing their names are not believed";
            findings.add(new Finding("trust/" + entry.name() + ".pem", what, mend(entry, issued)));
        }
    }

    private String mend(Recipient entry, List<String> issued) {
        if (!issued.isEmpty()) {
            return "signet identity create NEW --dn DN --ca, then issue these again with --issuer NEW; until then write"
                    + " 'DN; issuer=" + entry.name() + "' on lists of signers";
        }
        boolean own = Files.exists(home.identities().resolve(entry.name() + ".p12"));
        return own
                ? "signet identity create NEW --dn DN, and hand its certificate round in place of this one"
                : "ask its owner for a certificate with CA:FALSE; if it is an issuer alone: rm recipients/"
                        + entry.name() + ".pem";
    }

    private static boolean isIssuedBy(X509Certificate certificate, X509Certificate issuer) {
        return !certificate.equals(issuer)
                && certificate.getIssuerX500Principal().equals(issuer.getSubjectX500Principal())
                && CertificateProviders.isSignedBy(certificate, issuer.getPublicKey());
    }

    private void shared(List<Recipient> entries, Function<Recipient, Object> name, String what) {
        Map<Object, List<Recipient>> byName = new LinkedHashMap<>();
        entries.forEach(entry -> byName.computeIfAbsent(name.apply(entry), any -> new ArrayList<>())
                .add(entry));
        for (List<Recipient> sharing : byName.values()) {
            RecipientIndex.conflict(sharing)
                    .ifPresent(names -> findings.add(new Finding(
                            "recipients/ and trust/",
                            names + " " + what,
                            "remove the file that is wrong or out of date, or name them by their files")));
        }
    }

    private void otherPurposes() {
        for (Recipient party : parties) {
            try {
                CertificateRules.requireMailPurpose(party.certificate());
            } catch (CertificateRejectedException rejected) {
                findings.add(new Finding(
                        "recipients/" + party.name() + ".pem",
                        "neither signs nor receives: its extended key usage has no emailProtection",
                        "ask its owner for a certificate for emailProtection"));
            }
        }
    }

    private void signers(Collection<String> signers) {
        for (String signer : Set.copyOf(signers)) {
            check.problemWithSigner(signer)
                    .ifPresent(problem -> findings.add(new Finding(
                            "policies.json",
                            "the signer '" + signer + "' matches no message: " + problem,
                            "put the signer's certificate into recipients/, or write '; issuer=NAME' behind its"
                                    + " distinguished name")));
        }
    }
}
