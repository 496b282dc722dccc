/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;

/**
 * A home of a broker, with the identity broker, and one of an application, with alice. Policies: orders.# and parked,
 * which the broker seals, and sealed.#, which the application seals.
 */
record Homes(Path broker, Path application) {
    static final String PASSWORD = "correct horse";
    static final String BROKER = "CN=broker,O=Example";
    static final String ALICE = "CN=alice,O=Example";
    static final String PARKED = "parked";

    static Homes in(Path folder) throws IOException {
        Homes homes = new Homes(folder.resolve("broker"), folder.resolve("application"));
        create(homes.broker, "broker");
        create(homes.application, "alice");
        for (String kind : List.of("recipients", "trust")) {
            copy(homes.broker, homes.application, kind, "broker.pem");
            copy(homes.application, homes.broker, kind, "alice.pem");
        }
        for (Path home : List.of(homes.broker, homes.application)) {
            writePolicies(home, "alice");
            secret(home.resolve("password"), PASSWORD);
        }
        return homes;
    }

    private static void create(Path home, String name) {
        try (Password password = Password.takeOwnershipOf(PASSWORD.toCharArray())) {
            new Home(home)
                    .identityStore()
                    .create(
                            new IdentityRequest(name, "CN=" + name + ",O=Example", KeyAlgorithm.EC_P256, null),
                            password);
        }
    }

    private static void copy(Path from, Path to, String kind, String file) throws IOException {
        Files.createDirectories(to.resolve(kind));
        Files.copy(from.resolve(kind).resolve(file), to.resolve(kind).resolve(file));
    }

    /** Writes the policies of a home. The application seals for this recipient. */
    static void writePolicies(Path home, String recipient) throws IOException {
        List<Policy> policies = new ArrayList<>();
        for (String pattern : List.of("orders.#", PARKED)) {
            policies.add(Policy.privacy(pattern, List.of("alice"))
                    .with(new Policy.Signing(
                            Policy.Signing.DEFAULT.algorithm(),
                            List.of(),
                            Policy.Signing.DEFAULT.certificate(),
                            List.of("broker")))
                    .with(new Policy.Acceptance(Toleration.ENFORCE, SealingPlace.BROKER)));
        }
        policies.add(Policy.privacy("sealed.#", List.of(recipient))
                .with(new Policy.Acceptance(Toleration.ENFORCE, SealingPlace.CLIENT)));
        Files.write(new Home(home).policies(), PolicyFile.bytes(PolicySet.of(1, UnmatchedAddress.PASS, policies)));
    }

    /** Writes a file that its owner alone may read. */
    static Path secret(Path file, String text) throws IOException {
        return secret(file, text.getBytes(StandardCharsets.UTF_8));
    }

    static Path secret(Path file, byte[] content) throws IOException {
        Files.write(file, content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
}
