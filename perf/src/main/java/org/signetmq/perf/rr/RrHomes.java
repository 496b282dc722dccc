/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.PolicyFile;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;

/**
 * The homes of the broker and of the clients, below one folder: each with its own private keys, and of the other the
 * certificates alone.
 *
 * @param folder of both
 */
record RrHomes(Path folder) {
    static final String BROKER = "broker";

    private static final int PASSWORD_BYTES = 24;

    Home broker() {
        return new Home(folder.resolve("broker-home"));
    }

    Home clients() {
        return new Home(folder.resolve("client-home"));
    }

    /** Holds the password of all key stores and users. */
    Path passwordFile() {
        return folder.resolve("password");
    }

    String userPassword() throws IOException {
        return Files.readString(passwordFile(), StandardCharsets.US_ASCII);
    }

    /** Makes identities of all these kinds of key, and policies for the variants. */
    void create(List<KeyKind> keys, List<Variant> protecting) throws IOException {
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        Files.createFile(
                passwordFile(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(
                passwordFile(), Base64.getUrlEncoder().withoutPadding().encodeToString(random));
        identity(broker(), BROKER, KeyAlgorithm.EC_P256);
        for (KeyKind key : keys) {
            identity(broker(), key.sender(), key.algorithm());
            identity(clients(), key.recipient(), key.algorithm());
            give(key.sender(), broker(), clients());
            give(key.recipient(), clients(), broker());
        }
        PolicySet policies = PolicySet.of(
                1,
                UnmatchedAddress.PASS,
                protecting.stream().map(Variant::policy).toList());
        PolicyFile.write(broker().policies(), policies);
        PolicyFile.write(clients().policies(), policies);
    }

    private void identity(Home home, String name, KeyAlgorithm algorithm) {
        try (Password password = Password.fromFile(passwordFile())) {
            home.identityStore()
                    .create(new IdentityRequest(name, "CN=" + name + ",O=Signet perf", algorithm, null), password);
        }
    }

    private static void give(String name, Home from, Home to) throws IOException {
        Path certificate = from.recipients().resolve(name + ".pem");
        Files.copy(certificate, to.recipients().resolve(name + ".pem"));
        Files.copy(certificate, to.trust().resolve(name + ".pem"));
    }
}
