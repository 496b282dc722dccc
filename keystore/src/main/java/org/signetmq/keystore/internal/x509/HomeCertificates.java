/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.security.cert.X509Certificate;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.keystore.Recipient;

/**
 * The certificates of one state of a home.
 *
 * @param trusted the certificates in {@code trust/}, each under the name of its file
 * @param parties the current certificate of each file in {@code recipients/}, with the former ones behind it
 * @param helpful all certificates in {@code recipients/}
 */
public record HomeCertificates(List<Recipient> trusted, List<Recipient> parties, List<X509Certificate> helpful) {
    public HomeCertificates {
        trusted = List.copyOf(trusted);
        parties = List.copyOf(parties);
        helpful = List.copyOf(helpful);
    }

    public Set<X509Certificate> trustedCertificates() {
        return trusted.stream().map(Recipient::certificate).collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the trusted and the helpful certificates. */
    public Set<X509Certificate> all() {
        Set<X509Certificate> all = new LinkedHashSet<>(trustedCertificates());
        all.addAll(helpful);
        return all;
    }

    /** Returns the keys of all trusted certificates and parties by name. */
    public KnownKeys knownKeys() {
        return new KnownKeys(
                Stream.concat(parties.stream(), trusted.stream())
                        .map(Recipient::certificate)
                        .toList(),
                FormerCertificates.parties(List.of(parties, trusted)));
    }
}
