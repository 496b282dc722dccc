/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.der;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Primitive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.testkit.Tier;

/** Bouncy Castle says what the distinguished encoding is. */
final class BerTranscoderTest {
    private static final byte[] NOTHING = {};
    private static final int ROUNDS = Tier.rounds(20_000);

    /** Transcodes bytes that stand between others, which may not count. */
    private static byte[] der(byte[] ber) {
        byte[] surrounded = new byte[ber.length + 20];
        Arrays.fill(surrounded, (byte) 0x04);
        System.arraycopy(ber, 0, surrounded, 10, ber.length);
        Slice der = BerTranscoder.toDer(new Slice(surrounded, 10, ber.length), NOTHING);
        return der == null ? ber : Arrays.copyOfRange(der.array(), der.offset(), der.offset() + der.length());
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"0500", "0400", "0401ff", "3000", "3100", "30060201010201ff", "3106 020101 020102", "a003020105"
            })
    void distinguishedEncoding_isLeftAsItIs(String hex) {
        byte[] der = bytes(hex);

        assertThat(BerTranscoder.toDer(new Slice(der, 0, der.length), NOTHING)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "04 81 01 ff,                       0401ff",
        "04 84 00 00 00 01 ff,              0401ff",
        "04 87 00 00 00 00 00 00 01 ff,     0401ff",
        "30 80 00 00,                       3000",
        "30 80 05 00 00 00,                 30020500",
        "30 80 30 80 00 00 00 00,           30023000",
        "30 81 02 05 00,                    30020500",
        "24 00,                             0400",
        "24 80 00 00,                       0400",
        "24 06 04 01 aa 04 01 bb,           0402aabb",
        "24 80 04 01 aa 04 81 01 bb 00 00,  0402aabb",
        "24 0a 04 01 aa 24 03 04 01 bb 04 00, 0402aabb",
        "24 80 24 80 04 01 aa 04 01 bb 00 00 04 01 cc 00 00, 0403aabbcc",
        "30 80 24 80 24 03 04 01 aa 04 01 bb 00 00 02 01 05 00 00, 30070402aabb020105",
        "31 06 02 01 02 02 01 01,           3106020101020102",
        "31 80 04 01 00 02 01 05 05 00 00 00, 31080201050401000500",
        "31 07 04 02 00 00 04 01 ff,        31070401ff04020000",
        "a0 80 05 00 00 00,                 a0020500",
    })
    void otherEncoding_becomesTheDistinguishedOne(String ber, String der) {
        assertThat(hex(der(bytes(ber)))).isEqualTo(der);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "04",
                "0401",
                "0402ff",
                "0481",
                "048101",
                "04820001",
                "0400 00",
                "0400 0400", // cut, or more
                "0000",
                "1f0100",
                "3f8000",
                "0480ff0000", // no such tag, or no such length
                "3080",
                "308000",
                "30800000 00",
                "3080 0500",
                "3080 050000",
                "30020401",
                "3003050004", // no end
                "2403 020101",
                "2480 020101 0000",
                "2480 3000 0000",
                "2480 2403 020101 0000", // no part of a string
                "0484ffffffff",
                "048480000000",
                "0488ffffffffffffffff",
                "30847fffffff0500",
                "04ffff",
            })
    void malformedEncoding_isRefused(String hex) {
        assertThatExceptionOfType(MalformedEnvelopeException.class)
                .isThrownBy(() -> der(bytes(hex)))
                .withMessageStartingWith("envelope: not ");
    }

    @Test
    void lengthThatReachesIntoWhatFollows_isRefused() {
        byte[] surrounded = bytes("04 04 05 00 05 00 05 00");

        for (int length = 0; length < 6; length++) {
            Slice cut = new Slice(surrounded, 0, length);
            assertThatExceptionOfType(MalformedEnvelopeException.class)
                    .as("%s bytes", length)
                    .isThrownBy(() -> BerTranscoder.toDer(cut, NOTHING));
        }
        assertThat(BerTranscoder.toDer(new Slice(surrounded, 0, 6), NOTHING)).isNull();
    }

    @Test
    void randomEncodings_becomeWhatBouncyCastleMakesOfThem() throws IOException {
        long seed = Long.getLong("signet.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] ber = element(random, 4);

            assertThat(hex(der(ber)))
                    .as("seed %s round %s: %s", seed, round, hex(ber))
                    .isEqualTo(hex(ASN1Primitive.fromByteArray(ber).getEncoded(ASN1Encoding.DER)));
        }
    }

    private static byte[] element(Random random, int depth) throws IOException {
        int kind = random.nextInt(depth == 0 ? 2 : 6);
        return switch (kind) {
            case 0 -> encoded(random, 0x04, content(random));
            case 1 ->
                encoded(
                        random,
                        0x02,
                        BigInteger.valueOf(random.nextInt(1 << 20)).toByteArray());
            case 2 -> encoded(random, 0x24, parts(random, depth - 1));
            case 3 -> encoded(random, 0x30, members(random, depth - 1));
            default -> encoded(random, 0x31, members(random, depth - 1));
        };
    }

    private static byte[] content(Random random) {
        byte[] content = new byte[random.nextInt(10) == 0 ? 100 + random.nextInt(300) : random.nextInt(4)];
        random.nextBytes(content);
        return content;
    }

    private static byte[] parts(Random random, int depth) throws IOException {
        ByteArrayOutputStream parts = new ByteArrayOutputStream();
        for (int i = random.nextInt(4); i > 0; i--) {
            boolean isWhole = depth <= 0 || random.nextInt(3) > 0;
            parts.write(
                    isWhole ? encoded(random, 0x04, content(random)) : encoded(random, 0x24, parts(random, depth - 1)));
        }
        return parts.toByteArray();
    }

    private static byte[] members(Random random, int depth) throws IOException {
        ByteArrayOutputStream members = new ByteArrayOutputStream();
        for (int i = random.nextInt(4); i > 0; i--) {
            members.write(element(random, depth));
        }
        return members.toByteArray();
    }

    private static byte[] encoded(Random random, int tag, byte[] content) throws IOException {
        ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        encoded.write(tag);
        boolean isIndefinite = (tag & 0x20) != 0 && random.nextBoolean();
        if (isIndefinite) {
            encoded.write(0x80);
        } else if (content.length < 0x80 && random.nextBoolean()) {
            encoded.write(content.length);
        } else {
            encoded.write(new byte[] {(byte) 0x82, (byte) (content.length >> 8), (byte) content.length});
        }
        encoded.write(content);
        if (isIndefinite) {
            encoded.write(new byte[2]);
        }
        return encoded.toByteArray();
    }

    @Test
    void result_standsInTheSpareBytesIfTheySuffice() {
        byte[] ber = bytes("3080 0500 0000");
        byte[] enough = new byte[4];

        assertThat(transcoded(ber, enough).array()).isSameAs(enough);
        assertThat(transcoded(ber, enough).length()).isEqualTo(4);
        assertThat(transcoded(ber, new byte[3]).array()).hasSize(4);
    }

    private static Slice transcoded(byte[] ber, byte[] spare) {
        return Objects.requireNonNull(BerTranscoder.toDer(new Slice(ber, 0, ber.length), spare));
    }

    @Test
    void levels_areLimited() {
        assertThat(der(nested(Limits.DEPTH))).hasSize(2 * Limits.DEPTH);
        assertThatExceptionOfType(MalformedEnvelopeException.class)
                .isThrownBy(() -> der(nested(Limits.DEPTH + 1)))
                .withMessage("envelope: ASN.1 of more than " + Limits.DEPTH + " levels");
    }

    private static byte[] nested(int depth) {
        return bytes("3080".repeat(depth) + "0000".repeat(depth));
    }

    @Test
    void elements_areLimited() {
        assertThat(der(nulls(Limits.ELEMENTS - 1))).isNotEmpty();
        assertThatExceptionOfType(MalformedEnvelopeException.class)
                .isThrownBy(() -> der(nulls(Limits.ELEMENTS)))
                .withMessage("envelope: ASN.1 of more than " + Limits.ELEMENTS + " elements");
    }

    private static byte[] nulls(int count) {
        return bytes("3080" + "0500".repeat(count) + "0000");
    }

    @Test
    void lengthOfAnUnsortedSet_isLimited() {
        assertThat(der(unsortedSet(Limits.UNSORTED_SET))).hasSize(DerWriter.sizeOf(Limits.UNSORTED_SET));
        assertThatExceptionOfType(MalformedEnvelopeException.class)
                .isThrownBy(() -> der(unsortedSet(Limits.UNSORTED_SET + 1)))
                .withMessageStartingWith("envelope: a set in the wrong order of more than 65536 bytes");
    }

    private static byte[] unsortedSet(int length) {
        byte[] one = DerWriter.element(DerReader.INTEGER, new byte[] {1});
        int head = 4;
        byte[] rest = DerWriter.element(DerReader.OCTET_STRING, new byte[length - head - one.length]);
        return DerWriter.concat(bytes("3180"), rest, one, new byte[2]);
    }

    @Test
    void membersOfAnUnsortedSet_areLimited() throws IOException {
        byte[] largest = backwards(Limits.RECIPIENTS);

        assertThat(der(largest)).isEqualTo(ASN1Primitive.fromByteArray(largest).getEncoded(ASN1Encoding.DER));
        assertThatExceptionOfType(MalformedEnvelopeException.class)
                .isThrownBy(() -> der(backwards(Limits.RECIPIENTS + 1)))
                .withMessage("envelope: more than " + Limits.RECIPIENTS + " elements in a set in the wrong order");
    }

    private static byte[] backwards(int count) {
        List<Integer> numbers = IntStream.range(0, count)
                .boxed()
                .sorted(Collections.reverseOrder())
                .toList();
        ByteArrayOutputStream set = new ByteArrayOutputStream();
        set.writeBytes(bytes("3180"));
        for (int number : numbers) {
            set.writeBytes(new byte[] {4, 2, (byte) (number >> 8), (byte) number});
        }
        set.writeBytes(new byte[2]);
        return set.toByteArray();
    }

    @Test
    void unsortedSets_areLimited() {
        assertThat(der(unsortedSets(Limits.UNSORTED_SETS))).hasSize(DerWriter.sizeOf(8 * Limits.UNSORTED_SETS));
        assertThatExceptionOfType(MalformedEnvelopeException.class)
                .isThrownBy(() -> der(unsortedSets(Limits.UNSORTED_SETS + 1)))
                .withMessage("envelope: more than " + Limits.UNSORTED_SETS + " sets in the wrong order");
    }

    private static byte[] unsortedSets(int count) {
        return bytes("3080" + "3106020102020101".repeat(count) + "0000");
    }
}
