/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.names;

import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.PublicKeyInfo;

/**
 * The public keys of a home, by the names in their certificates. These names count because an administrator put the
 * certificates into the home. Immutable.
 */
public final class KnownKeys {
    /** The certificates of each name, one for each key. */
    private final Map<DistinguishedName, Map<PublicKeyInfo, X509Certificate>> byName = new HashMap<>();

    /** The first certificate of each key. */
    private final Map<PublicKeyInfo, X509Certificate> byKey = new LinkedHashMap<>();

    KnownKeys(Collection<X509Certificate> certificates) {
        for (X509Certificate certificate : certificates) {
            PublicKeyInfo key = PublicKeyInfo.of(certificate);
            byKey.putIfAbsent(key, certificate);
            byName.computeIfAbsent(DistinguishedName.of(certificate.getSubjectX500Principal()), any -> new HashMap<>())
                    .putIfAbsent(key, certificate);
        }
    }

    /** Tells whether a certificate of the home has this name. */
    public boolean isTaken(DistinguishedName name) {
        return byName.containsKey(name);
    }

    /** Tells whether a certificate of the home gives this name to this key. */
    public boolean isName(DistinguishedName name, PublicKeyInfo key) {
        return byName.getOrDefault(name, Map.of()).containsKey(key);
    }

    /** Tells whether the home gives this name to this key, and to no other key. */
    public boolean isNameOfOne(DistinguishedName name, PublicKeyInfo key) {
        return isName(name, key) && byName.getOrDefault(name, Map.of()).size() == 1;
    }

    /** Returns a certificate of the home for this key; empty if it has none. */
    public Optional<X509Certificate> certificate(PublicKeyInfo key) {
        return Optional.ofNullable(byKey.get(key));
    }
}
