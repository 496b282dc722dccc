/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Home;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;

/**
 * A name that a home knows, by its certificate, its private key or both. Looking needs no password.
 *
 * @param name the name
 * @param facts of its certificate, or null if {@code recipients/} has none
 * @param hasPrivateKey whether {@code identities/} has its key
 */
record KnownIdentity(String name, @Nullable CertificateFacts facts, boolean hasPrivateKey) {

    /** Every name, sorted. */
    static List<KnownIdentity> all(Home home) {
        List<String> own = home.identityStore().names();
        RecipientDirectory directory = home.recipientDirectory();
        Set<String> names = new TreeSet<>(own);
        directory.all().forEach(recipient -> names.add(recipient.name()));
        List<KnownIdentity> known = new ArrayList<>();
        for (String name : names) {
            known.add(of(name, directory, own));
        }
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

    private static KnownIdentity of(String name, RecipientDirectory directory, List<String> own) {
        Optional<Recipient> recipient = directory.all().stream()
                .filter(entry -> entry.name().equals(name))
                .findFirst();
        CertificateFacts facts =
                recipient.map(Recipient::certificate).map(CertificateFacts::new).orElse(null);
        return new KnownIdentity(name, facts, own.contains(name));
    }

    /** What the home holds of it, in words. */
    String held() {
        if (facts == null) {
            return "key";
        }
        return hasPrivateKey ? "key, certificate" : "certificate";
    }
}
