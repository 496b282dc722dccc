/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.fail;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.Segment;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.testkit.Tier;

/**
 * A changed large message gives a beginning of the message and an exception, never a false end. The attacker has no
 * keys, or some.
 */
final class SegmentAttackTest {
    private static final byte[][] PIECES = {
        "transfer 100 ".getBytes(UTF_8), "to alice, and ".getBytes(UTF_8), "200 to bob.".getBytes(UTF_8)
    };
    private static final byte[] PAYLOAD = DerWriter.concat(PIECES);
    private static final byte[] ID = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

    @RegisterExtension
    static Parties parties = new Parties();

    private static SegmentForge forge;

    @BeforeAll
    static void createHome() {
        List.of(KeyAlgorithm.EC_P256, KeyAlgorithm.RSA_2048).forEach(key -> parties.identity(key.label(), key));
        parties.identity("other");
        forge = new SegmentForge(parties);
    }

    @AfterAll
    static void close() {
        forge.close();
    }

    static Stream<Arguments> kinds() {
        return Tier.cases(1, KeyAlgorithm.EC_P256, KeyAlgorithm.RSA_2048)
                .flatMap(key -> Stream.of(
                                QualityOfProtection.INTEGRITY,
                                QualityOfProtection.PRIVACY,
                                QualityOfProtection.CONFIDENTIALITY)
                        .map(quality -> Arguments.of(quality, key)))
                .filter(kind -> !isRsaPrivacy(kind.get()));
    }

    /** Each segment costs an operation with the private key: short ones have a test of their own. */
    private static boolean isRsaPrivacy(Object... kind) {
        return kind[0] == QualityOfProtection.PRIVACY && kind[1] == KeyAlgorithm.RSA_2048;
    }

    private static SegmentForge.Kind kind(QualityOfProtection quality, KeyAlgorithm key) {
        Identity identity = parties.identity(key.label(), key);
        return new SegmentForge.Kind(Parties.policy(quality, identity.name()), identity, SegmentForge.head(), ID);
    }

    /** Returns an opener for any envelope, because only the segments matter. */
    private static Opener opener(KeyAlgorithm key) {
        return parties.opener(
                List.of(parties.identity(key.label(), key)), PolicySet.of(17, UnmatchedAddress.REJECT, List.of()));
    }

    private static byte[] join(List<byte[]> segments) {
        return Parties.joined(segments);
    }

    private static List<byte[]> without(List<byte[]> segments, int index) {
        List<byte[]> rest = new ArrayList<>(segments);
        rest.remove(index);
        return rest;
    }

    private static List<byte[]> with(List<byte[]> segments, int index, byte[] another) {
        List<byte[]> more = new ArrayList<>(segments);
        more.add(index, another);
        return more;
    }

    private static List<byte[]> replaced(List<byte[]> segments, int index, byte[] another) {
        return with(without(segments, index), index, another);
    }

    private static List<byte[]> swapped(List<byte[]> segments, int one, int other) {
        List<byte[]> swapped = new ArrayList<>(segments);
        Collections.swap(swapped, one, other);
        return swapped;
    }

