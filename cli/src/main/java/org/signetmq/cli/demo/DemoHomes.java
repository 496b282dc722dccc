/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.file.OwnedFolder;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyFile;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.UnmatchedAddress;

/**
 * The homes of the broker and of the consumer: each holds its own private key, and of the other the certificate alone.
 *
 * @param broker where messages are sealed
 * @param consumer where they are opened
 * @param policies of both
 */
record DemoHomes(Side broker, Side consumer, PolicySet policies) {
    static final String BROKER = "broker";
    static final String CONSUMER = "consumer";

    /** The broker vouches for the senders of messages. */
    private static final Policy.Signing SIGNING = new Policy.Signing(
            Policy.Signing.DEFAULT.algorithm(), List.of(), Policy.Signing.DEFAULT.certificate(), List.of(BROKER));

    /**
     * One of the two.
     *
     * @param home the folder
     * @param identity the owner of the private keys
     */
    record Side(Home home, Identity identity) {
        Path passwordFile() {
            return home.root().resolve("password");
        }
    }

    /** Makes both below a folder and lets them exchange certificates as their owners would. */
    static DemoHomes below(Path folder) throws IOException {
        Side broker = create(new Home(folder.resolve("broker-home")), BROKER);
        Side consumer = create(new Home(folder.resolve("consumer-home")), CONSUMER);
        give(consumer, broker.home());
        give(broker, consumer.home());
        PolicySet policies = PolicySet.of(
                1,
                UnmatchedAddress.PASS,
                Stream.of(QualityOfProtection.values()).map(DemoHomes::policy).toList());
        PolicyFile.write(broker.home().policies(), policies);
        PolicyFile.write(consumer.home().policies(), policies);
        return new DemoHomes(broker, consumer, policies);
    }

    private static Side create(Home home, String name) throws IOException {
        Path file = home.root().resolve("password");
        try (OwnedFolder folder = OwnedFolder.openOrMake(home.root())) {
            folder.write(
                    "password", UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII), OwnedFolder.PRIVATE);
        }
        try (Password password = Password.fromFile(file)) {
            IdentityRequest request =
                    new IdentityRequest(name, "CN=" + name + ",O=Signet demo", KeyAlgorithm.EC_P256, null);
            return new Side(home, home.identityStore().create(request, password));
        }
    }

    private static void give(Side from, Home to) throws IOException {
        String file = from.identity().name() + ".pem";
        Path certificate = from.home().recipients().resolve(file);
        Files.copy(certificate, to.recipients().resolve(file));
        Files.copy(certificate, to.trust().resolve(file));
    }

    private static Policy policy(QualityOfProtection quality) {
        String pattern = Lane.pattern(quality);
        return switch (quality) {
            case NONE ->
                new Policy(
                        pattern, quality, Policy.Signing.DEFAULT, Policy.Encryption.UNUSED, Policy.Acceptance.DEFAULT);
            case INTEGRITY -> Policy.integrity(pattern).with(SIGNING);
            case PRIVACY -> Policy.privacy(pattern, List.of(CONSUMER)).with(SIGNING);
            case CONFIDENTIALITY -> Policy.confidentiality(pattern, List.of(CONSUMER), KeyLimits.DEFAULT);
        };
    }
}
