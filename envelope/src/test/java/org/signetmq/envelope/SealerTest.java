/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.exception.SignerNotAuthorizedException;
import org.signetmq.envelope.internal.seal.SealingPlanCache;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.Entity;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.crypto.KeyLease;
import org.signetmq.keystore.epoch.KeyEpochs;
import org.signetmq.keystore.epoch.KeyPregenerator;
import org.signetmq.keystore.epoch.PregenerationSettings;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.policy.UnmatchedAddress;

final class SealerTest {
    private static final byte[] PAYLOAD = "transfer 100 to alice".getBytes(UTF_8);

    @TempDir
    static Path folder;

    private static Parties parties;

    @BeforeAll
    static void createIdentities() {
        parties = new Parties(folder);
        parties.identity("ec", KeyAlgorithm.EC_P256);
        parties.identity("rsa", KeyAlgorithm.RSA_2048);
        parties.identity("other", KeyAlgorithm.EC_P256);
    }

    @AfterAll
    static void close() {
        parties.close();
    }

    private static Identity identity(String name) {
        return parties.identity(name, KeyAlgorithm.EC_P256); // created already
    }

    private static ClearMessage message(String address) {
        return ClearMessage.of(address, ClearMessage.Body.TEXT, PAYLOAD);
    }

    private static EffectivePolicy effective(Policy policy) {
        return new EffectivePolicy(policy, 17);
    }

    private static Policy privacy(CertificateInclusion inclusion, String recipient) {
        return Policy.privacy("orders", List.of(recipient))
                .with(new Policy.Signing(SignatureAlgorithm.SHA_512, List.of(), inclusion));
    }

