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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
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
import org.signetmq.keystore.keys.KeyEpochs;
import org.signetmq.keystore.keys.KeyLease;
import org.signetmq.keystore.keys.PregenerationSettings;
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
    private static final ClearMessage HEAD = Parties.text(new byte[0]);

    @RegisterExtension
    static Parties parties = new Parties("ec", "other");

    private static Identity ec = parties.identity("ec");

    @BeforeAll
    static void createIdentities() {
        parties.identity("rsa", KeyAlgorithm.RSA_2048);
    }

    private static byte[] sealed(Policy policy) {
        return parties.seal(Parties.text(PAYLOAD), policy, ec);
    }

    private static Policy confidentiality(String... recipients) {
        return Parties.policy(QualityOfProtection.CONFIDENTIALITY, recipients);
    }

    private static Policy privacy(CertificateInclusion inclusion, String recipient) {
        return Policy.privacy("orders", List.of(recipient))
                .with(new Policy.Signing(SignatureAlgorithm.SHA_512, List.of(), inclusion));
    }

    /** The memory is in the middle of an array, and so is the payload. */
    @ParameterizedTest
    @EnumSource(value = QualityOfProtection.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void sealedIntoMemory_fillsExactlyTheMemory(QualityOfProtection quality) {
        Policy policy = Parties.policy(quality, "ec");
        byte[] around = new byte[PAYLOAD.length + 7];
        System.arraycopy(PAYLOAD, 0, around, 3, PAYLOAD.length);
        InMemory body = new InMemory(ByteBuffer.wrap(around, 3, PAYLOAD.length));

        parties.sealer().seal(HEAD, body, Parties.effective(policy), ec);

        byte[] envelope = body.envelope();
        byte[] usual = sealed(policy);
        assertThat(EnvelopeDescription.of(envelope).toString().length())
                .isEqualTo(EnvelopeDescription.of(usual).toString().length());
        try (Opener opener = parties.opener(List.of(ec), Parties.policies(policy))) {
            assertThat(opener.open(envelope, Parties.ADDRESS).payload()).isEqualTo(PAYLOAD);
        }
        assertThat(Arrays.copyOfRange(around, 3, 3 + PAYLOAD.length)).isEqualTo(PAYLOAD);
    }

    @Test
    void headWithPayload_orQualityNone_isNotSealedIntoMemory() {
        InMemory body = new InMemory(ByteBuffer.wrap(PAYLOAD));
        EffectivePolicy integrity = Parties.effective(Policy.integrity(Parties.ADDRESS));
        Policy none = Parties.policy(QualityOfProtection.NONE);

        assertThatThrownBy(() -> parties.sealer().seal(Parties.text(PAYLOAD), body, integrity, ec))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> parties.sealer().seal(HEAD, body, Parties.effective(none), ec))
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

        assertThatThrownBy(() -> sealed(policy))
                .isInstanceOf(SignerNotAuthorizedException.class)
                .hasMessageContaining("'ec'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nobody", "ed", ""})
    void recipientThatIsUnknown_orCannotReceive_orIsNone_rejected(String recipient) {
        parties.identity("ed", KeyAlgorithm.ED25519);
        Policy policy = Policy.privacy(Parties.ADDRESS, recipient.isEmpty() ? List.of() : List.of(recipient));

        assertThatThrownBy(() -> sealed(policy))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining(recipient.isEmpty() ? "" : "'" + recipient + "'");
    }

    @ParameterizedTest
    @CsvSource({"2000-01-01T00:00:00Z, NOT_YET_VALID", "2100-01-01T00:00:00Z, EXPIRED"})
    void recipientOutOfDate_rejected(Instant now, CertificateRejectedException.Reason reason) {
        EffectivePolicy policy = Parties.effective(confidentiality("ec"));
        try (Sealer sealer = Sealer.create(
                parties.home.recipientDirectory(),
                parties.home.certificateTrust(),
                Clock.fixed(now, ZoneOffset.UTC),
                PregenerationSettings.AUTO)) {

            assertThatThrownBy(() -> sealer.seal(Parties.text(PAYLOAD), policy, parties.identity("rsa")))
                    .isInstanceOfSatisfying(
                            CertificateRejectedException.class,
                            rejected -> assertThat(rejected.reason()).isEqualTo(reason));
        }
    }

    @Test
    void selfSignedRecipientThatNobodyTrusts_rejected() throws Exception {
        try (Parties mine = new Parties()) {
            Identity signer = mine.identity("signer");
            mine.identity("stranger");
            Files.delete(mine.home.trust().resolve("stranger.pem"));
            EffectivePolicy policy = Parties.effective(Policy.privacy(Parties.ADDRESS, List.of("stranger")));

            assertThatThrownBy(() -> mine.sealer().seal(Parties.text(PAYLOAD), policy, signer))
                    .isInstanceOfSatisfying(
                            CertificateRejectedException.class,
                            rejected -> assertThat(rejected.reason())
                                    .isEqualTo(CertificateRejectedException.Reason.UNTRUSTED));
        }
    }

    @Test
    void policyChanges_nextMessageIsForTheNewRecipients() {
        Sealer sealer = parties.sealer();
        Policy first = confidentiality("ec");
        Policy second = confidentiality("rsa");

        sealer.seal(Parties.text(PAYLOAD), new EffectivePolicy(first, 1), ec);
        byte[] sealed = sealer.seal(Parties.text(PAYLOAD), new EffectivePolicy(second, 2), ec);

        assertThat(EnvelopeDescription.of(sealed).recipients())
                .singleElement()
                .satisfies(recipient -> assertThat(recipient.identifier())
                        .isEqualTo("ski:" + parties.identity("rsa").keyIdentifier()));
    }

    @Test
    void policyVersionChangesAlone_keyIsKeptAndTheHeaderNamesTheVersion() {
        Sealer sealer = parties.sealer();
        Policy policy = confidentiality("ec");
        Opener opener = parties.opener(List.of(ec), Parties.policies(policy));

        byte[] one = sealer.seal(Parties.text(PAYLOAD), new EffectivePolicy(policy, 1), ec);
        byte[] two = sealer.seal(Parties.text(PAYLOAD), new EffectivePolicy(policy, 2), ec);

        assertThat(Parties.opened(opener, one).attribution().policy()).isEqualTo(Parties.ADDRESS + "@1");
        assertThat(Parties.opened(opener, two).attribution().policy()).isEqualTo(Parties.ADDRESS + "@2");
        assertThat(opener.unwraps()).isEqualTo(1);
    }

    @Test
    void otherPolicyChanges_keyIsKept() {
        Sealer sealer = parties.sealer();
        Policy changes = Policy.confidentiality("changes", List.of("ec"), KeyLimits.DEFAULT);
        Policy changed = Policy.confidentiality("changes", List.of("rsa"), KeyLimits.DEFAULT);
        Policy stays = confidentiality("ec");
        PolicySet first = PolicySet.of(1, UnmatchedAddress.PASS, List.of(changes, stays));
        PolicySet second = PolicySet.of(2, UnmatchedAddress.PASS, List.of(changed, stays));
        Opener opener = parties.opener(List.of(ec), second);
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
        Policy sealing = confidentiality("ec");
        PolicySet second = Parties.policies(
                switch (what) {
                    case "gone" -> new Policy[] {};
                    case "none" -> new Policy[] {Parties.policy(QualityOfProtection.NONE)};
                    default -> new Policy[] {confidentiality("rsa")};
                });
        try (SealingPlanCache plans = parties.plans()) {
            KeyEpochs epochs = plans.of(new EffectivePolicy(sealing, 1), ec).epochs();
            use(epochs).close();

            plans.retain(second);

            assertThat(epochs.next(1)).isNull();
        }
    }

    @Test
    void nothingChanged_keysAreKept() {
        Policy sealing = confidentiality("ec");
        try (SealingPlanCache plans = parties.plans()) {
            KeyEpochs epochs = plans.of(new EffectivePolicy(sealing, 1), ec).epochs();
            use(epochs).close();

            plans.retain(PolicySet.of(2, UnmatchedAddress.PASS, List.of(sealing)));

            use(epochs).close();
            assertThat(epochs.openedEpochs()).isEqualTo(1);
        }
    }

    private static KeyLease use(KeyEpochs epochs) {
        return Objects.requireNonNull(epochs.next(1));
    }

    private static ClearMessage message(String address) {
        return ClearMessage.of(address, ClearMessage.Body.TEXT, PAYLOAD);
    }

    private static byte[] seal(Sealer sealer, PolicySet policies, String address) {
        return sealer.seal(message(address), policies.find(address).orElseThrow(), ec);
    }

    @Test
    void recipientsCertificateReplacedOrGone_nextMessageIsForTheNewKey_andOldKeysAreWipedWithoutAMessage()
            throws IOException {
        try (Parties mine = new Parties()) {
            Identity old = mine.identity("reader");
            Identity renewed = mine.identity("renewed");
            PolicySet policies = Parties.policies(confidentiality("reader"));
            EffectivePolicy policy = policies.find(Parties.ADDRESS).orElseThrow();
            Sealer sealer = mine.sealer();
            sealer.seal(Parties.text(PAYLOAD), policy, old);
            try (SealingPlanCache plans = mine.plans()) {
                KeyEpochs before = plans.of(policy, old).epochs();
                use(before).close();

                Path file = mine.home.recipients().resolve("reader.pem");
                Files.writeString(file, Files.readString(mine.home.recipients().resolve("renewed.pem")) + "\n");
                awaitWiped(before, plans, policies);
                Awaitility.await().untilAsserted(() -> {
                    byte[] sealed = sealer.seal(Parties.text(PAYLOAD), policy, old);
                    assertThat(EnvelopeDescription.of(sealed).recipients())
                            .singleElement()
                            .extracting(EnvelopeDescription.RecipientDescription::identifier)
                            .isEqualTo("ski:" + renewed.keyIdentifier());
                });
                KeyEpochs next = plans.of(policy, old).epochs();
                use(next).close();

                Files.delete(file);
                awaitWiped(next, plans, policies);
            }
        }
    }

    private static void awaitWiped(KeyEpochs epochs, SealingPlanCache plans, PolicySet policies) {
        Awaitility.await().until(() -> {
            plans.retain(policies);
            return epochs.next(1) == null;
        });
    }

    @Test
    void keyReuse_openedKeysAreAsManyAsThePolicySays() {
        Sealer sealer = parties.sealer();
        Policy policy =
                Policy.confidentiality(Parties.ADDRESS, List.of("ec"), new KeyLimits(3, 1 << 20, Duration.ofHours(1)));
        Opener opener = parties.opener(List.of(ec), Parties.policies(policy));
        Set<String> identifiers = new HashSet<>();

        for (int i = 0; i < 7; i++) {
            byte[] sealed = sealer.seal(Parties.text(PAYLOAD), Parties.effective(policy), ec);
            identifiers.add(Parties.opened(opener, sealed).messageId());
        }

        assertThat(opener.unwraps()).isEqualTo(3);
        assertThat(sealer.begunKeys()).isGreaterThanOrEqualTo(3);
        assertThat(identifiers).hasSize(7);
    }

    @ParameterizedTest
    @EnumSource(value = QualityOfProtection.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void messageWithAnIdentifier_keepsItOnEachWayToSeal(QualityOfProtection quality) throws IOException {
        Policy policy = Parties.policy(quality, "ec");
        Sealer sealer = parties.sealer();
        String identifier = sealer.newMessageId();
        ClearMessage whole =
                new ClearMessage(Parties.ADDRESS, ClearMessage.Body.TEXT, PAYLOAD, null, Map.of(), identifier);
        ClearMessage head =
                new ClearMessage(Parties.ADDRESS, ClearMessage.Body.TEXT, new byte[0], null, Map.of(), identifier);
        InMemory body = new InMemory(ByteBuffer.wrap(PAYLOAD.clone()));
        ByteArrayOutputStream segments = new ByteArrayOutputStream();

        sealer.seal(head, body, Parties.effective(policy), ec);
        try (SegmentSealer large = sealer.segments(head, Parties.effective(policy), ec, segments::write)) {
            large.add(PAYLOAD, 0, PAYLOAD.length);
            large.finish();
        }

        for (byte[] sealed :
                List.of(sealer.seal(whole, Parties.effective(policy), ec), body.envelope(), segments.toByteArray())) {
            Opener opener = parties.opener(List.of(ec), Parties.policies(policy));
            assertThat(Parties.opened(opener, sealed).messageId()).isEqualTo(identifier);
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
        Policy policy = Parties.policy(QualityOfProtection.NONE);

        assertThat(sealed(policy)).isEqualTo(PAYLOAD);
    }

    @ParameterizedTest
    @EnumSource(
            value = QualityOfProtection.class,
            names = {"INTEGRITY", "PRIVACY", "CONFIDENTIALITY"})
    void deflatedPayload_isShorterOnItsWayAndComesBackExactly(QualityOfProtection quality) throws IOException {
        Policy policy = Parties.policy(quality, "ec");
        byte[] payload = "over and over ".repeat(100_000).getBytes(UTF_8);
        ClearMessage message = ClearMessage.of(Parties.ADDRESS, ClearMessage.Body.TEXT.deflated(), payload);
        Opener opener = parties.opener(List.of(ec), Parties.policies(policy));

        byte[] sealed = parties.sealer().seal(message, Parties.effective(policy), ec);

        assertThat(sealed).hasSizeLessThan(payload.length / 10);
        assertThat(opener.open(sealed, Parties.ADDRESS).payload()).isEqualTo(payload);
        assertThat(opener.openSegments(new ByteArrayInputStream(sealed), Parties.ADDRESS)
                        .payload()
                        .readAllBytes())
                .isEqualTo(payload);
    }

    @Test
    void headerOver16KiB_rejected() {
        PolicySet policies = Parties.policies(Policy.integrity("#"));

        assertThatThrownBy(() -> parties.seal(message("a".repeat(16 * 1024)), policies, ec))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("16384");
        assertThatThrownBy(() -> parties.seal(message("é".repeat(3 * 1024)), policies, ec))
                .isInstanceOf(IllegalArgumentException.class);
        String long15 = "a".repeat(15 * 1024);
        byte[] sealed = parties.seal(message(long15), policies, ec);
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

        byte[] sealed = parties.sealer().seal(message, Parties.effective(policy), ec);

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

        byte[] sealed = parties.sealer().seal(message, Parties.effective(policy), parties.identity(key));

        assertThat(sealed.length - 2048).isLessThanOrEqualTo(bar);
    }

    @Test
    void afterClose_illegalState() {
        Sealer sealer = parties.sealer();
        EffectivePolicy policy = Parties.effective(confidentiality("ec"));
        sealer.seal(Parties.text(PAYLOAD), policy, ec);

        sealer.close();

        assertThatThrownBy(() -> sealer.seal(Parties.text(PAYLOAD), policy, ec))
                .isInstanceOf(IllegalStateException.class);
    }
}
