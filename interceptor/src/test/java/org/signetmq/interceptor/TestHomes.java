/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.SegmentSealer;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;

/** A broker's home and a consumer's. They know each other's certificates, and no more of each other. */
public final class TestHomes {
    public static final String CONSUMER = "consumer";

    public final Home broker;
    final Home consumer;
    public final Path passwordFile;
    private PolicySet written = PolicySet.EMPTY;

    public TestHomes(Path folder) {
        broker = new Home(folder.resolve("broker-home"));
        consumer = new Home(folder.resolve("consumer-home"));
        passwordFile = folder.resolve("password");
        try {
            Files.writeString(passwordFile, "a password of tests\n");
            Files.setPosixFilePermissions(passwordFile, PosixFilePermissions.fromString("rw-------"));
            create(broker, "broker");
            create(consumer, CONSUMER);
            share(consumer, CONSUMER, broker);
            share(broker, "broker", consumer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private TestHomes(Home broker, Home consumer, Path passwordFile) {
        this.broker = broker;
        this.consumer = consumer;
        this.passwordFile = passwordFile;
    }

    /** Those that were made in this folder before. */
    static TestHomes existing(Path folder) {
        return new TestHomes(
                new Home(folder.resolve("broker-home")),
                new Home(folder.resolve("consumer-home")),
                folder.resolve("password"));
    }

    /** Homes without any certificate that protect nothing. */
    static TestHomes withoutPolicies(Path folder) throws IOException {
        TestHomes homes = new TestHomes(Files.createDirectory(folder.resolve("open-homes")));
        homes.policies(1);
        return homes;
    }

    Identity create(Home home, String name) {
        try (Password password = Password.fromFile(passwordFile)) {
            return home.identityStore()
                    .create(
                            new IdentityRequest(name, "CN=" + name + ",O=Signet tests", KeyAlgorithm.EC_P256, null),
                            password);
        }
    }

    /** A user with an identity that the broker holds. Consumers know its certificate. */
    public Identity createUser(String name) throws IOException {
        Identity created = create(broker, name);
        share(broker, name, consumer);
        return created;
    }

    static void share(Home from, String name, Home to) throws IOException {
        Files.createDirectories(to.recipients());
        Files.createDirectories(to.trust());
        Files.copy(from.recipients().resolve(name + ".pem"), to.recipients().resolve(name + ".pem"));
        Files.copy(from.trust().resolve(name + ".pem"), to.trust().resolve(name + ".pem"));
    }

    public PolicySet policies(long version, Policy... policies) throws IOException {
        return policies(PolicySet.of(version, UnmatchedAddress.PASS, List.of(policies)));
    }

    PolicySet policies(PolicySet set) throws IOException {
        new WholeFile(broker.policies()).write(PolicyFile.bytes(set), WholeFile.READABLE);
        written = set;
        return set;
    }

    /** Opens as the consumer. */
    public OpenedMessage open(byte[] bytes, String address, PolicySet policies) {
        try (Opener opener = opener(policies)) {
            return opener.open(bytes, address);
        }
    }

    /** Opens as the consumer, by the policies that were written last. */
    public OpenedMessage open(byte[] bytes, String address) {
        return open(bytes, address, written);
    }

    /** Opens as the consumer, and returns the payload as text. */
    public String text(byte[] bytes, String address) {
        return text(bytes, address, written);
    }

    public String text(byte[] bytes, String address, PolicySet policies) {
        return new String(open(bytes, address, policies).payload(), StandardCharsets.UTF_8);
    }

    /** Encrypts for the consumer, and signs. */
    public static Policy privacy(String pattern) {
        return Policy.privacy(pattern, List.of(CONSUMER));
    }

    /** The consumer's. */
    Opener opener(PolicySet policies) {
        try (Password password = Password.fromFile(passwordFile)) {
            return Opener.create(
                    new Opener.Keys(
                            List.of(consumer.identityStore().load(CONSUMER, password)),
                            consumer.recipientDirectory(),
                            consumer.certificateTrust()),
                    () -> policies);
        }
    }

    /** A sealer of a producer that seals with the broker's identity. */
    Sealer sealer() {
        return Sealer.create(broker.recipientDirectory(), broker.certificateTrust());
    }

    /** Seals as a producer does. The policy is that of the message's address. */
    public byte[] sealed(ClearMessage message, PolicySet policies, Identity signer) {
        try (Sealer sealer = sealer()) {
            return sealer.seal(message, policies.find(message.address()).orElseThrow(), signer);
        }
    }

    /** Seals this body in segments. */
    public byte[] sealed(ClearMessage head, byte[] body, PolicySet policies, Identity signer) throws IOException {
        ByteArrayOutputStream sealed = new ByteArrayOutputStream();
        try (Sealer sealer = sealer();
                SegmentSealer segments =
                        sealer.segments(head, policies.find(head.address()).orElseThrow(), signer, sealed::write)) {
            segments.add(body, 0, body.length);
            segments.finish();
        }
        return sealed.toByteArray();
    }

    public Identity brokerIdentity() {
        try (Password password = Password.fromFile(passwordFile)) {
            return broker.identityStore().load("broker", password);
        }
    }
}
