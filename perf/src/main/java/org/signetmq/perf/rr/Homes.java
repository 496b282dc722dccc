/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
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

    private static final FileAttribute<Set<PosixFilePermission>> OWNERS_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

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

    /** Makes identities for the kinds of key that the variants have, and policies for the variants. */
    void create(List<Variant> protecting) throws IOException {
        Files.createFile(passwordFile(), OWNERS_ALONE);
        Files.writeString(passwordFile(), UUID.randomUUID().toString());
        createIdentity(broker(), BROKER, KeyKind.P256);
        List<KeyKind> keys = protecting.stream().map(Variant::key).distinct().toList();
        for (KeyKind key : keys) {
            createIdentity(broker(), sender(key), key);
            createIdentity(clients(), recipient(key), key);
            give(sender(key), broker(), clients());
            give(recipient(key), clients(), broker());
        }
        List<Policy> policies = protecting.stream().map(Homes::policy).toList();
        for (Home home : List.of(broker(), clients())) {
            Files.createDirectories(home.root()); // without a variant the clients have no identity
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
