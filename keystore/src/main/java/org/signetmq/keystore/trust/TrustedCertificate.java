/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.trust;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.internal.x509.HomeCertificates.KnownKeys;

/** A trusted certificate, and the trust in its name, which any trusted issuer can write. Immutable. */
public final class TrustedCertificate {
    /** The source of the trust in a name. */
    public enum NameSource {
        /** An issuer vouches for the name. */
        ISSUER,
        /** Only the certificates of the home can give the key a name. */
        HOME
    }

    private final List<X509Certificate> path;
    private final PublicKeyInfo key;
    private final DistinguishedName name;
    private final NameSource nameSource;
    private final KnownKeys known;
    private final Set<String> issuers;
    private final String shownName;
    private final boolean nameOfAnotherKey;

    /**
     * Creates the result for a certificate that trust accepted.
     *
     * @param path the certificate first, then its issuers
     * @param issuers the files in {@code trust/} that hold a key of the path's issuers
     */
    public TrustedCertificate(List<X509Certificate> path, NameSource nameSource, KnownKeys known, Set<String> issuers) {
        this.path = List.copyOf(path);
        X509Certificate leaf = this.path.get(0);
        this.key = PublicKeyInfo.of(leaf);
        this.name = DistinguishedName.of(leaf);
        this.nameSource = nameSource;
        this.known = known;
        this.issuers = Set.copyOf(issuers);
        this.shownName = shown(leaf);
        this.nameOfAnotherKey = known.isTakenFrom(name, key); // asked for each message, and slow
    }

    /** Returns the certificate. The name in it is not proved; {@link #shownName} is. */
    public X509Certificate certificate() {
        return path.get(0);
    }

    /** Returns the path: the certificate first, then its issuers. */
    public List<X509Certificate> path() {
        return path;
    }

    PublicKeyInfo key() {
        return key;
    }

    NameSource nameSource() {
        return nameSource;
    }

    Set<String> issuers() {
        return issuers;
    }

    /** Returns the DN (RFC 4514) that trust binds to the key, or {@code ski:} and the key identifier. */
    public String shownName() {
        return shownName;
    }

    /** Tells whether the home gives the name of the certificate to other keys only. */
    public boolean hasNameOfAnotherKey() {
        return nameOfAnotherKey;
    }

    /** Tells whether the home gives this name to the key. A name of two keys needs an issuer that vouches. */
    boolean isKnownAs(DistinguishedName wanted) {
        return known.isNameOfOne(wanted, key)
                || (nameSource == NameSource.ISSUER && wanted.equals(name) && known.isName(wanted, key));
    }

    /** Tells whether a key of this file in {@code trust/} issued the certificate or one of its issuers. */
    boolean isIssuedUnder(String file) {
        return issuers.contains(file);
    }

    /** Tells whether the certificate has this name, in the form of {@link DistinguishedName#ordered}. */
    boolean isNamed(List<List<String>> wanted) {
        return DistinguishedName.ordered(certificate().getSubjectX500Principal())
                .equals(wanted);
    }

    private String shown(X509Certificate leaf) {
        boolean readable = DistinguishedName.isReadable(leaf.getSubjectX500Principal());
        boolean vouched = nameSource == NameSource.ISSUER && (known.isName(name, key) || !known.isTaken(name));
        if (readable && (vouched || known.isNameOfOne(name, key))) {
            return DistinguishedName.text(leaf);
        }
        return known.certificate(key)
                .filter(certificate -> DistinguishedName.isReadable(certificate.getSubjectX500Principal()))
                .filter(certificate -> known.isNameOfOne(DistinguishedName.of(certificate), key))
                .map(certificate -> DistinguishedName.text(certificate))
                .orElseGet(() -> "ski:" + KeyIdentifier.ofKey(leaf));
    }
}
