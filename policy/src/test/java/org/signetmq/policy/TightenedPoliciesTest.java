/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.policy.Policy.LegacyAlgorithms;
import org.signetmq.policy.Policy.OnFailure;

/** The policies of a broker that a client takes beside its own. */
final class TightenedPoliciesTest {
    private static final Instant END = Instant.parse("2030-01-01T00:00:00Z");
    private static final Policy OWN = new Policy(
            "orders.#",
            QualityOfProtection.PRIVACY,
            new Policy.Signing(
                    SignatureAlgorithm.SHA_512_RSA_PSS,
                    List.of("bob", "carol"),
                    CertificateInclusion.INCLUDED,
                    List.of("broker", "broker2")),
            new Policy.Encryption(Policy.EncryptionAlgorithm.AES_256, List.of("alice", "dave"), KeyLimits.FRESH_KEY),
            new Policy.Acceptance(new Toleration(END), SealingPlace.CLIENT),
            new Policy.Enforcement(
                    Policy.SignatureCheck.SIGNATURE, false, false, Duration.ofMinutes(10), List.of("account")),
            new Policy.OpenFailures(OnFailure.REJECT, null));

    private final List<String> weaker = new ArrayList<>();

    private static PolicySet set(long version, UnmatchedAddress unmatched, Policy... policies) {
        return PolicySet.of(version, unmatched, List.of(policies));
    }

    private Optional<EffectivePolicy> found(Policy own, Policy theirs) {
        return set(1, UnmatchedAddress.PASS, own)
                .tightenedBy(set(7, UnmatchedAddress.PASS, theirs), weaker::add)
                .find("orders.eu");
    }

    private static Policy signers(Policy policy, List<String> signers) {
        Policy.Signing signing = policy.signing();
        return policy.with(new Policy.Signing(signing.algorithm(), signers, signing.certificate(), signing.brokers()));
    }

    private static Policy readers(Policy policy, List<String> readers) {
        return policy.with(new Policy.Encryption(
                policy.encryption().algorithm(), readers, policy.encryption().limits()));
    }

    private static Policy quality(Policy policy, QualityOfProtection quality) {
        return new Policy(
                policy.pattern(),
                quality,
                policy.signing(),
                policy.encryption(),
                policy.acceptance(),
                policy.enforcement(),
                policy.openFailures());
    }

    private static Policy accepting(@Nullable Instant until, SealingPlace where, LegacyAlgorithms legacy) {
        return OWN.with(new Policy.Acceptance(new Toleration(until), where, legacy));
    }

    private static Policy enforcing(boolean extra, @Nullable Duration window, List<String> hide) {
        return OWN.with(new Policy.Enforcement(Policy.SignatureCheck.SIGNATURE, extra, false, window, hide));
    }

    /** A way to ask for less. */
    @SuppressWarnings("ImmutableEnumChecker") // the changes have no state
    private enum Weaker {
        NOTHING(own -> quality(own, QualityOfProtection.NONE)),
        NO_ENCRYPTION(own -> quality(own, QualityOfProtection.INTEGRITY)),
        NO_SIGNATURE(own -> quality(own, QualityOfProtection.CONFIDENTIALITY)),
        ANOTHER_SIGNER(own -> signers(own, List.of("bob", "mallory"))),
        ANY_SIGNER(own -> signers(own, List.of())),
        ANOTHER_SPELLING(own -> signers(own, List.of("BOB"))),
        ANOTHER_READER(own -> readers(own, List.of("alice", "mallory"))),
        NO_READER(own -> readers(own, List.of())),
        ANOTHER_BROKER(own -> own.with(new Policy.Signing(
                own.signing().algorithm(),
                own.signing().signers(),
                own.signing().certificate(),
                List.of("mallory")))),
        ANOTHER_PADDING(own -> own.with(new Policy.Signing(
                SignatureAlgorithm.SHA_512,
                own.signing().signers(),
                own.signing().certificate()))),
        OLD_ALGORITHMS(own -> accepting(END, SealingPlace.CLIENT, LegacyAlgorithms.ACCEPTED)),
        LONGER_TOLERATION(own -> accepting(END.plusSeconds(1), SealingPlace.CLIENT, LegacyAlgorithms.REFUSED)),
        SEALED_ANYWHERE(own -> accepting(END, SealingPlace.EITHER, LegacyAlgorithms.REFUSED)),
        SEALED_BY_THE_BROKER(own -> accepting(END, SealingPlace.BROKER, LegacyAlgorithms.REFUSED)),
        MORE_READERS_IN_MESSAGES(own -> enforcing(true, Duration.ofMinutes(10), List.of("account"))),
        NO_WINDOW(own -> enforcing(false, null, List.of("account"))),
        LONGER_WINDOW(own -> enforcing(false, Duration.ofMinutes(11), List.of("account"))),
        SHORTER_MEMORY(own -> enforcing(false, Duration.ofSeconds(1), List.of("account"))),
        NOTHING_HIDDEN(own -> enforcing(false, Duration.ofMinutes(10), List.of("other")));

