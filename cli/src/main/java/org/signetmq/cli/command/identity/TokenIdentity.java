/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityKeys;
import org.signetmq.keystore.home.Pem;

/**
 * The keys of an identity in a token.
 *
 * @param name the name of the identity
 * @param keys the current key first
 */
record TokenIdentity(String name, List<Key> keys) {
    /**
     * A key.
     *
     * @param state {@code current} or {@code former}
     * @param chain the facts of its certificate, then those of its issuers
     * @param recipients the place of the certificate in the home's file of this name in {@code recipients/}:
     *     {@code first}, {@code behind} or {@code absent}
     */
    record Key(String state, List<Map<String, String>> chain, String recipients) {}

    static TokenIdentity of(IdentityKeys keys, Home home) throws IOException {
        String name = keys.current().name();
        Path file = home.recipients().resolve(name + ".pem");
        List<X509Certificate> there = Files.exists(file) ? Pem.readCertificates(file) : List.of();
        List<Key> rows = new ArrayList<>();
        for (Identity key : keys.all()) {
            int place = there.indexOf(key.certificate());
            rows.add(new Key(
                    key.equals(keys.current()) ? "current" : "former",
                    chain(key, home).stream().map(KnownIdentity::facts).toList(),
                    place < 0 ? "absent" : place == 0 ? "first" : "behind"));
        }
        return new TokenIdentity(name, List.copyOf(rows));
    }

    /** Returns the certificate, then its issuers as far as the token or the home have them. */
    private static List<X509Certificate> chain(Identity key, Home home) throws IOException {
        List<X509Certificate> ofHome = new KnownIdentity(key.name(), key.certificate(), false, List.of()).chain(home);
        return ofHome.size() > key.chain().size() ? ofHome : key.chain();
    }

    List<String> lines() {
        LabelledLines lines = new LabelledLines(16).add("name", name).add("held", "key in a token");
        for (Key key : keys) {
            for (Map<String, String> facts : key.chain()) {
                boolean isIssuer = !facts.equals(key.chain().get(0));
                lines.addAll(List.of(isIssuer ? "issued by" : key.state() + " key, certificate"));
                facts.forEach((label, value) -> lines.add("  " + label.replace('-', ' '), value));
                if (!isIssuer) {
                    lines.add("  recipients", inWords(key.recipients()));
                }
            }
        }
        return lines.lines();
    }

    private String inWords(String place) {
        String file = "recipients/" + name + ".pem";
        return switch (place) {
            case "first" -> file + " has it first";
            case "behind" -> file + " has it behind another";
            default -> file + " does not have it";
        };
    }
}
