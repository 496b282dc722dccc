/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.keystore.home.Home;

/**
 * A name that a home knows, by its certificate, its private key or both. No password is needed to find it.
 *
 * @param name the name
 * @param certificate its certificate, or null if {@code recipients/} has none, nor {@code trust/} for an own key
 * @param hasPrivateKey whether {@code identities/} has its key
 */
record KnownIdentity(String name, @Nullable X509Certificate certificate, boolean hasPrivateKey) {

    /** Returns all identities, sorted by their names. */
    static List<KnownIdentity> all(Home home) {
        List<String> own = home.identityStore().names();
        Map<String, @Nullable X509Certificate> certificates = new TreeMap<>();
        own.forEach(name -> certificates.put(name, null));
        // an issuing identity is no recipient
        home.certificateTrust().trusted().stream()
                .filter(entry -> own.contains(entry.name()))
                .forEach(entry -> certificates.put(entry.name(), entry.certificate()));
        home.recipientDirectory().all().forEach(entry -> certificates.put(entry.name(), entry.certificate()));
        List<KnownIdentity> known = new ArrayList<>();
        certificates.forEach((name, found) -> known.add(new KnownIdentity(name, found, own.contains(name))));
        return known;
    }

    /** Returns the identity with a name. */
    static KnownIdentity named(String name, Home home) {
        return all(home).stream()
                .filter(identity -> identity.name().equals(name))
                .findFirst()
                .orElseThrow(() -> CliException.failure("identity '" + name + "': not in " + home.root())
                        .hint("signet identity list shows those that are"));
    }

    @Nullable
    CertificateFacts facts() {
        return certificate == null ? null : CertificateFacts.of(certificate);
    }

    /** Returns the home's files of it in words. */
    String held() {
        if (certificate == null) {
            return "key";
        }
        return hasPrivateKey ? "key, certificate" : "certificate";
    }
}
