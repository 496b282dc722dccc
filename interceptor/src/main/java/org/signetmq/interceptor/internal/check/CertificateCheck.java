/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.signetmq.interceptor.internal.home.LoadedHome;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.trust.CertificateEnd;
import org.signetmq.policy.Policy;

/**
 * Checks when the certificates end that messages need now: the broker's own, those of recipients and signers, and those
 * of issuers.
 *
 * @param now the time of the check
 */
record CertificateCheck(Readiness readiness, Instant now) implements Check {
    /** The greatest number of names that are looked up. */
    private static final int MOST_NAMES = 10_000;

    @Override
    public void look(Findings found) {
        if (readiness instanceof Readiness.Ready ready) {
            LoadedHome home = ready.home();
            X509Certificate own = home.identities().ofBroker().certificate();
            own(own, ready, found);
            Set<X509Certificate> seen = new HashSet<>(Set.of(own));
            names(ready)
                    .flatMap(name -> named(name, home))
                    .filter(party -> seen.add(party.certificate()))
                    .filter(party -> !end(party.certificate()).isPast()) // the check of policies reports these
                    .forEach(party -> judge(
                            "the certificate recipients/" + Shown.name(party.name()),
                            end(party.certificate()),
                            "put a new certificate into recipients/, and before that into trust/ beside the old one",
                            found));
            trusted(home.names().trust().trusted(), seen, found);
        }
    }

    private void own(X509Certificate own, Readiness.Ready ready, Findings found) {
        String remedy =
                "give the broker a new identity, and before that put its certificate into recipients/ and trust/ of the"
                        + " consumers";
        boolean signs = ready.policies().policies().stream()
                .anyMatch(policy -> policy.quality().signs());
        if (signs && end(own).isPast()) {
            found.wrong("the broker's own certificate " + end(own).inWords(), remedy);
        } else {
            judge("the broker's own certificate", end(own), remedy, found);
        }
    }

    /** Checks issuers. One that has a successor of the same name in {@code trust/} may end. */
    private void trusted(List<Recipient> trusted, Set<X509Certificate> seen, Findings found) {
        CertificateEnd.withoutSuccessor(trusted).stream()
                .filter(issuer -> seen.add(issuer.certificate()))
                .forEach(issuer -> judge(
                        "the certificate trust/" + Shown.name(issuer.name()),
                        end(issuer.certificate()),
                        "put its successor beside it, and remove it after its end",
                        found));
    }

    /** Returns the names of recipients, those for recovery included, of signers and of brokers in the policies. */
    static Stream<String> names(Readiness.Ready ready) {
        return ready.policies().policies().stream()
                .map(ready.policies()::applied)
                .flatMap(CertificateCheck::names)
                .distinct()
                .limit(MOST_NAMES);
    }

    private static Stream<String> names(Policy policy) {
        Stream<String> signers = Stream.of(
                        policy.signing().signers(), policy.signing().brokers())
                .flatMap(List::stream);
        return Stream.concat(
                policy.quality().encrypts() ? policy.encryption().recipients().stream() : Stream.empty(),
                policy.quality().signs() ? signers : Stream.empty());
    }

    /** Returns the party of a name. The check of policies reports names that are unclear or missing. */
    static Stream<Recipient> named(String name, LoadedHome home) {
        try {
            return home.names().certificates().find(name).stream();
        } catch (KeystoreUnusableException unclear) {
            return Stream.empty();
        }
    }

    private static void judge(String owner, CertificateEnd end, String remedy, Findings found) {
        if (end.isNear()) {
            found.warn(owner + " " + end.inWords(), remedy);
        }
    }

    private CertificateEnd end(X509Certificate certificate) {
        return CertificateEnd.of(certificate, now);
    }
}
