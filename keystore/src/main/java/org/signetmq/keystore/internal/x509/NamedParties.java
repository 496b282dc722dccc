/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.Recipient;

/**
 * The parties of {@code recipients/} by their keys, folded DNs and files. A party vouches for no other name, even if
 * another certificate of the party may issue certificates. Immutable.
 */
public record NamedParties(Set<PublicKeyInfo> keys, Set<DistinguishedName> names, Set<String> files) {
    /** Returns the parties of these certificates. */
    public static NamedParties of(Collection<Recipient> parties) {
        return new NamedParties(
                parties.stream()
                        .map(party -> PublicKeyInfo.of(party.certificate()))
                        .collect(Collectors.toUnmodifiableSet()),
                parties.stream().map(party -> nameOf(party.certificate())).collect(Collectors.toUnmodifiableSet()),
                parties.stream().map(Recipient::name).collect(Collectors.toUnmodifiableSet()));
    }

    private static DistinguishedName nameOf(X509Certificate certificate) {
        return DistinguishedName.of(certificate.getSubjectX500Principal()).folded();
    }

    /** Tells whether the certificate has a party's key or DN, or a DN that looks like it. */
    public boolean isParty(X509Certificate certificate) {
        return keys.contains(PublicKeyInfo.of(certificate)) || names.contains(nameOf(certificate));
    }

    /**
     * Tells whether Signet believes the names that this certificate issues. It does if an administrator trusts the
     * certificate as an issuer, and not as that of a party or an identity.
     *
     * @param trusted a certificate in {@code trust/}
     */
    public boolean believesNamesOf(Recipient trusted) {
        X509Certificate certificate = trusted.certificate();
        return IssuerRules.mayIssue(certificate)
                && !IssuerRules.isIdentityThatIssues(certificate)
                && !isParty(certificate)
                && !files.contains(trusted.name());
    }
}
