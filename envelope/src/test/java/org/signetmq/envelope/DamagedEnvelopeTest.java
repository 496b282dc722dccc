/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Tier;

/** A damaged envelope never releases a byte of its payload. */
final class DamagedEnvelopeTest {
    private static final byte[] PAYLOAD = "transfer 100 to alice".getBytes(StandardCharsets.UTF_8);

    @RegisterExtension
    static Parties parties = new Parties();

    static Stream<Arguments> sealed() {
        return Stream.of(KeyAlgorithm.EC_P256, KeyAlgorithm.RSA_2048)
                .limit(Tier.isLong() ? 2 : 1)
                .flatMap(key -> Stream.of(
                                QualityOfProtection.INTEGRITY,
                                QualityOfProtection.PRIVACY,
                                QualityOfProtection.CONFIDENTIALITY,
                                QualityOfProtection.AUTHENTICITY)
                        .filter(quality -> quality != QualityOfProtection.AUTHENTICITY || key == KeyAlgorithm.EC_P256)
                        .map(quality -> Arguments.of(quality, key)));
    }

    /** The distance of damaged positions: co-prime to the lengths of the fields, so that each kind of field is hit. */
    private static final int STEP = Tier.isLong() ? 1 : 11;

    /** The first bytes, where most lengths stand. */
    private static final int HEADS = 40;

    private record Case(byte[] envelope, Opener opener) {}

    private Case sealedFor(QualityOfProtection quality, KeyAlgorithm key) {
        Identity consumer = parties.identity("consumer-" + key.label(), key);
        Identity producer = parties.identity("producer-" + key.label(), key);
        Policy policy = Parties.policy(quality, consumer.name());
        PolicySet policies = Parties.policies(policy);
        byte[] envelope = parties.seal(Parties.text(PAYLOAD), policies, producer);
        Opener opener = parties.opener(List.of(consumer), policies);
        assertThat(opener.open(envelope, Parties.ADDRESS).payload()).isEqualTo(PAYLOAD); // warm: keys are cached
        return new Case(envelope, opener);
    }

    @ParameterizedTest
    @MethodSource("sealed")
    void everyByteFlipped_rejected(QualityOfProtection quality, KeyAlgorithm key) {
        Case sealed = sealedFor(quality, key);

        for (int position = 0; position < sealed.envelope().length; position += STEP) {
            sealed.opener().open(sealed.envelope(), Parties.ADDRESS); // its cached keys must not help
            for (int mask : new int[] {0x01, 0x80, 0xFF, 0x20}) {
                byte[] flipped = sealed.envelope().clone();
                flipped[position] ^= (byte) mask;
                assertRejected(sealed.opener(), flipped, "byte " + position + " xor " + mask);
            }
        }
    }

    @Tag(Tier.LONG)
    @Test
    void everyOtherValueOfEveryByte_rejected() {
        Case sealed = sealedFor(QualityOfProtection.CONFIDENTIALITY, KeyAlgorithm.EC_P256);

        for (int position = 0; position < sealed.envelope().length; position++) {
            for (int change = 1; change < 256; change++) {
                byte[] changed = sealed.envelope().clone();
                changed[position] += (byte) change;
                assertRejected(sealed.opener(), changed, "byte " + position + " plus " + change);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sealed")
    void truncatedAnywhere_rejected(QualityOfProtection quality, KeyAlgorithm key) {
        Case sealed = sealedFor(quality, key);

        for (int length = 0; length < sealed.envelope().length; length += STEP) {
            assertRejected(sealed.opener(), Arrays.copyOf(sealed.envelope(), length), "cut at " + length);
        }
    }

    @ParameterizedTest
    @MethodSource("sealed")
    void padded_rejected(QualityOfProtection quality, KeyAlgorithm key) {
        Case sealed = sealedFor(quality, key);

        for (int more = 1; more < 40; more++) {
            byte[] zeros = Arrays.copyOf(sealed.envelope(), sealed.envelope().length + more);
            byte[] shifted = new byte[zeros.length];
            System.arraycopy(sealed.envelope(), 0, shifted, more, sealed.envelope().length);
            assertRejected(sealed.opener(), zeros, more + " zeros behind");
            assertRejected(sealed.opener(), shifted, more + " zeros before");
        }
        assertRejected(sealed.opener(), DerWriter.concat(sealed.envelope(), sealed.envelope()), "twice in a row");
    }

    @ParameterizedTest
    @MethodSource("sealed")
    void lengthsThatLie_rejected(QualityOfProtection quality, KeyAlgorithm key) {
        Case sealed = sealedFor(quality, key);
        byte[] envelope = sealed.envelope();

        for (int position = 1; position + 5 < envelope.length; position += position < HEADS ? 1 : STEP) {
            // 1 GiB, and the largest that four bytes can say, at every place where a length could stand
            for (byte[] claim : List.of(
                    new byte[] {(byte) 0x84, 0x40, 0, 0, 0},
                    new byte[] {(byte) 0x84, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF},
                    new byte[] {(byte) 0x80})) {
                byte[] lying = DerWriter.concat(
                        Arrays.copyOf(envelope, position),
                        claim,
                        Arrays.copyOfRange(envelope, position + 1, envelope.length));
                if (!Arrays.equals(lying, envelope)) { // the indefinite length is also the tag [0]
                    assertRejected(sealed.opener(), lying, "length at " + position);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sealed")
    void randomDamage_rejectedWithoutOtherErrors(QualityOfProtection quality, KeyAlgorithm key) {
        Case sealed = sealedFor(quality, key);
        long seed = System.nanoTime();
        Random random = new Random(seed);

        for (int round = 0; round < Tier.rounds(1000); round++) {
            byte[] damaged = sealed.envelope().clone();
            for (int i = 0; i <= random.nextInt(8); i++) {
                damaged[random.nextInt(damaged.length)] += (byte) (1 + random.nextInt(255));
            }
            if (!Arrays.equals(damaged, sealed.envelope())) {
                assertRejected(sealed.opener(), damaged, "seed " + seed + " round " + round);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sealed")
    void deepNesting_rejected(QualityOfProtection quality, KeyAlgorithm key) {
        Case sealed = sealedFor(quality, key);
        byte[] head = Arrays.copyOf(sealed.envelope(), 17);
        byte[] nested = new byte[1 << 20];
        Arrays.fill(nested, (byte) 0xA0);
        for (int i = 1; i < nested.length; i += 2) {
            nested[i] = (byte) 0x80; // indefinite
        }

        assertRejected(sealed.opener(), DerWriter.concat(head, nested), "half a million levels");
        head[1] = (byte) 0x80;
        assertThatThrownBy(() -> sealed.opener()
                        .open(
                                DerWriter.concat(new byte[] {0x30, (byte) 0x80}, Oids.SIGNED_DATA, nested),
                                Parties.ADDRESS))
                .isInstanceOf(EnvelopeException.class);
    }

    private static void assertRejected(Opener opener, byte[] bytes, String what) {
        try {
            opener.open(bytes, Parties.ADDRESS);
        } catch (EnvelopeException rejected) {
            assertThat(rejected.getMessage()).as(what).doesNotContain("transfer");
            return;
        }
        fail("opened in spite of " + what);
    }
}
