/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.signetmq.envelope.internal.seal.SealingPlanCache;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.Entity;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.KeyPregenerator;
import org.signetmq.keystore.keys.PregenerationSettings;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.UnmatchedAddress;

/** Real identities in a real home, for a test, or as a static extension for all tests of a class. */
public final class Parties implements AutoCloseable, AfterAllCallback {
    public static final String ADDRESS = "orders.eu";

    /** The RSA identities of all homes by name and algorithm: they are made once, because their keys take long. */
    private static final Map<String, Identity> RSA = new ConcurrentHashMap<>();

    final Home home;
    private final Map<String, Identity> identities = new ConcurrentHashMap<>();
    private final List<Runnable> toClose = new ArrayList<>();

    /** Makes a home, which is deleted in the end, and identities of these names on P-256. */
    public Parties(String... names) {
        try {
            home = new Home(Files.createTempDirectory("signet-parties"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Stream.of(names).forEach(this::identity);
    }

    public Identity identity(String name, KeyAlgorithm algorithm) {
        return identities.computeIfAbsent(name, unused -> {
            try (Password password = Password.takeOwnershipOf("test-password".toCharArray())) {
                Identity shared = RSA.get(name + algorithm);
                if (shared != null) {
                    home.identityStore().add(shared, password);
                    return shared;
                }
                Identity made = home.identityStore()
                        .create(new IdentityRequest(name, "CN=" + name + ",O=Example", algorithm, null), password);
                if (algorithm.label().startsWith("rsa")) {
                    RSA.put(name + algorithm, made);
                }
                return made;
            }
        });
    }

    /** Returns an identity of this name, on P-256 unless it was made before. */
    public Identity identity(String name) {
        return identity(name, KeyAlgorithm.EC_P256);
    }

    /** Creates this number of identities of one kind, and returns their names. */
    List<String> several(KeyAlgorithm algorithm, int count) {
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            names.add(identity(algorithm.label() + "-" + i, algorithm).name());
        }
        return names;
    }

    Sealer sealer() {
        Sealer sealer = Sealer.create(home.recipientDirectory(), home.certificateTrust());
        toClose.add(sealer::close);
        return sealer;
    }

    SealingPlanCache plans() {
        return new SealingPlanCache(
                home.recipientDirectory(),
                home.certificateTrust(),
                KeyPregenerator.onThisMachine(PregenerationSettings.OFF, CryptoProviders.standard()));
    }

    Opener.Keys keys(Collection<Identity> identities) {
        return new Opener.Keys(identities, home.recipientDirectory(), home.certificateTrust());
    }

    public Opener opener(Collection<Identity> keys, PolicySet policies) {
        Opener opener = Opener.create(keys(keys), () -> policies);
        toClose.add(opener::close);
        return opener;
    }

    EnvelopeCheck check() {
        return EnvelopeCheck.create(home.recipientDirectory(), home.certificateTrust(), CryptoProviders.standard());
    }

    boolean satisfies(byte[] envelope, Policy policy) {
        return check().satisfies(envelope, ADDRESS, effective(policy), SenderRule.ANY);
    }

    public static PolicySet policies(Policy... policies) {
        return PolicySet.of(17, UnmatchedAddress.PASS, Arrays.asList(policies));
    }

    /** Returns the usual policy of a quality for {@link #ADDRESS}, for these recipients if it encrypts. */
    public static Policy policy(QualityOfProtection quality, String... recipients) {
        return switch (quality) {
            case NONE ->
                new Policy(
                        ADDRESS, quality, Policy.Signing.DEFAULT, Policy.Encryption.UNUSED, Policy.Acceptance.DEFAULT);
            case INTEGRITY -> Policy.integrity(ADDRESS);
            case PRIVACY -> Policy.privacy(ADDRESS, List.of(recipients));
            case CONFIDENTIALITY -> Policy.confidentiality(ADDRESS, List.of(recipients), KeyLimits.DEFAULT);
            case AUTHENTICITY -> Policy.authenticity(ADDRESS, List.of(recipients), KeyLimits.DEFAULT);
        };
    }

    static EffectivePolicy effective(Policy policy) {
        return new EffectivePolicy(policy, 17);
    }

    /** Returns a message for {@link #ADDRESS}. */
    static ClearMessage text(byte[] payload) {
        return ClearMessage.of(ADDRESS, ClearMessage.Body.TEXT, payload);
    }

    /** Returns a payload of this length, always the same. */
    static byte[] payload(int length) {
        byte[] payload = new byte[length];
        new SplittableRandom(length).nextBytes(payload);
        return payload;
    }

    /** Seals once, by the policy of the message's address. */
    public byte[] seal(ClearMessage message, PolicySet policies, Identity signer) {
        return sealer().seal(message, policies.find(message.address()).orElseThrow(), signer);
    }

    /** Seals once. */
    byte[] seal(ClearMessage message, Policy policy, Identity signer) {
        return sealer().seal(message, effective(policy), signer);
    }

    /** Seals a large message, and returns its envelopes. */
    List<byte[]> segments(ClearMessage head, EffectivePolicy policy, Identity signer, byte[] payload)
            throws IOException {
        List<byte[]> envelopes = new ArrayList<>();
        try (SegmentSealer segments = sealer().segments(
                        head,
                        policy,
                        signer,
                        (bytes, offset, length) -> envelopes.add(Arrays.copyOfRange(bytes, offset, offset + length)))) {
            segments.add(payload, 0, payload.length);
            segments.finish();
        }
        return envelopes;
    }

    static byte[] joined(Collection<byte[]> all) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        all.forEach(whole::writeBytes);
        return whole.toByteArray();
    }

    /** Asserts that the opener rejects these bytes with an exception of this type, with these words in its text. */
    static void assertRejected(
            Class<? extends RuntimeException> type, Opener opener, byte[] envelope, String... words) {
        var rejected = assertThatThrownBy(() -> opener.open(envelope, ADDRESS)).isInstanceOf(type);
        Stream.of(words).forEach(rejected::hasMessageContaining);
    }

    /** Opens an envelope, and returns its head and payload. */
    static Entity opened(Opener opener, byte[] envelope) {
        return opener.open(envelope, ADDRESS).entityIfProtected().orElseThrow();
    }

    /** Opens an envelope, and returns its whole MIME entity. */
    static byte[] entity(Opener opener, byte[] envelope, String address) {
        ByteArrayOutputStream entity = new ByteArrayOutputStream();
        try {
            opener.openSegments(new ByteArrayInputStream(envelope), address).transferEntityTo(entity, written -> {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return entity.toByteArray();
    }

    @Override
    public void close() {
        toClose.forEach(Runnable::run);
        try (Stream<Path> all = Files.walk(home.root())) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close();
    }
}