        private final UnaryOperator<Policy> change;

        Weaker(UnaryOperator<Policy> change) {
            this.change = change;
        }
    }

    @ParameterizedTest
    @EnumSource(Weaker.class)
    void weakerPolicy_leavesTheOwnOne_andIsNamedOnce(Weaker way) {
        PolicySet set = set(1, UnmatchedAddress.PASS, OWN)
                .tightenedBy(set(7, UnmatchedAddress.PASS, way.change.apply(OWN)), weaker::add);

        assertThat(set.find("orders.eu")).contains(new EffectivePolicy(OWN, 1));
        assertThat(set.find("orders.us")).contains(new EffectivePolicy(OWN, 1));
        assertThat(weaker).containsExactly("orders.#");
    }

    @Test
    void stricterPolicy_counts_butTheFateOfBadMessagesIsTheOwnOne() {
        Policy stricter = new Policy(
                "orders.*",
                QualityOfProtection.PRIVACY,
                new Policy.Signing(
                        SignatureAlgorithm.SHA_512_RSA_PSS,
                        List.of("bob"),
                        CertificateInclusion.INCLUDED,
                        List.of("broker")),
                new Policy.Encryption(Policy.EncryptionAlgorithm.AES_256, List.of("alice"), KeyLimits.FRESH_KEY),
                new Policy.Acceptance(Toleration.ENFORCE, SealingPlace.CLIENT),
                new Policy.Enforcement(
                        Policy.SignatureCheck.SIGNATURE,
                        false,
                        true,
                        Duration.ofMinutes(10),
                        List.of("other", "account")),
                new Policy.OpenFailures(OnFailure.SKIP, "elsewhere"));

        assertThat(found(OWN, stricter)).contains(new EffectivePolicy(stricter.with(OWN.openFailures()), 7));
        assertThat(weaker).isEmpty();
    }

    @Test
    void sameAnswer_isTheSameObject() {
        PolicySet set = set(1, UnmatchedAddress.PASS, OWN)
                .tightenedBy(set(7, UnmatchedAddress.PASS, OWN.with(Policy.OpenFailures.DEFAULT)), weaker::add);

        assertThat(set.find("orders.eu").orElseThrow())
                .isSameAs(set.find("orders.eu").orElseThrow());
        assertThat(set.applies(set.find("orders.eu").orElseThrow())).isTrue();
        assertThat(set.applies(new EffectivePolicy(readers(OWN, List.of("mallory")), 7)))
                .isFalse();
    }

    @Test
    void confidentiality_takesKeysThatLiveNoLonger_orASignature() {
        KeyLimits limits = new KeyLimits(32, 1000, Duration.ofMinutes(5));
        Policy own = Policy.confidentiality("orders.#", List.of("alice"), limits);

        for (KeyLimits longer : List.of(
                new KeyLimits(33, 1000, Duration.ofMinutes(5)),
                new KeyLimits(32, 1001, Duration.ofMinutes(5)),
                new KeyLimits(32, 1000, Duration.ofMinutes(6)))) {
            assertThat(found(own, Policy.confidentiality("orders.#", List.of("alice"), longer)))
                    .contains(new EffectivePolicy(own, 1));
        }
        Policy signed = Policy.privacy("orders.#", List.of("alice"));
        assertThat(found(own, signed)).contains(new EffectivePolicy(signed, 7));
    }

    @Test
    void recoveryRecipient_isAnotherReader() {
        Policy own = Policy.privacy("orders.#", List.of("alice"));
        PolicySet.Settings recovering = PolicySet.Settings.DEFAULT.withRecovery(List.of("mallory"));

        assertThat(set(1, UnmatchedAddress.PASS, own)
                        .tightenedBy(PolicySet.of(7, recovering, List.of(own)), weaker::add)
                        .find("orders.eu"))
                .contains(new EffectivePolicy(own, 1));
    }