    /** The memory is in the middle of an array, and so is the payload. */
    @ParameterizedTest
    @EnumSource(value = QualityOfProtection.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void sealedIntoMemory_fillsExactlyTheMemory(QualityOfProtection quality) {
        Policy policy = switch (quality) {
            case CONFIDENTIALITY -> Policy.confidentiality(Parties.ADDRESS, List.of("ec"), KeyLimits.DEFAULT);
            case PRIVACY -> Policy.privacy(Parties.ADDRESS, List.of("ec"));
            default -> Policy.integrity(Parties.ADDRESS);
        };
        byte[] around = new byte[PAYLOAD.length + 7];
        System.arraycopy(PAYLOAD, 0, around, 3, PAYLOAD.length);
        InMemory body = new InMemory(ByteBuffer.wrap(around, 3, PAYLOAD.length));
        ClearMessage head = ClearMessage.of(Parties.ADDRESS, ClearMessage.Body.TEXT, new byte[0]);

        parties.sealer().seal(head, body, effective(policy), identity("ec"));

        byte[] envelope = body.envelope();
        byte[] usual = parties.sealer().seal(message(Parties.ADDRESS), effective(policy), identity("ec"));
        assertThat(EnvelopeDescription.of(envelope).toString().length())
                .isEqualTo(EnvelopeDescription.of(usual).toString().length());
        try (Opener opener =
                parties.opener(List.of(identity("ec")), PolicySet.of(17, UnmatchedAddress.PASS, List.of(policy)))) {
            assertThat(opener.open(envelope, Parties.ADDRESS).payload()).isEqualTo(PAYLOAD);
        }
        assertThat(Arrays.copyOfRange(around, 3, 3 + PAYLOAD.length)).isEqualTo(PAYLOAD);
    }

    @Test
    void headWithPayload_orQualityNone_isNotSealedIntoMemory() {
        InMemory body = new InMemory(ByteBuffer.wrap(PAYLOAD));
        EffectivePolicy integrity = effective(Policy.integrity(Parties.ADDRESS));
        ClearMessage head = ClearMessage.of(Parties.ADDRESS, ClearMessage.Body.TEXT, new byte[0]);
        Policy none = new Policy(
                Parties.ADDRESS,
                QualityOfProtection.NONE,
                Policy.Signing.DEFAULT,
                Policy.Encryption.UNUSED,
                Policy.Acceptance.DEFAULT);

        assertThatThrownBy(() -> parties.sealer().seal(message(Parties.ADDRESS), body, integrity, identity("ec")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> parties.sealer().seal(head, body, effective(none), identity("ec")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(body.envelope()).isEmpty();
    }

    /** Gives memory between bytes that must not change. */
    private static final class InMemory implements BodyReplacement {
        private static final int AROUND = 5;

        private final ByteBuffer payload;
        private byte[] array = new byte[2 * AROUND];

        InMemory(ByteBuffer payload) {
            this.payload = payload;
        }

        @Override
        public ByteBuffer payload() {
            return payload;
        }

        @Override
        public ByteBuffer memory(int length) {
            array = new byte[length + 2 * AROUND];
            return ByteBuffer.wrap(array, AROUND, length);
        }

        byte[] envelope() {
            int end = array.length - AROUND;
            assertThat(Arrays.copyOf(array, AROUND)).containsOnly(0);
            assertThat(Arrays.copyOfRange(array, end, array.length)).containsOnly(0);
            return Arrays.copyOfRange(array, AROUND, end);
        }
    }

    @Test
    void signerNotOnTheList_rejected() {
        Policy policy = Policy.integrity(Parties.ADDRESS)
                .with(new Policy.Signing(SignatureAlgorithm.SHA_512, List.of("other"), CertificateInclusion.INCLUDED));

        assertThatThrownBy(() -> parties.sealer().seal(message(Parties.ADDRESS), effective(policy), identity("ec")))
                .isInstanceOf(SignerNotAuthorizedException.class)
                .hasMessageContaining("'ec'");
    }

    @Test
    void unknownRecipient_rejected() {
        Policy policy = Policy.privacy(Parties.ADDRESS, List.of("nobody"));

        assertThatThrownBy(() -> parties.sealer().seal(message(Parties.ADDRESS), effective(policy), identity("ec")))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("'nobody'");
    }

    @Test
    void noRecipients_rejected() {
        Policy policy = Policy.privacy(Parties.ADDRESS, List.of());

        assertThatThrownBy(() -> parties.sealer().seal(message(Parties.ADDRESS), effective(policy), identity("ec")))
                .isInstanceOf(KeystoreUnusableException.class);
    }

    @ParameterizedTest
    @CsvSource({"2000-01-01T00:00:00Z, NOT_YET_VALID", "2100-01-01T00:00:00Z, EXPIRED"})
    void recipientOutOfDate_rejected(Instant now, CertificateRejectedException.Reason reason) {
        EffectivePolicy policy = effective(Policy.confidentiality(Parties.ADDRESS, List.of("ec"), KeyLimits.DEFAULT));
        try (Sealer sealer = Sealer.create(
                parties.home.recipientDirectory(),
                parties.home.certificateTrust(),
                Clock.fixed(now, ZoneOffset.UTC),
                PregenerationSettings.AUTO)) {

            assertThatThrownBy(() -> sealer.seal(message(Parties.ADDRESS), policy, identity("rsa")))
                    .isInstanceOfSatisfying(
                            CertificateRejectedException.class,
                            rejected -> assertThat(rejected.reason()).isEqualTo(reason));
        }
    }

    @Test
    void selfSignedRecipientThatNobodyTrusts_rejected(@TempDir Path own) throws Exception {
        try (Parties mine = new Parties(own)) {
            Identity signer = mine.identity("signer", KeyAlgorithm.EC_P256);
            mine.identity("stranger", KeyAlgorithm.EC_P256);
            Files.delete(mine.home.trust().resolve("stranger.pem"));
            EffectivePolicy policy = effective(Policy.privacy(Parties.ADDRESS, List.of("stranger")));

            assertThatThrownBy(() -> mine.sealer().seal(message(Parties.ADDRESS), policy, signer))
                    .isInstanceOfSatisfying(
                            CertificateRejectedException.class,
                            rejected -> assertThat(rejected.reason())
                                    .isEqualTo(CertificateRejectedException.Reason.UNTRUSTED));
        }
    }

    @Test
    void recipientThatCannotReceive_rejected() {
        parties.identity("ed", KeyAlgorithm.ED25519);
        Policy policy = Policy.privacy(Parties.ADDRESS, List.of("ed"));

        assertThatThrownBy(() -> parties.sealer().seal(message(Parties.ADDRESS), effective(policy), identity("ec")))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("'ed'");
    }

    @Test
    void sameRecipientNamedTwice_encryptedForOnce() {
        String identifier = "ski:" + identity("ec").keyIdentifier();
        Policy policy = Policy.confidentiality(Parties.ADDRESS, List.of("ec", identifier), KeyLimits.DEFAULT);

        byte[] sealed = parties.sealer().seal(message(Parties.ADDRESS), effective(policy), identity("ec"));

        assertThat(EnvelopeDescription.of(sealed).recipients()).hasSize(1);
    }

    @Test
    void policyChanges_nextMessageIsForTheNewRecipients() {
        Sealer sealer = parties.sealer();
        Policy first = Policy.confidentiality(Parties.ADDRESS, List.of("ec"), KeyLimits.DEFAULT);
        Policy second = Policy.confidentiality(Parties.ADDRESS, List.of("rsa"), KeyLimits.DEFAULT);

        sealer.seal(message(Parties.ADDRESS), new EffectivePolicy(first, 1), identity("ec"));
        byte[] sealed = sealer.seal(message(Parties.ADDRESS), new EffectivePolicy(second, 2), identity("ec"));

        assertThat(EnvelopeDescription.of(sealed).recipients())
                .singleElement()
                .satisfies(recipient -> assertThat(recipient.identifier())
                        .isEqualTo("ski:" + identity("rsa").keyIdentifier()));
    }

    @Test
    void policyVersionChangesAlone_keyIsKeptAndTheHeaderNamesTheVersion() {
        Sealer sealer = parties.sealer();
        Policy policy = Policy.confidentiality(Parties.ADDRESS, List.of("ec"), KeyLimits.DEFAULT);
        Opener opener = parties.opener(List.of(identity("ec")), Parties.policies(policy));

        byte[] one = sealer.seal(message(Parties.ADDRESS), new EffectivePolicy(policy, 1), identity("ec"));
        byte[] two = sealer.seal(message(Parties.ADDRESS), new EffectivePolicy(policy, 2), identity("ec"));

        assertThat(opener.open(one, Parties.ADDRESS)
                        .entityIfProtected()
                        .orElseThrow()
                        .attribution()
                        .policy())
                .isEqualTo(Parties.ADDRESS + "@1");
        assertThat(opener.open(two, Parties.ADDRESS)
                        .entityIfProtected()
                        .orElseThrow()
                        .attribution()
                        .policy())
                .isEqualTo(Parties.ADDRESS + "@2");
        assertThat(opener.unwraps()).isEqualTo(1);
    }

    @Test
    void otherPolicyChanges_keyIsKept() {
        Sealer sealer = parties.sealer();
        Policy changes = Policy.confidentiality("changes", List.of("ec"), KeyLimits.DEFAULT);
        Policy changed = Policy.confidentiality("changes", List.of("rsa"), KeyLimits.DEFAULT);
        Policy stays = Policy.confidentiality(Parties.ADDRESS, List.of("ec"), KeyLimits.DEFAULT);
        PolicySet first = PolicySet.of(1, UnmatchedAddress.PASS, List.of(changes, stays));
        PolicySet second = PolicySet.of(2, UnmatchedAddress.PASS, List.of(changed, stays));
        Opener opener = parties.opener(List.of(identity("ec")), second);
        byte[] before = seal(sealer, first, Parties.ADDRESS);
        seal(sealer, first, "changes");

        sealer.retain(second);
        seal(sealer, second, "changes");
        byte[] after = seal(sealer, second, Parties.ADDRESS);

        opener.open(before, Parties.ADDRESS);
        opener.open(after, Parties.ADDRESS);
        assertThat(opener.unwraps()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gone", "none", "changed"})
    void policyGoneOrChanged_itsKeysAreWipedWithoutAnotherMessage(String what) {
        Policy sealing = Policy.confidentiality(Parties.ADDRESS, List.of("ec"), KeyLimits.DEFAULT);
        PolicySet second = switch (what) {
            case "gone" -> PolicySet.of(2, UnmatchedAddress.PASS, List.of());
            case "none" ->
                PolicySet.of(
                        2,
                        UnmatchedAddress.PASS,
                        List.of(new Policy(
                                Parties.ADDRESS,
                                QualityOfProtection.NONE,
                                Policy.Signing.DEFAULT,
                                Policy.Encryption.UNUSED,
                                Policy.Acceptance.DEFAULT)));
            default ->
                PolicySet.of(
                        2,
                        UnmatchedAddress.PASS,
                        List.of(Policy.confidentiality(Parties.ADDRESS, List.of("rsa"), KeyLimits.DEFAULT)));
        };
        try (SealingPlanCache plans = plans()) {
            KeyEpochs epochs = plans.of(new EffectivePolicy(sealing, 1)).epochs();
            use(epochs).close();

            plans.retain(second);

            assertThat(epochs.next(1)).isNull();
        }
    }

    @Test
    void nothingChanged_keysAreKept() {
        Policy sealing = Policy.confidentiality(Parties.ADDRESS, List.of("ec"), KeyLimits.DEFAULT);
        try (SealingPlanCache plans = plans()) {
            KeyEpochs epochs = plans.of(new EffectivePolicy(sealing, 1)).epochs();
            use(epochs).close();

            plans.retain(PolicySet.of(2, UnmatchedAddress.PASS, List.of(sealing)));

            use(epochs).close();
            assertThat(epochs.openedEpochs()).isEqualTo(1);
        }
    }

    private static SealingPlanCache plans() {
        return new SealingPlanCache(
                parties.home.recipientDirectory(),
                parties.home.certificateTrust(),
                KeyPregenerator.onThisMachine(PregenerationSettings.OFF, CryptoProviders.standard()));
    }

    private static KeyLease use(KeyEpochs epochs) {
        return Objects.requireNonNull(epochs.next(1));
    }

    private static byte[] seal(Sealer sealer, PolicySet policies, String address) {
        return sealer.seal(message(address), policies.find(address).orElseThrow(), identity("ec"));
    }

    @Test
    void recipientsCertificateReplacedOrGone_oldKeysAreWipedWithoutAnotherMessage(@TempDir Path own)
            throws IOException {
        try (Parties mine = new Parties(own)) {
            mine.identity("reader", KeyAlgorithm.EC_P256);
            mine.identity("renewed", KeyAlgorithm.EC_P256);
            Policy policy = Policy.confidentiality(Parties.ADDRESS, List.of("reader"), KeyLimits.DEFAULT);
            PolicySet policies = Parties.policies(policy);
            EffectivePolicy effective = policies.find(Parties.ADDRESS).orElseThrow();
            try (SealingPlanCache plans = new SealingPlanCache(
                    mine.home.recipientDirectory(),
                    mine.home.certificateTrust(),
                    KeyPregenerator.onThisMachine(PregenerationSettings.OFF, CryptoProviders.standard()))) {
                KeyEpochs old = plans.of(effective).epochs();
                use(old).close();

                Path file = mine.home.recipients().resolve("reader.pem");
                Files.writeString(file, Files.readString(mine.home.recipients().resolve("renewed.pem")) + "\n");

                Awaitility.await().until(() -> {
                    plans.retain(policies);
                    return old.next(1) == null;
                });
                KeyEpochs next = plans.of(effective).epochs();
                use(next).close();

                Files.delete(file);

                Awaitility.await().until(() -> {
                    plans.retain(policies);
                    return next.next(1) == null;
                });
            }
        }
    }

    @Test
    void recipientsCertificateReplaced_nextMessageIsForTheNewKey(@TempDir Path own) throws IOException {
        try (Parties mine = new Parties(own)) {
            Identity old = mine.identity("reader", KeyAlgorithm.EC_P256);
            Identity renewed = mine.identity("renewed", KeyAlgorithm.EC_P256);
            EffectivePolicy policy =
                    effective(Policy.confidentiality(Parties.ADDRESS, List.of("reader"), KeyLimits.DEFAULT));
            Sealer sealer = mine.sealer();
            sealer.seal(message(Parties.ADDRESS), policy, old);

            Path file = mine.home.recipients().resolve("reader.pem");
            Files.writeString(file, Files.readString(mine.home.recipients().resolve("renewed.pem")) + "\n");

            Awaitility.await().untilAsserted(() -> {
                byte[] sealed = sealer.seal(message(Parties.ADDRESS), policy, old);
                assertThat(EnvelopeDescription.of(sealed).recipients())
                        .singleElement()
                        .satisfies(recipient ->
                                assertThat(recipient.identifier()).isEqualTo("ski:" + renewed.keyIdentifier()));
            });
        }
    }

    @Test
    void keyReuse_openedKeysAreAsManyAsThePolicySays() {
        Sealer sealer = parties.sealer();
        Policy policy =
                Policy.confidentiality(Parties.ADDRESS, List.of("ec"), new KeyLimits(3, 1 << 20, Duration.ofHours(1)));
        Opener opener = parties.opener(List.of(identity("ec")), Parties.policies(policy));
        Set<String> identifiers = new HashSet<>();

        for (int i = 0; i < 7; i++) {
            byte[] sealed = sealer.seal(message(Parties.ADDRESS), effective(policy), identity("ec"));
            identifiers.add(opener.open(sealed, Parties.ADDRESS)
                    .entityIfProtected()
                    .orElseThrow()
                    .messageId());
        }

        assertThat(opener.unwraps()).isEqualTo(3);
        assertThat(sealer.begunKeys()).isGreaterThanOrEqualTo(3);
        assertThat(identifiers).hasSize(7);
    }

    @ParameterizedTest
    @EnumSource(value = QualityOfProtection.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void messageWithAnIdentifier_keepsItOnEachWayToSeal(QualityOfProtection quality) throws IOException {
        Policy policy = switch (quality) {
            case INTEGRITY -> Policy.integrity(Parties.ADDRESS);
            case PRIVACY -> Policy.privacy(Parties.ADDRESS, List.of("ec"));
            default -> Policy.confidentiality(Parties.ADDRESS, List.of("ec"), KeyLimits.DEFAULT);
        };
        Sealer sealer = parties.sealer();
        String identifier = sealer.newMessageId();
        ClearMessage whole =
                new ClearMessage(Parties.ADDRESS, ClearMessage.Body.TEXT, PAYLOAD, null, Map.of(), identifier);
        ClearMessage head =
                new ClearMessage(Parties.ADDRESS, ClearMessage.Body.TEXT, new byte[0], null, Map.of(), identifier);
        InMemory body = new InMemory(ByteBuffer.wrap(PAYLOAD.clone()));
        ByteArrayOutputStream segments = new ByteArrayOutputStream();

        sealer.seal(head, body, effective(policy), identity("ec"));
        try (SegmentSealer large = sealer.segments(head, effective(policy), identity("ec"), segments::write)) {
            large.add(PAYLOAD, 0, PAYLOAD.length);
            large.finish();
        }

        for (byte[] sealed : List.of(
                sealer.seal(whole, effective(policy), identity("ec")), body.envelope(), segments.toByteArray())) {
            Opener opener = parties.opener(List.of(identity("ec")), Parties.policies(policy));
            assertThat(opener.open(sealed, Parties.ADDRESS)
                            .entityIfProtected()
                            .orElseThrow()
                            .messageId())
                    .isEqualTo(identifier);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0123456789abcdef0123456789abcde", "0123456789ABCDEF0123456789ABCDEF", "a\r\nb"})
    void identifierThatIsNotHex_isRejected(String identifier) {
        assertThatThrownBy(() ->
                        new ClearMessage(Parties.ADDRESS, ClearMessage.Body.TEXT, PAYLOAD, null, Map.of(), identifier))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("32 hex digits");
    }

    @Test
    void qualityNone_isThePayloadItself() {
        Policy policy = new Policy(
                Parties.ADDRESS,
                QualityOfProtection.NONE,
                Policy.Signing.DEFAULT,
                Policy.Encryption.UNUSED,
                Policy.Acceptance.DEFAULT);
        Sealer sealer = parties.sealer();

        assertThat(sealer.seal(message(Parties.ADDRESS), effective(policy), identity("ec")))
                .isEqualTo(PAYLOAD);
    }

    @ParameterizedTest
    @EnumSource(
            value = QualityOfProtection.class,
            names = {"INTEGRITY", "PRIVACY", "CONFIDENTIALITY"})
    void deflatedPayload_isShorterOnItsWayAndComesBackExactly(QualityOfProtection quality) throws IOException {
        Policy policy = switch (quality) {
            case INTEGRITY -> Policy.integrity(Parties.ADDRESS);
            case PRIVACY -> Policy.privacy(Parties.ADDRESS, List.of("ec"));
            default -> Policy.confidentiality(Parties.ADDRESS, List.of("ec"), KeyLimits.DEFAULT);
        };
        byte[] payload = "over and over ".repeat(100_000).getBytes(UTF_8);
        ClearMessage message = ClearMessage.of(Parties.ADDRESS, ClearMessage.Body.TEXT.deflated(), payload);
        Opener opener = parties.opener(List.of(identity("ec")), Parties.policies(policy));

        byte[] sealed = parties.sealer().seal(message, effective(policy), identity("ec"));

        assertThat(sealed).hasSizeLessThan(payload.length / 10);
        assertThat(opener.open(sealed, Parties.ADDRESS).payload()).isEqualTo(payload);
        assertThat(opener.openSegments(new ByteArrayInputStream(sealed), Parties.ADDRESS)
                        .payload()
                        .readAllBytes())
                .isEqualTo(payload);
    }

    @Test
    void headerOver16KiB_rejected() {
        Policy policy = Policy.integrity("#");
        Sealer sealer = parties.sealer();

        assertThatThrownBy(() -> sealer.seal(message("a".repeat(16 * 1024)), effective(policy), identity("ec")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("16384");
        assertThatThrownBy(() -> sealer.seal(message("é".repeat(3 * 1024)), effective(policy), identity("ec")))
                .isInstanceOf(IllegalArgumentException.class);
        String long15 = "a".repeat(15 * 1024);
        byte[] sealed = sealer.seal(message(long15), effective(policy), identity("ec"));
        PolicySet policies = Parties.policies(policy);
        assertThat(parties.opener(List.of(), policies).open(sealed, long15).payload())
                .isEqualTo(PAYLOAD);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\r\nSignet-Sender: root",
                "a\r\n\r\nbody",
                "a\nb",
                "a\rb",
                "%0d%0a",
                "100%",
                " leading",
                "trailing ",
                " ",
                "",
                "tab\there",
                "nul\0here",
                "Zürich \u20ac \ud83d\ude00",
                "a: b",
                "\u2028\u0085"
            })
    void textThatCouldInject_comesBackExactlyAndAddsNothing(String text) {
        ClearMessage message = new ClearMessage(
                text,
                new ClearMessage.Body(BodyKind.JMS_TEXT, "text/plain" + text),
                PAYLOAD,
                text,
                Map.of("Content-Type", text));
        Policy policy = Policy.integrity("#");
        PolicySet policies = Parties.policies(policy);

        byte[] sealed = parties.sealer().seal(message, new EffectivePolicy(policy, 17), identity("ec"));

        Entity entity = parties.opener(List.of(), policies)
                .open(sealed, text)
                .entityIfProtected()
                .orElseThrow();
        assertThat(entity.address()).isEqualTo(text);
        assertThat(entity.sender()).contains(text);
        assertThat(entity.contentType()).isEqualTo("text/plain" + text);
        assertThat(entity.properties()).isEqualTo(Map.of("Content-Type", text));
        assertThat(entity.payload()).isEqualTo(PAYLOAD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:b", "a\r\nSignet-Sender", "ü", "a_b", "%41"})
    void propertyOfABadName_rejected(String name) {
        assertThatThrownBy(() ->
                        new ClearMessage(Parties.ADDRESS, ClearMessage.Body.TEXT, PAYLOAD, null, Map.of(name, "value")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("value");
    }

    @Test
    void propertiesThatDifferInCaseAlone_rejected() {
        Map<String, String> properties = Map.of("Name", "1", "name", "2");

        assertThatThrownBy(() -> new ClearMessage(Parties.ADDRESS, ClearMessage.Body.TEXT, PAYLOAD, null, properties))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** The bars of the design for 2,048 bytes of payload; docs/format.md has the measured sizes. */
    static Stream<Arguments> bars() {
        Policy ecConfidentiality = Policy.confidentiality("orders", List.of("ec"), KeyLimits.DEFAULT);
        Policy rsaConfidentiality = Policy.confidentiality("orders", List.of("rsa"), KeyLimits.DEFAULT);
        return Stream.of(
                Arguments.of("ec", ecConfidentiality, 550),
                Arguments.of("rsa", rsaConfidentiality, 700),
                Arguments.of("ec", privacy(CertificateInclusion.REFERENCED, "ec"), 1000),
                Arguments.of("ec", privacy(CertificateInclusion.INCLUDED, "ec"), 1350),
                Arguments.of("rsa", privacy(CertificateInclusion.REFERENCED, "rsa"), 1350));
    }

    @ParameterizedTest
    @MethodSource("bars")
    void sizeAdded_isWithinTheBars(String key, Policy policy, int bar) {
        ClearMessage message =
                new ClearMessage(Parties.ADDRESS, ClearMessage.Body.TEXT, new byte[2048], "alice", Map.of());

        byte[] sealed = parties.sealer().seal(message, effective(policy), identity(key));

        assertThat(sealed.length - 2048).isLessThanOrEqualTo(bar);
    }

    @Test
    void afterClose_illegalState() {
        Sealer sealer = parties.sealer();
        EffectivePolicy policy = effective(Policy.confidentiality(Parties.ADDRESS, List.of("ec"), KeyLimits.DEFAULT));
        sealer.seal(message(Parties.ADDRESS), policy, identity("ec"));

        sealer.close();

        assertThatThrownBy(() -> sealer.seal(message(Parties.ADDRESS), policy, identity("ec")))
                .isInstanceOf(IllegalStateException.class);
    }
}
