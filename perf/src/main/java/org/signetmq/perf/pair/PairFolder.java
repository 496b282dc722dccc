/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.perf.pair.Setting.KeyKind;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;

/**
 * The folder of a pair, with the homes of its broker and of its clients. Each home has its own private keys, and the
 * certificates of the other.
 */
record PairFolder(Path root) {
    static final String BROKER = "broker";
    /** The user that sends, and the identity that signs for it in the broker. */
    static final String SENDER = "sender";
    /** The identity that opens. */
    static final String RECIPIENT = "recipient";
    /** The pattern of all addresses of an exchange. */
    static final String ADDRESSES = "rr.#";

    /** Certificates by kind of key and name. */
    private static final Map<String, String> OTHERS = new ConcurrentHashMap<>();

    private static final FileAttribute<Set<PosixFilePermission>> OWNERS_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    Home broker() {
        return new Home(root.resolve("broker-home"));
    }

    Home clients() {
        return new Home(root.resolve("client-home"));
    }

    /** Returns the key store for TLS: that of the broker's own identity. */
    Path tlsKeyStore() {
        return broker().identities().resolve(BROKER + ".p12");
    }

    /** Returns the file with the password of all key stores and users. */
    Path passwordFile() {
        return root.resolve("password");
    }

    String password() throws IOException {
        return Files.readString(passwordFile());
    }

    /** Makes the identities and the policy of a setting. */
    void create(Setting setting) throws IOException {
        Files.createFile(passwordFile(), OWNERS_ALONE);
        Files.writeString(passwordFile(), UUID.randomUUID().toString());
        create(KeyKind.P256, broker(), BROKER);
        PolicySet policies = PolicySet.of(
                1,
                UnmatchedAddress.PASS,
                setting.protection().isSignet()
                        ? List.of(setting.policy(
                                ADDRESSES,
                                createParties(setting),
                                setting.protection().isClient() ? RECIPIENT : SENDER))
                        : List.of());
        for (Home home : List.of(broker(), clients())) {
            Files.createDirectories(home.root()); // without protection the clients have no identity
            new WholeFile(home.policies()).write(PolicyFile.bytes(policies), WholeFile.READABLE);
        }
    }

    /** Makes the sender and all recipients, and returns the names of these. */
    private List<String> createParties(Setting setting) throws IOException {
        create(setting.key(), broker(), SENDER);
        create(setting.key(), clients(), RECIPIENT);
        for (String name : setting.key().identities(SENDER)) {
            give(name, broker(), clients());
        }
        for (String name : setting.key().identities(RECIPIENT)) {
            give(name, clients(), broker());
        }
        List<String> recipients = new ArrayList<>(List.of(RECIPIENT));
        for (int i = 1; i < setting.recipients(); i++) {
            String other = "other-" + i;
            addOther(other, setting.key());
            recipients.add(other);
        }
        return recipients;
    }

    private void create(KeyKind kind, Home home, String name) {
        try (Password password = Password.fromFile(passwordFile())) {
            kind.create(home, name, ",O=Signet perf", password);
        }
    }

    /** Adds a recipient that never receives. All pairs have the same, because making a key takes long. */
    private void addOther(String name, KeyKind kind) throws IOException {
        String certificate = OTHERS.computeIfAbsent(kind + " " + name, missing -> {
            Home home = new Home(root.resolve("others"));
            create(kind, home, name);
            try {
                return Files.readString(home.recipients().resolve(name + ".pem"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        Files.writeString(broker().recipients().resolve(name + ".pem"), certificate);
        Files.writeString(broker().trust().resolve(name + ".pem"), certificate);
    }

    private static void give(String name, Home from, Home to) throws IOException {
        Path certificate = from.recipients().resolve(name + ".pem");
        Files.copy(certificate, to.recipients().resolve(name + ".pem"));
        Files.copy(certificate, to.trust().resolve(name + ".pem"));
    }
}
