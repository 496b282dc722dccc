/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.home.Finding;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.PartyCheck;
import org.signetmq.keystore.home.TrustFindings;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicySet;

/**
 * Resolves the names in policies with the files of a home.
 *
 * @param home the home
 * @param certificates the certificates of its recipients
 * @param trust decides which certificates may be used
 */
public record HomeNames(Home home, RecipientDirectory certificates, CertificateTrust trust) {
    /** Returns a check that explains why a name in a policy cannot be used. */
    PartyCheck check() {
        return new PartyCheck(certificates, trust);
    }

    /** Returns the names that policies may use. */
    PartyValidator parties() {
        PartyCheck check = check();
        return new PartyValidator(check::problemWithRecipient, check::problemWithSignerInForce);
    }

    /** Returns whether the file of this name in {@code recipients/} has the key of this certificate, or had it. */
    public boolean isKeyOf(String name, X509Certificate certificate) {
        return isCurrentKeyOf(name, certificate) || isFormerKeyOf(name, certificate);
    }

    /** Returns whether this certificate has the current key of an identity, or a former one. */
    public boolean isKeyOf(Identity identity, X509Certificate certificate) {
        X509Certificate current = identity.certificate();
        return isSameKey(current, certificate)
                || (isCurrentKeyOf(identity.name(), current) && isFormerKeyOf(identity.name(), certificate));
    }

    private boolean isCurrentKeyOf(String name, X509Certificate certificate) {
        try {
            return certificates
                    .find(name)
                    .filter(known -> isSameKey(known.certificate(), certificate))
                    .isPresent();
        } catch (KeystoreUnusableException shared) {
            return false;
        }
    }

    private boolean isFormerKeyOf(String name, X509Certificate certificate) {
        for (Recipient former : certificates.former()) {
            if (former.name().equals(name) && isSameKey(former.certificate(), certificate)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSameKey(X509Certificate one, X509Certificate other) {
        return Arrays.equals(
                one.getPublicKey().getEncoded(), other.getPublicKey().getEncoded());
    }

    /**
     * Returns one line with the number of names that do not stand for one key, and the first of them. It reads the
     * certificates again.
     */
    public Optional<String> finding(PolicySet policies) {
        List<String> signers = policies.policies().stream()
                .flatMap(policy ->
                        Stream.concat(policy.signing().signers().stream(), policy.signing().brokers().stream()))
                .distinct()
                .toList();
        List<Finding> findings = TrustFindings.of(home, signers);
        return findings.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        findings.size() + " found (signet doctor home lists them), the first: " + findings.get(0));
    }
}
