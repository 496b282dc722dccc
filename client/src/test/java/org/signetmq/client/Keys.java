/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.SegmentSealer;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;

/**
 * The keys: the reader alice; the signer bob, which vouches for senders; and carol. Addresses: integrity.#, privacy.#,
 * confidential.#, authentic.#, tolerant.#, and foreign.# for carol alone, all of which reject what cannot be opened;
 * client.# for messages that their producers seal; usual.#, which has the default for what cannot be opened; once.#,
 * which has a replay window; both.# and client.both.#, which require both kinds of keys; evidence.#, which has an own
 * quarantine; moved.#, which has one for receiving calls, too; stuck.#, whose quarantine does not exist; and skipped.#.
 */
public final class Keys implements AutoCloseable {
    static final String SENDER = "sam";
    public static final String SIGNER = "CN=bob,O=Example";
    static final String PASSWORD_FILE = "password";

    /** The quarantine of the addresses evidence.#. */
    static final String EVIDENCE = "kept.evidence";

    /** Bob is a broker that vouches for senders. */
    private static final Policy.Signing VOUCHED = new Policy.Signing(
            Policy.Signing.DEFAULT.algorithm(), List.of(), Policy.Signing.DEFAULT.certificate(), List.of("bob"));

    public final Path folder;
    private final PolicySet sealing;
    private final Identity alice;
    private final Identity bob;
    private final Sealer sealer;
    private final Opener opener;

    Keys(Path folder) {
        this.folder = folder;
        Home home = new Home(folder);
        alice = create(home, "alice");
        bob = create(home, "bob");
        create(home, "carol");
        List<String> readers = List.of("alice");
        Policy tolerant = Policy.privacy("tolerant.#", readers)
                .with(new Policy.Acceptance(
                        new Toleration(java.time.Instant.parse("2999-01-01T00:00:00Z")),
                        Policy.Acceptance.DEFAULT.where()));
        sealing = PolicySet.of(
                17,
                UnmatchedAddress.PASS,
                List.of(
                        byClients(Policy.privacy("client.privacy.#", readers)),
                        byClients(Policy.confidentiality("client.confidential.#", readers, KeyLimits.DEFAULT)),
                        byClients(Policy.authenticity("client.authentic.#", readers, KeyLimits.DEFAULT)),
                        byClients(Policy.integrity("client.integrity.#")),
                        requiringBoth(Policy.integrity("both.integrity.#")),
                        byClients(requiringBoth(Policy.integrity("client.both.integrity.#"))),
                        byClients(Policy.privacy("client.hidden.#", readers))
                                .with(new Policy.Enforcement(
                                        Policy.SignatureCheck.SIGNATURE, false, false, null, List.of("amount"))),
                        Policy.privacy("broker.hidden.#", readers)
                                .with(new Policy.Enforcement(
                                        Policy.SignatureCheck.SIGNATURE, false, false, null, List.of("amount"))),
                        rejecting(Policy.integrity("integrity.#").with(VOUCHED)),
                        rejecting(Policy.privacy("privacy.#", readers).with(VOUCHED)),
                        rejecting(Policy.confidentiality("confidential.#", readers, KeyLimits.DEFAULT)),
                        rejecting(Policy.authenticity("authentic.#", readers, KeyLimits.DEFAULT)
                                .with(VOUCHED)),
                        rejecting(Policy.privacy("foreign.#", List.of("carol"))),
                        rejecting(tolerant),
                        rejecting(Policy.privacy("once.#", readers))
                                .with(new Policy.Enforcement(
                                        Policy.SignatureCheck.SIGNATURE, false, false, Duration.ofHours(1), List.of())),
                        Policy.privacy("usual.#", readers),
                        Policy.integrity("evidence.#")
                                .with(new Policy.OpenFailures(Policy.OnFailure.QUARANTINE, EVIDENCE)),
                        Policy.privacy("moved.#", readers)
                                .with(new Policy.OpenFailures(Policy.OnFailure.QUARANTINE, null)),
                        Policy.privacy("stuck.#", readers).with(new Policy.OpenFailures(null, TestBroker.REFUSED)),
                        Policy.privacy("skipped.#", readers)
                                .with(new Policy.OpenFailures(Policy.OnFailure.SKIP, null))));
        sealer = Sealer.create(home.recipientDirectory(), home.certificateTrust());
        opener = newOpener();
    }

