/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.exception.UnprotectedMessageException;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.envelope.message.Segment;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.Toleration;
import org.signetmq.testkit.Tier;

/** Opens sound large messages by all methods. */
final class SegmentOpenerTest {
    private static final int SEGMENT = SegmentSealer.SEGMENT_LENGTH;

    @RegisterExtension
    static Parties parties = new Parties();

    private static Identity identity(KeyAlgorithm key) {
        return parties.identity(key.label(), key);
    }

    private static PolicySet policies(QualityOfProtection quality, KeyAlgorithm key) {
        return Parties.policies(Parties.policy(quality, identity(key).name()));
    }

    private static byte[] seal(byte[] payload, PolicySet policies, Identity signer) throws IOException {
        EffectivePolicy policy = policies.find(Parties.ADDRESS).orElseThrow();
        return Parties.joined(parties.segments(SegmentForge.head(), policy, signer, payload));
    }

    static Stream<Arguments> sealed() {
        return Tier.cases(1, KeyAlgorithm.EC_P256, KeyAlgorithm.RSA_2048)
                .flatMap(key -> Stream.of(
                                QualityOfProtection.INTEGRITY,
                                QualityOfProtection.PRIVACY,
                                QualityOfProtection.CONFIDENTIALITY)
                        .flatMap(quality -> Tier.cases(2, 1, 2 * SEGMENT + 7, 0, SEGMENT, SEGMENT + 1, 2 * SEGMENT)
                                .map(length -> Arguments.of(quality, key, length))));
    }

    @ParameterizedTest
    @MethodSource("sealed")
    void largeMessage_opensPartByPartAndWhole(QualityOfProtection quality, KeyAlgorithm key, int length)
            throws IOException {
        PolicySet policies = policies(quality, key);
        byte[] payload = Parties.payload(length);
        byte[] sealed = seal(payload, policies, identity(key));
        Opener opener = parties.opener(List.of(identity(key)), policies);

        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        SegmentOpener segments = opener.openSegments(new ByteArrayInputStream(sealed), Parties.ADDRESS);
        for (var part = segments.next(); part.isPresent(); part = segments.next()) {
            assertFacts(part.get(), quality, identity(key));
            joined.writeBytes(part.get().payload());
        }
        OpenedMessage whole = opener.open(sealed, Parties.ADDRESS);

        assertThat(joined.toByteArray()).isEqualTo(payload);
        assertThat(segments.next()).as("the end stays the end").isEmpty();
        assertFacts(whole, quality, identity(key));
        assertThat(whole.payload()).isEqualTo(payload);
        assertThat(whole.entityIfProtected().orElseThrow().payload()).isEqualTo(payload);
        assertThat(whole.entityIfProtected().orElseThrow().segment())
                .isEqualTo(length <= SEGMENT ? new Segment(1, true) : null);
    }

    @ParameterizedTest
    @MethodSource("sealed")
    void largeMessage_isTransferredAndRead(QualityOfProtection quality, KeyAlgorithm key, int length)
            throws IOException {
        PolicySet policies = policies(quality, key);
        byte[] payload = Parties.payload(length);
        byte[] sealed = seal(payload, policies, identity(key));
        Opener opener = parties.opener(List.of(identity(key)), policies);
        AtomicReference<Long> progress = new AtomicReference<>();

        ByteArrayOutputStream transferred = new ByteArrayOutputStream();
        OpenedMessage facts = opener.openSegments(new ByteArrayInputStream(sealed), Parties.ADDRESS)
                .transferTo(transferred, progress::set);
        ByteArrayOutputStream entity = new ByteArrayOutputStream();
        opener.openSegments(new ByteArrayInputStream(sealed), Parties.ADDRESS).transferEntityTo(entity, written -> {});
        byte[] read;
        try (InputStream in = opener.openSegments(new ByteArrayInputStream(sealed), Parties.ADDRESS)
                .payload()) {
            read = in.readAllBytes();
        }

        assertThat(transferred.toByteArray()).isEqualTo(payload);
        assertThat(progress.get()).isEqualTo(payload.length);
        assertFacts(facts, quality, identity(key));
        assertThat(facts.payload()).isEmpty();
        assertThat(read).isEqualTo(payload);
        assertThat(entity.toByteArray())
                .startsWith("Signet-Version: 1\r\n".getBytes(UTF_8))
                .endsWith(payload);
    }