    @Test
    void shortSegmentsThatCostMorePrivateKeyOperationsThanAMessageMay_rejected() throws IOException {
        SegmentForge.Kind kind = kind(QualityOfProtection.PRIVACY, KeyAlgorithm.RSA_2048);
        Opener opener = opener(KeyAlgorithm.RSA_2048);
        byte[] full = new byte[SegmentSealer.SEGMENT_LENGTH];

        assertThat(opener.open(join(forge.message(kind, PIECES[0], PIECES[1])), Parties.ADDRESS)
                        .payload())
                .isEqualTo(DerWriter.concat(PIECES[0], PIECES[1]));
        assertThat(opener.open(join(forge.message(kind, full, full, full, full, PIECES[1])), Parties.ADDRESS)
                        .payload())
                .hasSize(4 * full.length + PIECES[1].length);
        assertThat(catchThrowable(() -> opener.open(join(forge.message(kind, PIECES)), Parties.ADDRESS)))
                .isInstanceOf(MalformedEnvelopeException.class)
                .hasMessageContaining("private-key operations");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void segmentsTakenAwayOrMovedAround_rejected(QualityOfProtection quality, KeyAlgorithm key) throws IOException {
        List<byte[]> sound = forge.message(kind(quality, key), PIECES);
        Opener opener = opener(key);
        assertThat(opener.open(join(sound), Parties.ADDRESS).payload()).isEqualTo(PAYLOAD);

        for (int i = 0; i < sound.size(); i++) {
            assertRejected(opener, join(without(sound, i)), "without " + i);
            assertRejected(opener, sound.get(i), "only " + i);
            for (int j = 0; j <= sound.size(); j++) {
                assertRejected(opener, join(with(sound, j, sound.get(i))), i + " once more at " + j);
            }
            for (int j = 0; j < i; j++) {
                assertRejected(opener, join(swapped(sound, i, j)), i + " and " + j + " swapped");
                assertRejected(opener, join(replaced(sound, i, sound.get(j))), j + " in place of " + i);
            }
        }
        assertRejected(opener, DerWriter.concat(join(sound), join(sound)), "the message twice");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void segmentsOfOthers_rejected(QualityOfProtection quality, KeyAlgorithm key) throws IOException {
        SegmentForge.Kind kind = kind(quality, key);
        List<byte[]> sound = forge.message(kind, PIECES);

        Map<String, SegmentForge.Kind> others = new LinkedHashMap<>();
        others.put("another message", kind.with(new byte[16]));
        others.put("another sender", kind.with(head("mallory", ClearMessage.Body.BYTES, Map.of("Region", "eu"))));
        others.put("another kind", kind.with(head("alice", ClearMessage.Body.TEXT, Map.of("Region", "eu"))));
        others.put("another property", kind.with(head("alice", ClearMessage.Body.BYTES, Map.of("Region", "us"))));
        others.put("one property less", kind.with(head("alice", ClearMessage.Body.BYTES, Map.of())));
        others.put(
                "another address",
                kind.with(new ClearMessage(
                        "orders.us", ClearMessage.Body.BYTES, new byte[0], "alice", Map.of("Region", "eu"))));
        if (quality.signs()) {
            others.put("another signer", kind.with(parties.identity("other")));
        }
        for (QualityOfProtection other : QualityOfProtection.values()) {
            boolean hasKeys = other != QualityOfProtection.AUTHENTICITY || key != KeyAlgorithm.RSA_2048;
            if (other != quality && other != QualityOfProtection.NONE && hasKeys) {
                others.put(
                        "quality " + other,
                        kind.with(Parties.policy(other, kind.signer().name())));
            }
        }
        Opener opener = opener(key);
        others.forEach((what, other) -> {
            List<byte[]> foreign = forge.message(other, PIECES);
            for (int i = 0; i < PIECES.length; i++) {
                assertRejected(opener, join(replaced(sound, i, foreign.get(i))), what + " at " + i);
            }
        });
    }

    private static ClearMessage head(String sender, ClearMessage.Body body, Map<String, String> properties) {
        return new ClearMessage(Parties.ADDRESS, body, new byte[0], sender, properties);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void placesThatNoSealerWrites_rejected(QualityOfProtection quality, KeyAlgorithm key) {
        SegmentForge.Kind kind = kind(quality, key);
        Opener opener = opener(key);
        byte[] first = forge.envelope(kind, PIECES[0], new Segment(1, false));
        byte[] last = forge.envelope(kind, PIECES[1], new Segment(2, true));
        byte[] alone = forge.envelope(kind, PIECES[0], null);

        assertRejected(opener, join(List.of(alone, last)), "a whole message before the last segment");
        assertRejected(opener, join(List.of(first, alone)), "a whole message in place of the last segment");
        assertRejected(opener, join(List.of(first, alone, last)), "a whole message between");
        assertRejected(opener, join(List.of(alone, alone)), "two whole messages");
        assertRejected(opener, join(List.of(first, last, alone)), "a whole message behind");
        assertRejected(
                opener,
                join(List.of(forge.envelope(kind, PIECES[0], new Segment(1, true)), last)),
                "two that are the last");
        assertRejected(
                opener,
                join(List.of(first, forge.envelope(kind, PIECES[1], new Segment(999_999_999, true)))),
                "a number far off");
        assertRejected(
                opener,
                forge.envelope(kind, new byte[SegmentSealer.SEGMENT_LENGTH + 1], new Segment(1, true)),
                "more payload than a segment may have, alone");
        assertRejected(
                opener,
                join(List.of(
                        forge.envelope(kind, new byte[SegmentSealer.SEGMENT_LENGTH + 1], new Segment(1, false)), last)),
                "more payload than a segment may have");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void somethingElseBetweenOrBehind_rejected(QualityOfProtection quality, KeyAlgorithm key) {
        List<byte[]> sound = forge.message(kind(quality, key), PIECES);
        Opener opener = opener(key);

        for (byte[] other : List.of(
                new byte[1],
                new byte[5000],
                "in clear".getBytes(UTF_8),
                new byte[] {0x30},
                new byte[] {0x30, (byte) 0x80},
                DerWriter.concat(new byte[] {0x30, (byte) 0x80}, Oids.SIGNED_DATA, new byte[200]),
                DerWriter.concat(new byte[] {0x30, (byte) 0x84, 0x7F, 0, 0, 0}, Oids.SIGNED_DATA, new byte[200]))) {
            for (int i = 1; i <= sound.size(); i++) {
                assertRejected(opener, join(with(sound, i, other)), other.length + " other bytes at " + i);
            }
        }
    }

    private static final int STEP = Tier.isLong() ? 1 : 10;

    @ParameterizedTest
    @MethodSource("kinds")
    void cutAnywhere_rejected(QualityOfProtection quality, KeyAlgorithm key) {
        List<byte[]> segments = forge.message(kind(quality, key), PIECES);
        byte[] sound = join(segments);
        Opener opener = opener(key);

        for (int length = 1; length < sound.length; length += (length % 53 + 1) * STEP) {
            assertRejected(opener, Arrays.copyOf(sound, length), "cut at " + length);
        }
        assertRejected(opener, Arrays.copyOf(sound, sound.length - 1), "cut by one");
        for (int whole = 1; whole < segments.size(); whole++) {
            byte[] some = join(segments.subList(0, whole));
            assertRejected(opener, some, "cut behind segment " + whole);
            assertRejected(opener, Arrays.copyOf(sound, some.length + 1), "cut one byte behind segment " + whole);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void randomDamage_rejected(QualityOfProtection quality, KeyAlgorithm key) {
        byte[] sound = join(forge.message(kind(quality, key), PIECES));
        Opener opener = opener(key);
        long seed = System.nanoTime();
        Random random = new Random(seed);

        for (int round = 0; round < Tier.rounds(150); round++) {
            byte[] damaged = sound.clone();
            for (int i = 0; i <= random.nextInt(4); i++) {
                damaged[random.nextInt(damaged.length)] += (byte) (1 + random.nextInt(255));
            }
            if (!Arrays.equals(damaged, sound)) {
                assertRejected(opener, damaged, "seed " + seed + " round " + round);
            }
        }
    }

    /** In all ways of opening. */
    private static void assertRejected(Opener opener, byte[] bytes, String what) {
        assertThat(catchThrowable(() -> opener.open(bytes, Parties.ADDRESS)))
                .as(what)
                .isInstanceOf(EnvelopeException.class);
        ByteArrayOutputStream released = new ByteArrayOutputStream();
        try (InputStream payload = opener.openSegments(new ByteArrayInputStream(bytes), Parties.ADDRESS)
                .payload()) {
            payload.transferTo(released);
            fail("opened in spite of " + what);
        } catch (EnvelopeException rejected) {
            assertBeginning(released, what);
            assertThat(rejected.getMessage())
                    .as(what)
                    .doesNotContain("transfer")
                    .doesNotContain("alice, and");
        } catch (IOException e) {
            fail(what, e);
        }
        ByteArrayOutputStream transferred = new ByteArrayOutputStream();
        assertThat(catchThrowable(() -> opener.openSegments(new ByteArrayInputStream(bytes), Parties.ADDRESS)
                        .transferTo(transferred, n -> {})))
                .as(what)
                .isInstanceOf(EnvelopeException.class);
        assertBeginning(transferred, what);
    }

    private static void assertBeginning(ByteArrayOutputStream released, String what) {
        byte[] beginning = released.toByteArray();
        assertThat(beginning.length).as("length released of " + what).isLessThanOrEqualTo(PAYLOAD.length);
        assertThat(beginning).as("released of " + what).isEqualTo(Arrays.copyOf(PAYLOAD, beginning.length));
    }
}
