/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.utils.FileUtil;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.epoch.PregenerationSettings;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Payload;
import org.signetmq.perf.variant.Reuse;
import org.signetmq.perf.variant.Variant;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.UnmatchedAddress;

/** A producer, its recipients and a policy, in a home of their own. All of them are the product's own code. */
final class Scene implements AutoCloseable {
    static final String ADDRESS = "orders.eu";

    /** Signatures of elliptic curves differ by some bytes: the longest envelope of this number counts. */
    private static final int SIZED_ENVELOPES = 64;

    private final Path folder = Files.createTempDirectory("signet-perf");
    private final Home home = new Home(folder);
    private final RecipientDirectory directory = home.recipientDirectory();
    private final CertificateTrust trust = home.certificateTrust();
    private final Identity producer;
    private final List<Identity> recipients;
    private final PolicySet policies;

    /**
     * Makes all of them.
     *
     * @param variant of the policy and of all keys
     * @param count the number of recipients
     * @param certificate whether envelopes carry the producer's certificate
     */
    Scene(Variant variant, int count, CertificateInclusion certificate) throws IOException {
        producer = identity("producer", variant.key());
        recipients = IntStream.rangeClosed(1, count)
                .mapToObj(i -> identity("recipient-" + i, variant.key()))
                .toList();
        Policy policy =
                variant.policy(ADDRESS, recipients.stream().map(Identity::name).toList());
        Policy.Signing signing = policy.signing();
        policies = PolicySet.of(
                17,
                UnmatchedAddress.PASS,
                List.of(policy.with(new Policy.Signing(signing.algorithm(), signing.signers(), certificate))));
    }

    private Identity identity(String name, KeyKind key) {
        try (Password password = Password.takeOwnershipOf("benchmark".toCharArray())) {
            return home.identityStore()
                    .create(new IdentityRequest(name, "CN=" + name, key.algorithm(), null), password);
        }
    }

    Sealer sealer() {
        return Sealer.create(directory, trust);
    }

    /** Returns one sealer of many: it makes no keys that it will not need. */
    Sealer sealerWithoutPool() {
        return Sealer.create(directory, trust, Clock.systemUTC(), PregenerationSettings.OFF);
    }

    Supplier<byte[]> sealing(Sealer sealer, byte[] payload) {
        ClearMessage.Body body = new ClearMessage.Body(BodyKind.JMS_BYTES, "application/octet-stream");
        ClearMessage message = new ClearMessage(ADDRESS, body, payload, "alice", Map.of());
        EffectivePolicy policy = policies.find(ADDRESS).orElseThrow();
        return () -> sealer.seal(message, policy, producer);
    }

    /** Returns an opener with the key of the first recipient. */
    Opener opener() {
        return opener(recipients.subList(0, 1));
    }

    /** Returns an opener of messages that are signed and not encrypted. */
    Opener openerWithoutKeys() {
        return opener(List.of());
    }

    private Opener opener(List<Identity> identities) {
        return Opener.create(new Opener.Keys(identities, directory, trust), () -> policies);
    }

    /**
     * Returns how many bytes sealing adds to the usual payload, for one recipient, as rows with names such as
     * size.privacy.referenced.p256.
     */
    static List<Result> addedBytes() throws IOException {
        List<Result> rows = new ArrayList<>();
        for (KeyKind key : KeyKind.values()) {
            Variant confidentiality = new Variant(QualityOfProtection.CONFIDENTIALITY, new Reuse("32"), key);
            rows.add(addedBytes("confidentiality", confidentiality, CertificateInclusion.INCLUDED));
            for (CertificateInclusion certificate : CertificateInclusion.values()) {
                for (String quality : List.of("integrity", "privacy")) {
                    Variant variant =
                            new Variant(QualityOfProtection.named(quality).orElseThrow(), Reuse.NONE, key);
                    rows.add(addedBytes(quality + "." + certificate.label(), variant, certificate));
                }
            }
        }
        return rows;
    }

    private static Result addedBytes(String name, Variant variant, CertificateInclusion certificate)
            throws IOException {
        byte[] payload = Payload.ofSize(Payload.USUAL_SIZE);
        try (Scene scene = new Scene(variant, 1, certificate);
                Sealer sealer = scene.sealer()) {
            Supplier<byte[]> sealing = scene.sealing(sealer, payload);
            int longest = IntStream.range(0, SIZED_ENVELOPES)
                    .map(i -> sealing.get().length)
                    .max()
                    .orElseThrow();
            return Result.EMPTY
                    .with("name", "size." + name + "." + variant.key().label())
                    .with("bytes_added", longest - payload.length);
        }
    }

    @Override
    public void close() {
        FileUtil.deleteDirectory(folder.toFile());
    }
}
