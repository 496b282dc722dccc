/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.epoch.PregenerationSettings;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;

/** A producer, its recipients and a policy, in a home of their own; the product's own code throughout. */
final class Scene implements AutoCloseable {
    static final String ADDRESS = "orders.eu";

    /** Whether an envelope carries its signer's certificate. */
    enum Certificate {
        INCLUDED(CertificateInclusion.INCLUDED),
        REFERENCED(CertificateInclusion.REFERENCED);

        private final CertificateInclusion inclusion;

        Certificate(CertificateInclusion inclusion) {
            this.inclusion = inclusion;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Path folder;
    private final Home home;
    private final RecipientDirectory directory;
    private final CertificateTrust trust;
    private final Identity producer;
    private final List<Identity> recipients = new ArrayList<>();
    private final PolicySet policies;

    Scene(RowName name) throws IOException {
        this(name, Certificate.INCLUDED);
    }

    Scene(RowName name, Certificate certificate) throws IOException {
        folder = Files.createTempDirectory("signet-perf");
        home = new Home(folder);
        directory = home.recipientDirectory();
        trust = home.certificateTrust();
        KeyAlgorithm algorithm = keyAlgorithm(name.word(name.words().size() - 1));
        producer = identity("producer", algorithm);
        for (int i = 1; i <= name.recipients(); i++) {
            recipients.add(identity("recipient-" + i, algorithm));
        }
        String reuse = name.word(0).equals("seal") ? name.word(2) : "32";
        policies = PolicySet.of(17, UnmatchedAddress.PASS, List.of(with(certificate, policy(name.word(1), reuse))));
    }

    private static KeyAlgorithm keyAlgorithm(String key) {
        return switch (key) {
            case "p256" -> KeyAlgorithm.EC_P256;
            case "rsa2048" -> KeyAlgorithm.RSA_2048;
            default -> throw new IllegalArgumentException("row: unknown kind of key " + key);
        };
    }

    private Identity identity(String name, KeyAlgorithm algorithm) {
        try (Password password = Password.takeOwnershipOf("benchmark".toCharArray())) {
            return home.identityStore().create(new IdentityRequest(name, "CN=" + name, algorithm, null), password);
        }
    }

    private Policy policy(String quality, String reuse) {
        List<String> names = recipients.stream().map(Identity::name).toList();
        return switch (quality) {
            case "integrity" -> Policy.integrity(ADDRESS);
            case "privacy" -> Policy.privacy(ADDRESS, names);
            case "confidentiality" -> Policy.confidentiality(ADDRESS, names, limits(reuse));
            default -> throw new IllegalArgumentException("row: unknown quality " + quality);
        };
    }

    private static Policy with(Certificate certificate, Policy policy) {
        Policy.Signing signing = policy.signing();
        return new Policy(
                policy.pattern(),
                policy.quality(),
                new Policy.Signing(signing.algorithm(), signing.signers(), certificate.inclusion),
                policy.encryption(),
                policy.acceptance());
    }

    private static KeyLimits limits(String reuse) {
        long messages = reuse.equals("unlimited") ? KeyLimits.MOST_MESSAGES : Math.max(1, Long.parseLong(reuse));
        return new KeyLimits(messages, KeyLimits.MOST_BYTES, KeyLimits.DEFAULT_AGE);
    }

    ClearMessage message(byte[] payload) {
        return new ClearMessage(
                ADDRESS,
                new ClearMessage.Body(org.signetmq.envelope.message.BodyKind.JMS_BYTES, "application/octet-stream"),
                payload,
                "alice",
                java.util.Map.of());
    }

    EffectivePolicy policy() {
        return policies.find(ADDRESS).orElseThrow();
    }

    Identity producer() {
        return producer;
    }

    Sealer sealer() {
        return Sealer.create(directory, trust);
    }

    /** One of many: it makes no keys that it will not need, and reads nothing that another has read. */
    Sealer sealerWithoutPool() {
        return Sealer.create(directory, trust, Clock.systemUTC(), PregenerationSettings.OFF);
    }

    Opener opener() {
        return opener(List.of(recipients.get(0)));
    }

    /** Has no key: opens what is signed and not encrypted. */
    Opener openerOfNobody() {
        return opener(List.of());
    }

    private Opener opener(List<Identity> identities) {
        return Opener.create(new Opener.Keys(identities, directory, trust), () -> policies);
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