    private static Policy byClients(Policy policy) {
        return policy.with(new Policy.Acceptance(Toleration.ENFORCE, SealingPlace.CLIENT));
    }

    /** Returns a policy that requires classical and post-quantum keys, of bob and bob.pq. */
    private static Policy requiringBoth(Policy policy) {
        return policy.with(new Policy.Signing(
                        Policy.Signing.DEFAULT.algorithm(),
                        List.of("bob"),
                        Policy.Signing.DEFAULT.certificate(),
                        List.of()))
                .with(new Policy.Enforcement(
                        Policy.SignatureCheck.SIGNATURE, false, false, null, List.of(), Policy.RequiredKeys.BOTH));
    }

    /** Returns a policy by which messages that cannot be opened become dead letters. */
    private static Policy rejecting(Policy policy) {
        return policy.with(new Policy.OpenFailures(Policy.OnFailure.REJECT, null));
    }

    public static Password password() {
        return Password.takeOwnershipOf("a good password".toCharArray());
    }

    private static Identity create(Home home, String name) {
        try (Password password = password()) {
            return home.identityStore()
                    .create(
                            new IdentityRequest(name, "CN=" + name + ",O=Example", KeyAlgorithm.EC_P256, null),
                            password);
        }
    }

    /** Another opener with alice's key. */
    Opener newOpener() {
        Home home = new Home(folder);
        return Opener.create(
                new Opener.Keys(List.of(alice), home.recipientDirectory(), home.certificateTrust()), () -> sealing);
    }

    /** Writes the files of a broker that protects with these keys, as bob. */
    Keys forABroker() throws IOException {
        Files.write(new Home(folder).policies(), PolicyFile.bytes(sealing));
        Path file = Files.writeString(folder.resolve(PASSWORD_FILE), "a good password");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return this;
    }

    PolicySet policies() {
        return sealing;
    }

    Sealer sealer() {
        return sealer;
    }

    Identity signer() {
        return bob;
    }

    public Opener opener() {
        return opener;
    }

    public byte[] sealText(String address, String text) {
        return seal(address, BodyKind.JMS_TEXT, text.getBytes(java.nio.charset.StandardCharsets.UTF_8), Map.of());
    }

    public byte[] seal(String address, BodyKind kind, byte[] payload, Map<String, String> properties) {
        ClearMessage message = new ClearMessage(
                address, new ClearMessage.Body(kind, "application/octet-stream"), payload, SENDER, properties);
        return sealer.seal(message, sealing.find(address).orElseThrow(), bob);
    }

    /** As a large message, in segments. */
    byte[] sealLarge(String address, BodyKind kind, byte[] payload) throws IOException {
        ClearMessage head = new ClearMessage(
                address, new ClearMessage.Body(kind, "application/octet-stream"), new byte[0], SENDER, Map.of());
        ByteArrayOutputStream sealed = new ByteArrayOutputStream();
        try (SegmentSealer segments = segments(head, sealed::write)) {
            segments.add(payload, 0, payload.length);
            segments.finish();
        }
        return sealed.toByteArray();
    }

    /** Seals a large message as it comes. */
    SegmentSealer segments(ClearMessage head, SegmentSealer.Sink sink) {
        return sealer.segments(head, sealing.find(head.address()).orElseThrow(), bob, sink);
    }

    /** How long the first segment is; under confidentiality as long as all but the last. */
    static int firstSegment(byte[] sealed) {
        return 5 + (((sealed[2] & 0xFF) << 16) | ((sealed[3] & 0xFF) << 8) | (sealed[4] & 0xFF));
    }

    @Override
    public void close() {
        opener.close();
        sealer.close();
    }
}
