/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.signetmq.policy.Policy.Acceptance;
import org.signetmq.policy.Policy.Encryption;
import org.signetmq.policy.Policy.EncryptionAlgorithm;
import org.signetmq.policy.Policy.Enforcement;
import org.signetmq.policy.Policy.LegacyAlgorithms;
import org.signetmq.policy.Policy.MessageAudit;
import org.signetmq.policy.Policy.OnFailure;
import org.signetmq.policy.Policy.OpenFailures;
import org.signetmq.policy.Policy.RequiredKeys;
import org.signetmq.policy.Policy.SignatureCheck;
import org.signetmq.policy.Policy.SignatureSharing;
import org.signetmq.policy.Policy.Signing;

/** Sets of policies that can work. */
public final class RandomPolicies {
    private static final List<List<String>> NAMES = List.of(List.of("alice"), List.of("bob", "alice"));

    private final Random random;

    public RandomPolicies(long seed) {
        this.random = new Random(seed);
    }

    public PolicySet set() {
        WildcardSyntax syntax = random.nextBoolean()
                ? WildcardSyntax.DEFAULT
                : one(Syntaxes.all().toArray(WildcardSyntax[]::new));
        RandomAddresses addresses = new RandomAddresses(random.nextLong(), syntax);
        Map<String, Policy> policies = new LinkedHashMap<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            String pattern = "p" + addresses.pattern();
            if (syntax.problemWithPattern(pattern).isEmpty()) {
                policies.put(pattern, policy(pattern));
            }
        }
        return PolicySet.of(
                random.nextLong() & Long.MAX_VALUE,
                new PolicySet.Settings(
                        one(UnmatchedAddress.values()),
                        syntax,
                        random.nextBoolean() ? names() : List.of(),
                        random.nextBoolean() ? Map.of("u \u20ac", names(), "nobody", List.of()) : Map.of(),
                        random.nextBoolean() ? Map.of("alice", "QUJD", "bob", "QUI=") : Map.of()),
                new ArrayList<>(policies.values()));
    }

    public Policy policy(String pattern) {
        QualityOfProtection quality = one(QualityOfProtection.values());
        Signing signing = new Signing(
                one(SignatureAlgorithm.values()),
                quality.provesSender() && random.nextBoolean() ? names() : List.of(),
                one(CertificateInclusion.values()),
                quality.provesSender() && random.nextBoolean() ? names() : List.of(),
                quality.signs() ? one(SignatureSharing.values()) : SignatureSharing.SINGLE);
        Encryption encryption = new Encryption(
                EncryptionAlgorithm.AES_256,
                quality.encrypts() ? names() : List.of(),
                quality.reusesKeys() ? limits() : KeyLimits.FRESH_KEY,
                quality == QualityOfProtection.AUTHENTICITY);
        Toleration toleration = random.nextBoolean()
                ? Toleration.ENFORCE
                : new Toleration(Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000)));
        return new Policy(
                pattern,
                quality,
                signing,
                encryption,
                new Acceptance(
                        toleration,
                        one(SealingPlace.values()),
                        one(LegacyAlgorithms.values()),
                        one(MessageAudit.values())),
                quality == QualityOfProtection.NONE
                        ? Enforcement.DEFAULT
                        : enforcement(quality, canHaveBoth(quality, signing, encryption)),
                quality == QualityOfProtection.NONE ? OpenFailures.DEFAULT : openFailures());
    }

    private static boolean canHaveBoth(QualityOfProtection quality, Signing signing, Encryption encryption) {
        return quality != QualityOfProtection.AUTHENTICITY
                && !(quality.signs() && signing.signers().isEmpty())
                && Stream.of(signing.signers(), signing.brokers(), encryption.recipients())
                        .flatMap(List::stream)
                        .allMatch(RequiredKeys::hasCompanion);
    }

    private Enforcement enforcement(QualityOfProtection quality, boolean both) {
        boolean visible = quality == QualityOfProtection.INTEGRITY;
        SignatureCheck verify = visible ? one(SignatureCheck.values()) : SignatureCheck.SIGNATURE;
        Duration window = one(new Duration[] {
            Duration.ofMillis(1), Duration.ofMinutes(1 + random.nextInt(1000)), Enforcement.LONGEST_REPLAY_WINDOW
        });
        return new Enforcement(
                verify,
                quality.encrypts() && random.nextBoolean(),
                visible && random.nextBoolean(),
                verify == SignatureCheck.STRUCTURE || random.nextBoolean() ? null : window,
                random.nextBoolean() ? List.of() : List.of("region", "$_a1"),
                both ? one(RequiredKeys.values()) : RequiredKeys.EITHER);
    }

    private OpenFailures openFailures() {
        return new OpenFailures(
                random.nextBoolean() ? null : one(OnFailure.values()), random.nextBoolean() ? null : "bad \u20ac");
    }

    private KeyLimits limits() {
        return new KeyLimits(
                one(new Long[] {1L, 2L, 32L, 1L + random.nextInt(1000), KeyLimits.MOST_MESSAGES}),
                one(new Long[] {1L, 1024L, 3L << 20, 1L + random.nextInt(100_000), KeyLimits.MOST_BYTES}),
                one(new Duration[] {
                    KeyLimits.DEFAULT_AGE,
                    Duration.ofNanos(1),
                    Duration.ofDays(365),
                    Duration.ofMillis(1 + random.nextInt(9_999))
                }));
    }

    private List<String> names() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    private <E> E one(E[] choices) {
        return choices[random.nextInt(choices.length)];
    }
}