    private static void assertFacts(OpenedMessage message, QualityOfProtection quality, Identity signer) {
        assertThat(message.quality()).isEqualTo(quality);
        assertThat(message.signerCertificate()).isEqualTo(quality.signs() ? signer.certificate() : null);
        Entity entity = message.entityIfProtected().orElseThrow();
        assertThat(entity.sender()).contains("alice");
        assertThat(entity.properties()).isEqualTo(Map.of("Region", "eu"));
        assertThat(entity.bodyKind()).contains(BodyKind.BYTES);
    }

    @ParameterizedTest
    @EnumSource(names = {"INTEGRITY", "PRIVACY", "CONFIDENTIALITY"})
    void messageInOneEnvelope_hasOnePart(QualityOfProtection quality) throws IOException {
        PolicySet policies = policies(quality, KeyAlgorithm.EC_P256);
        byte[] payload = Parties.payload(3 * SEGMENT); // more than a segment may have
        byte[] sealed = parties.seal(
                ClearMessage.of(Parties.ADDRESS, ClearMessage.Body.BYTES, payload),
                policies,
                identity(KeyAlgorithm.EC_P256));

        SegmentOpener segments = parties.opener(List.of(identity(KeyAlgorithm.EC_P256)), policies)
                .openSegments(new ByteArrayInputStream(sealed), Parties.ADDRESS);

        assertThat(segments.next().orElseThrow().payload()).isEqualTo(payload);
        assertThat(segments.next()).isEmpty();
    }

    @Test
    void clearMessage_passesInPiecesWhereThePolicyLetsIt() throws IOException {
        Toleration toleration = new Toleration(Instant.parse("2999-01-01T00:00:00Z"));
        Policy tolerant =
                Policy.integrity(Parties.ADDRESS).with(new Policy.Acceptance(toleration, SealingPlace.EITHER));
        byte[] payload = Parties.payload(2 * SEGMENT + 1);
        payload[0] = 'x';
        Opener opener = parties.opener(List.of(), Parties.policies(tolerant));

        ByteArrayOutputStream passed = new ByteArrayOutputStream();
        OpenedMessage facts = opener.openSegments(new ByteArrayInputStream(payload), Parties.ADDRESS)
                .transferTo(passed, n -> {});

        assertThat(facts.quality()).isEqualTo(QualityOfProtection.NONE);
        assertThat(facts.entityIfProtected()).isEmpty();
        assertThat(passed.toByteArray()).isEqualTo(payload);
    }

    @ParameterizedTest
    @EnumSource(names = {"INTEGRITY", "PRIVACY", "CONFIDENTIALITY"})
    void clearMessage_rejectedWhereThePolicyDoesNot(QualityOfProtection quality) {
        Opener opener = parties.opener(List.of(), policies(quality, KeyAlgorithm.EC_P256));

        for (int length : new int[] {0, 1, 40, SEGMENT + 1}) {
            byte[] clear = new byte[length];
            assertThatThrownBy(() -> opener.openSegments(new ByteArrayInputStream(clear), Parties.ADDRESS)
                            .next())
                    .isInstanceOf(UnprotectedMessageException.class);
        }
    }

    @Test
    void lengthThatLies_takesNoMemoryForIt() {
        Opener opener = parties.opener(List.of(), PolicySet.EMPTY);
        byte[] claims = DerWriter.concat(
                new byte[] {0x30, (byte) 0x84, 0x7F, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF},
                Oids.SIGNED_DATA,
                new byte[40]);
        InputStream in = LostConnection.after(claims); // which is not told: it is not read on

        assertThatThrownBy(() -> opener.openSegments(in, Parties.ADDRESS).next())
                .isInstanceOf(MalformedEnvelopeException.class)
                .hasMessageContaining("longer than");
    }

    @Test
    void streamFails_isToldAndNotTakenForTheEnd() throws IOException {
        PolicySet policies = policies(QualityOfProtection.INTEGRITY, KeyAlgorithm.EC_P256);
        byte[] sealed = seal(Parties.payload(SEGMENT + 1), policies, identity(KeyAlgorithm.EC_P256));
        InputStream failing = LostConnection.after(Arrays.copyOf(sealed, SEGMENT));
        SegmentOpener segments = parties.opener(List.of(), policies).openSegments(failing, Parties.ADDRESS);

        assertThatThrownBy(segments::next).isInstanceOf(IOException.class).hasMessage("connection lost");
        assertThatThrownBy(segments::next).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> segments.transferTo(new ByteArrayOutputStream(), n -> {}))
                .isInstanceOf(IllegalStateException.class);
    }
}
