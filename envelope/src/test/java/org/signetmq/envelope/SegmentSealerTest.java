/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.entity.EntityReading;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.Entity;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Tier;

final class SegmentSealerTest {
    private static final int SEGMENT = SegmentSealer.SEGMENT_LENGTH;
    private static final ClearMessage HEAD =
            new ClearMessage(Parties.ADDRESS, ClearMessage.Body.BYTES, new byte[0], "alice", Map.of("Region", "eu"));

    @RegisterExtension
    static Parties parties = new Parties("other");

    private static Identity ec = parties.identity("ec");

    private static EffectivePolicy confidentiality(String recipient, KeyLimits limits) {
        return Parties.effective(Policy.confidentiality(Parties.ADDRESS, List.of(recipient), limits));
    }

    private static EffectivePolicy policy(QualityOfProtection quality) {
        return Parties.effective(Parties.policy(quality, "ec"));
    }

    static Stream<Integer> parts() {
        return Tier.cases(3, 7, 100_003, 3 * SEGMENT, 1, 65_536, SEGMENT, SEGMENT + 1);
    }

    static Stream<Integer> transferred() {
        return Tier.cases(3, 0, SEGMENT, 7 * SEGMENT + 1, 1, SEGMENT - 1, SEGMENT + 1, 7 * SEGMENT);
    }

    /** Keeps each envelope for itself. */
    private static final class Envelopes implements SegmentSealer.Sink {
        final List<byte[]> all = new ArrayList<>();

        @Override
        public void write(byte[] bytes, int offset, int length) {
            all.add(Arrays.copyOfRange(bytes, offset, offset + length));
        }
    }

    private static List<byte[]> seal(byte[] payload, EffectivePolicy policy, int... parts) throws IOException {
        Envelopes envelopes = new Envelopes();
        try (SegmentSealer segments = parties.sealer().segments(HEAD, policy, ec, envelopes)) {
            int position = 0;
            for (int i = 0; position < payload.length; i++) {
                int part = Math.min(parts[i % parts.length], payload.length - position);
                segments.add(payload, position, part);
                position += part;
            }
            segments.finish();
        }
        return envelopes.all;
    }

    /** The entity, read without the opener, which takes whole messages. */
    private static Entity entity(byte[] envelope) throws Exception {
        ParsedEnvelope parsed = EnvelopeParser.parse(Slice.of(envelope));
        Slice content = parsed instanceof ParsedEnvelope.Signed signed
                ? signed.content()
                : Slice.of(Objects.requireNonNull(Intermediates.of(envelope, SoftwareKey.exported(ec), ec.certificate())
                        .get("entity")));
        return EntityReading.of(content.array(), content.offset(), content.length());
    }

    private static List<Entity> entities(List<byte[]> envelopes) throws Exception {
        List<Entity> entities = new ArrayList<>();
        for (byte[] envelope : envelopes) {
            entities.add(entity(envelope));
        }
        return entities;
    }