    @Test
    void variables_areComparedWithTheirValues() {
        Policy own = Policy.privacy("tenant.{t}.#", List.of("{t}-reader", "auditor"));
        PolicySet set = set(1, UnmatchedAddress.PASS, own)
                .tightenedBy(
                        set(7, UnmatchedAddress.PASS, Policy.privacy("tenant.acme.#", List.of("acme-reader"))),
                        weaker::add);

        assertThat(set.find("tenant.acme.orders").orElseThrow().version()).isEqualTo(7);
        assertThat(set.find("tenant.other.orders").orElseThrow().version()).isEqualTo(1);
        assertThat(set(1, UnmatchedAddress.PASS, own)
                        .tightenedBy(
                                set(7, UnmatchedAddress.PASS, Policy.privacy("tenant.*.#", List.of("acme-reader"))),
                                weaker::add)
                        .find("tenant.other.orders")
                        .orElseThrow()
                        .version())
                .isEqualTo(1);
    }

    @Test
    void addressWithoutPolicy_getsOne_withoutRightsThatNoPolicyGives() {
        Policy theirs = Policy.integrity("orders.#")
                .with(new Policy.Signing(
                        SignatureAlgorithm.SHA_512, List.of("bob"), CertificateInclusion.INCLUDED, List.of("mallory")))
                .with(new Policy.Acceptance(Toleration.ENFORCE, SealingPlace.EITHER, LegacyAlgorithms.ACCEPTED));
        PolicySet set = set(1, UnmatchedAddress.PASS).tightenedBy(set(7, UnmatchedAddress.PASS, theirs), weaker::add);

        Policy got = set.find("orders.eu").orElseThrow().policy();

        assertThat(got.quality()).isEqualTo(QualityOfProtection.INTEGRITY);
        assertThat(got.signing().signers()).containsExactly("bob");
        assertThat(got.signing().brokers()).isEmpty();
        assertThat(got.acceptance().legacy()).isEqualTo(LegacyAlgorithms.REFUSED);
        assertThat(weaker).containsExactly("orders.#");
    }

    @Test
    void unmatchedAddresses_areRejected_ifOneSetRejectsThem() {
        PolicySet pass = set(1, UnmatchedAddress.PASS);
        PolicySet reject = set(7, UnmatchedAddress.REJECT);
        Policy open = quality(Policy.integrity("orders.#"), QualityOfProtection.NONE);

        assertThat(pass.tightenedBy(reject, weaker::add).unmatched()).isEqualTo(UnmatchedAddress.REJECT);
        assertThat(reject.tightenedBy(pass, weaker::add).unmatched()).isEqualTo(UnmatchedAddress.REJECT);
        assertThat(pass.tightenedBy(pass, weaker::add).unmatched()).isEqualTo(UnmatchedAddress.PASS);
        assertThat(reject.tightenedBy(set(8, UnmatchedAddress.PASS, open), weaker::add)
                        .find("orders.eu"))
                .isEmpty();
    }

    @Test
    void addressOfTwoPatterns_staysWithout() {
        Policy strict = Policy.privacy("a.*", List.of("alice"));
        PolicySet own = set(1, UnmatchedAddress.PASS, strict, Policy.privacy("a.*.c", List.of("alice")));
        String between = "a.b\\.c";

        assertThat(own.find(between).orElseThrow().problem()).isPresent();
        assertThat(own.tightenedBy(set(7, UnmatchedAddress.PASS, Policy.privacy("#", List.of("alice"))), weaker::add)
                        .find(between)
                        .orElseThrow()
                        .problem())
                .isPresent();
    }

    @Test
    void settings_areTheOwnOnes() {
        PolicySet.Settings theirs = PolicySet.Settings.DEFAULT
                .withCertificates(Map.of("mallory", "AAAA"))
                .withUsers(Map.of("mallory", List.of("bob")));

        PolicySet set = set(1, UnmatchedAddress.PASS).tightenedBy(PolicySet.of(7, theirs, List.of()), weaker::add);

        assertThat(set.settings()).isEqualTo(PolicySet.Settings.DEFAULT);
    }
}
