/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.trust;

import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.signetmq.cli.command.certificate.PolicyReferences;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.trust.CertificateTrust;

/** Finds the policies that need a trusted certificate. */
record Dependents(Home home, Instant now) {
    /** Returns the patterns of policies that name signers by it, or parties whose certificates it vouches for. */
    List<String> policies(String name) throws IOException {
        CertificateTrust trust = home.certificateTrust();
        Set<X509Certificate> named = trust.trusted().stream()
                .filter(entry -> entry.name().equals(name))
                .map(Recipient::certificate)
                .collect(Collectors.toUnmodifiableSet());
        Set<X509Certificate> others = new HashSet<>();
        trust.trusted().stream()
                .filter(entry -> !entry.name().equals(name))
                .forEach(entry -> others.add(entry.certificate()));
        PolicyReferences references = PolicyReferences.of(home);
        Set<String> found = new TreeSet<>(references.ofIssuer(name));
        for (Recipient party : home.recipientDirectory().all()) {
            if (List.of(CertificateUse.values()).stream().anyMatch(use -> isByOne(party, use, named, others))) {
                found.addAll(references.ofParty(party.name()));
            }
        }
        return List.copyOf(found);
    }

    /**
     * Tells whether the path of a party ends at one of the named certificates, and the home has no other copy of it.
     */
    private boolean isByOne(
            Recipient party, CertificateUse use, Set<X509Certificate> named, Set<X509Certificate> others) {
        try {
            List<X509Certificate> path = home.certificateTrust()
                    .verify(party.certificate(), List.of(), use, now)
                    .path();
            X509Certificate anchor = path.get(path.size() - 1);
            return named.contains(anchor) && !others.contains(anchor);
        } catch (CertificateRejectedException | KeystoreUnusableException e) {
            return false; // it is not trusted now
        }
    }
}