    private static byte[] payloadOf(List<Entity> entities) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        entities.forEach(entity -> whole.writeBytes(entity.payload()));
        return whole.toByteArray();
    }

    private static List<String> places(List<Entity> entities) {
        return entities.stream().map(entity -> String.valueOf(entity.segment())).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, SEGMENT - 1, SEGMENT})
    void upToOneSegment_isOneEnvelopeThatIsTheLast(int length) throws Exception {
        List<Entity> entities = entities(seal(Parties.payload(length), policy(QualityOfProtection.PRIVACY), 100_000));

        assertThat(places(entities)).containsExactly("1 last");
        assertThat(payloadOf(entities)).isEqualTo(Parties.payload(length));
    }

    @ParameterizedTest
    @MethodSource("parts")
    void severalSegments_countedAndOfOneMessageHoweverThePartsCome(int part) throws Exception {
        byte[] payload = Parties.payload(2 * SEGMENT + 1);

        List<Entity> entities = entities(seal(payload, policy(QualityOfProtection.CONFIDENTIALITY), part, 50_000));

        assertThat(places(entities)).containsExactly("1", "2", "3 last");
        assertThat(payloadOf(entities)).isEqualTo(payload);
        assertThat(entities)
                .extracting(Entity::messageId)
                .containsOnly(entities.get(0).messageId());
        assertThat(entities).extracting(entity -> entity.payload().length).containsExactly(SEGMENT, SEGMENT, 1);
        assertThat(entities).allSatisfy(entity -> {
            assertThat(entity.sender()).contains("alice");
            assertThat(entity.properties()).isEqualTo(Map.of("Region", "eu"));
            assertThat(entity.attribution().policy()).isEqualTo(Parties.ADDRESS + "@17");
        });
    }

    @ParameterizedTest
    @MethodSource("transferred")
    void transferred_isSealedAsInParts(int length) throws Exception {
        EffectivePolicy policy = policy(QualityOfProtection.PRIVACY);
        byte[] payload = Parties.payload(length);
        Envelopes envelopes = new Envelopes();
        List<Long> progress = new ArrayList<>();

        try (SegmentSealer segments = parties.sealer().segments(HEAD, policy, ec, envelopes)) {
            segments.transferFrom(new ByteArrayInputStream(payload), progress::add);
        }

        List<Entity> entities = entities(envelopes.all);
        assertThat(places(entities)).isEqualTo(places(entities(seal(payload, policy, SEGMENT))));
        assertThat(payloadOf(entities)).isEqualTo(payload);
        assertThat(progress).isSorted().endsWith((long) length);
    }

    @Test
    void transferFails_noEndIsWritten() throws Exception {
        Envelopes envelopes = new Envelopes();
        SegmentSealer segments = parties.sealer().segments(HEAD, policy(QualityOfProtection.INTEGRITY), ec, envelopes);

        assertThatThrownBy(() ->
                        segments.transferFrom(LostConnection.after(Parties.payload(2 * SEGMENT + 5)), written -> {}))
                .isInstanceOf(IOException.class)
                .hasMessage("connection lost");

        assertThat(places(entities(envelopes.all))).containsExactly("1", "2");
        assertThatThrownBy(segments::finish).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void transferAfterAPart_illegalState() throws IOException {
        SegmentSealer segments =
                parties.sealer().segments(HEAD, policy(QualityOfProtection.INTEGRITY), ec, new Envelopes());
        segments.add(Parties.payload(1), 0, 1);

        assertThatThrownBy(() -> segments.transferFrom(new ByteArrayInputStream(Parties.payload(1)), written -> {}))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void exactMultiple_hasNoEmptySegmentAtTheEnd() throws Exception {
        List<Entity> entities =
                entities(seal(Parties.payload(2 * SEGMENT), policy(QualityOfProtection.INTEGRITY), 2 * SEGMENT));

        assertThat(places(entities)).containsExactly("1", "2 last");
    }

    @Test
    void twoMessages_haveIdentifiersOfTheirOwn() throws Exception {
        String one = entity(seal(Parties.payload(1), policy(QualityOfProtection.INTEGRITY), 1)
                        .get(0))
                .messageId();
        String two = entity(seal(Parties.payload(1), policy(QualityOfProtection.INTEGRITY), 1)
                        .get(0))
                .messageId();

        assertThat(one).isNotEqualTo(two);
    }

    @Test
    void qualityNone_isThePayloadItself() throws Exception {
        byte[] payload = Parties.payload(SEGMENT + 5);

        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        seal(payload, policy(QualityOfProtection.NONE), 300_000).forEach(whole::writeBytes);

        assertThat(whole.toByteArray()).isEqualTo(payload);
    }

    @Test
    void keyReuse_segmentsShareKeysAsMessagesDo() throws Exception {
        EffectivePolicy policy = confidentiality("ec", new KeyLimits(2, 1L << 40, Duration.ofHours(1)));

        List<byte[]> envelopes = seal(Parties.payload(4 * SEGMENT), policy, SEGMENT);

        List<byte[]> keys = new ArrayList<>();
        for (byte[] envelope : envelopes) {
            Slice nonce = ((ParsedEnvelope.Encrypted) EnvelopeParser.parse(Slice.of(envelope)))
                    .content()
                    .nonce();
            keys.add(new Slice(nonce.array(), nonce.offset(), 4).copy()); // fixed for the key
        }
        assertThat(keys.get(0)).isEqualTo(keys.get(1)).isNotEqualTo(keys.get(2));
        assertThat(keys.get(2)).isEqualTo(keys.get(3));
    }

    @Test
    void policyChangesWithin_messageIsSealedAsItBegan() throws Exception {
        Sealer sealer = parties.sealer();
        Envelopes envelopes = new Envelopes();
        SegmentSealer segments = sealer.segments(HEAD, confidentiality("ec", KeyLimits.DEFAULT), ec, envelopes);
        segments.add(Parties.payload(SEGMENT + 1), 0, SEGMENT + 1);

        EffectivePolicy later =
                new EffectivePolicy(confidentiality("other", KeyLimits.DEFAULT).policy(), 18);
        sealer.seal(ClearMessage.of(Parties.ADDRESS, ClearMessage.Body.BYTES, Parties.payload(1)), later, ec);
        segments.add(Parties.payload(SEGMENT), 0, SEGMENT);
        segments.finish();

        List<Entity> entities = entities(envelopes.all);
        assertThat(places(entities)).containsExactly("1", "2", "3 last");
        assertThat(entities).extracting(entity -> entity.attribution().policy()).containsOnly(Parties.ADDRESS + "@17");
    }

    @Test
    void sinkFails_nothingCanBeAddedAndNoEndIsWritten() {
        List<Integer> calls = new ArrayList<>();
        SegmentSealer segments = parties.sealer()
                .segments(HEAD, policy(QualityOfProtection.PRIVACY), ec, (bytes, offset, length) -> {
                    calls.add(length);
                    throw new IOException("disk full");
                });

        assertThatThrownBy(() -> segments.add(Parties.payload(SEGMENT + 1), 0, SEGMENT + 1))
                .isInstanceOf(IOException.class);

        assertThatThrownBy(() -> segments.add(Parties.payload(1), 0, 1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(segments::finish).isInstanceOf(IllegalStateException.class);
        assertThat(calls).hasSize(1);
    }

    @Test
    void finished_cannotGoOn() throws IOException {
        SegmentSealer segments =
                parties.sealer().segments(HEAD, policy(QualityOfProtection.PRIVACY), ec, new Envelopes());
        segments.finish();

        assertThatThrownBy(segments::finish).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> segments.add(Parties.payload(1), 0, 1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void sealerClosedWithin_illegalState() throws IOException {
        Sealer sealer = parties.sealer();
        SegmentSealer segments = sealer.segments(HEAD, policy(QualityOfProtection.PRIVACY), ec, new Envelopes());
        segments.add(Parties.payload(1), 0, 1);

        sealer.close();

        assertThatThrownBy(segments::finish).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void headWithAPayload_rejected() {
        ClearMessage head = ClearMessage.of(Parties.ADDRESS, ClearMessage.Body.BYTES, Parties.payload(3));

        assertThatThrownBy(
                        () -> parties.sealer().segments(head, policy(QualityOfProtection.PRIVACY), ec, new Envelopes()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource(value = QualityOfProtection.class)
    void messagesAtOnce_andAfterAFailedOne_doNotMix(QualityOfProtection quality) throws Exception {
        byte[] one = Parties.payload(150_000);
        byte[] two = Parties.payload(90_000);
        SegmentSealer failing = parties.sealer().segments(HEAD, policy(quality), ec, (bytes, offset, length) -> {
            throw new IOException("disk full");
        });
        failing.add(one, 0, 70_000);
        assertThatIOException().isThrownBy(failing::finish).withMessage("disk full");
        Envelopes first = new Envelopes();
        Envelopes second = new Envelopes();

        try (SegmentSealer left = parties.sealer().segments(HEAD, policy(quality), ec, first);
                SegmentSealer right = parties.sealer().segments(HEAD, policy(quality), ec, second)) {
            left.add(one, 0, 100_000);
            right.add(two, 0, 80_000);
            left.add(one, 100_000, 50_000);
            left.finish();
            right.add(two, 80_000, 10_000);
            right.finish();
        }

        assertThat(payloads(quality, first)).isEqualTo(one);
        assertThat(payloads(quality, second)).isEqualTo(two);
    }

    private static byte[] payloads(QualityOfProtection quality, Envelopes envelopes) throws Exception {
        return quality == QualityOfProtection.NONE ? envelopes.all.get(0) : payloadOf(entities(envelopes.all));
    }
}
