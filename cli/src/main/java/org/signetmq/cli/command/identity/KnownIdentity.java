/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.keystore.Home;

/**
 * A name that a home knows, by its certificate, its private key or both. Looking needs no password.
 *
 * @param name the name
 * @param facts of its certificate, or null if {@code recipients/} has none, nor {@code trust/} for an own key
 * @param hasPrivateKey whether {@code identities/} has its key
 */
record KnownIdentity(String name, @Nullable CertificateFacts facts, boolean hasPrivateKey) {

    /** Every name, sorted. */
    static List<KnownIdentity> all(Home home) {
        List<String> own = home.identityStore().names();
        Map<String, @Nullable CertificateFacts> certificates = new TreeMap<>();
        own.forEach(name -> certificates.put(name, null));
        // an issuing identity is no recipient
        home.certificateTrust().trusted().stream()
                .filter(entry -> own.contains(entry.name()))
                .forEach(entry -> certificates.put(entry.name(), new CertificateFacts(entry.certificate())));
        home.recipientDirectory()
                .all()
                .forEach(entry -> certificates.put(entry.name(), new CertificateFacts(entry.certificate())));
        List<KnownIdentity> known = new ArrayList<>();
        certificates.forEach((name, facts) -> known.add(new KnownIdentity(name, facts, own.contains(name))));
        return known;
    }

    /** The one with this name. */
    static KnownIdentity named(String name, Home home) {
        return all(home).stream()
                .filter(identity -> identity.name().equals(name))
                .findFirst()
                .orElseThrow(() -> CliException.failure("identity '" + name + "': not in " + home.root())
                        .hint("signet identity list shows those that are"));
    }

    /** What the home holds of it, in words. */
    String held() {
        if (facts == null) {
            return "key";
        }
        return hasPrivateKey ? "key, certificate" : "certificate";
    }
}
