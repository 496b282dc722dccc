/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Variant;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyFile;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;

/**
 * The homes of the broker and of the clients, below one folder. Each has its own private keys, and the certificates of
 * the other.
 *
 * @param folder of both
 */
record Homes(Path folder) {
    static final String BROKER = "broker";

    /** Returns the user that sends, and the identity that signs for it in the broker. */
    static String sender(KeyKind key) {
        return "sender-" + key.label();
    }

    /** Returns the identity that opens. */
    static String recipient(KeyKind key) {
        return "recipient-" + key.label();
    }

    Home broker() {
        return new Home(folder.resolve("broker-home"));
    }

    Home clients() {
        return new Home(folder.resolve("client-home"));
    }

    /** Returns the file with the password of all key stores and users. */
    Path passwordFile() {
        return folder.resolve("password");
    }

    String userPassword() throws IOException {
        return Files.readString(passwordFile());
    }

    /** Makes identities for all kinds of key, and policies for the variants. */
    void create(List<Variant> protecting) throws IOException {
        Files.move(Files.createTempFile(folder, "new", ".tmp"), passwordFile()); // mode 0600
        Files.writeString(passwordFile(), UUID.randomUUID().toString());
        createIdentity(broker(), BROKER, KeyKind.P256);
        for (KeyKind key : KeyKind.values()) {
            createIdentity(broker(), sender(key), key);
            createIdentity(clients(), recipient(key), key);
            give(sender(key), broker(), clients());
            give(recipient(key), clients(), broker());
        }
        List<Policy> policies = protecting.stream().map(Homes::policy).toList();
        for (Home home : List.of(broker(), clients())) {
            PolicyFile.write(home.policies(), PolicySet.of(1, UnmatchedAddress.PASS, policies));
        }
    }

    static Policy policy(Variant variant) {
        return variant.policy(Block.addresses(variant), List.of(recipient(variant.key())));
    }

    private void createIdentity(Home home, String name, KeyKind key) {
        String distinguishedName = "CN=" + name + ",O=Signet perf";
        try (Password password = Password.fromFile(passwordFile())) {
            home.identityStore().create(new IdentityRequest(name, distinguishedName, key.algorithm(), null), password);
        }
    }

    private static void give(String name, Home from, Home to) throws IOException {
        Path certificate = from.recipients().resolve(name + ".pem");
        Files.copy(certificate, to.recipients().resolve(name + ".pem"));
        Files.copy(certificate, to.trust().resolve(name + ".pem"));
    }
}
