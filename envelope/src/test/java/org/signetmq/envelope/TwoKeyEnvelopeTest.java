/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.spec.MGF1ParameterSpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.modes.gcm.GCMUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.cms.Commitment;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.internal.format.HeaderName;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;

/**
 * Builds envelopes by hand with one ciphertext and one tag that are right under two data keys, each wrapped for another
 * recipient. AES-GCM accepts both; a reader must accept at most one.
 */
final class TwoKeyEnvelopeTest {
    private static final int BLOCK = 16;
    private static final String HEADER =
            "Message-ID: <00112233445566778899aabbccddeeff>\r\nSignet-Address: orders.eu\r\nSignet-Body: bytes\r\n";

    private Parties parties;
    private Identity alice;
    private Identity bob;

    /** A ciphertext with its tag. */
    private record Sealed(byte[] ciphertext, byte[] tag) {}

    /** A data key with the nonce of the envelope, as AES-GCM uses them. */
    private record Key(byte[] bytes) {
        private static final byte[] NONCE = new byte[12];

        private byte[] block(byte[] input) {
            try {
                Cipher aes = Cipher.getInstance("AES/ECB/NoPadding");
                aes.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(bytes, "AES"));
                return aes.doFinal(input);
            } catch (GeneralSecurityException impossible) {
                throw new IllegalStateException(impossible);
            }
        }

        private byte[] counter(int value) {
            return block(ByteBuffer.allocate(BLOCK).put(NONCE).putInt(value).array());
        }

        byte[] stream(int length) {
            ByteBuffer stream = ByteBuffer.allocate(length + BLOCK);
            for (int i = 0; i * BLOCK < length; i++) {
                stream.put(counter(i + 2));
            }
            return Arrays.copyOf(stream.array(), length);
        }

        /** The tag without its last addition: the hash of ciphertext and length, of whole blocks. */
        long[] hash(byte[] ciphertext) {
            long[] h = GCMUtil.asLongs(block(new byte[BLOCK]));
            long[] hash = new long[2];
            byte[] length = ByteBuffer.allocate(BLOCK)
                    .putLong(8, 8L * ciphertext.length)
                    .array();
            for (byte[] part : List.of(ciphertext, length)) {
                for (int at = 0; at < part.length; at += BLOCK) {
                    add(hash, GCMUtil.asLongs(Arrays.copyOfRange(part, at, at + BLOCK)));
                    GCMUtil.multiply(hash, h);
                }
            }
            return hash;
        }

        long[] tag(byte[] ciphertext) {
            long[] tag = hash(ciphertext);
            add(tag, GCMUtil.asLongs(counter(1)));
            return tag;
        }

        byte[] open(Sealed sealed) throws GeneralSecurityException {
            Cipher gcm = Cipher.getInstance("AES/GCM/NoPadding");
            gcm.init(Cipher.DECRYPT_MODE, new SecretKeySpec(bytes, "AES"), new GCMParameterSpec(128, NONCE));
            return gcm.doFinal(DerWriter.concat(sealed.ciphertext(), sealed.tag()));
        }
    }

    @BeforeEach
    void makeParties() {
        parties = new Parties();
        alice = parties.identity("alice", KeyAlgorithm.RSA_2048);
        bob = parties.identity("bob", KeyAlgorithm.RSA_2048);
    }

    private static void add(long[] to, long[] other) {
        to[0] ^= other[0];
        to[1] ^= other[1];
    }

    private static long[] inverse(long[] value) {
        long[] square = value.clone();
        long[] inverse = GCMUtil.oneAsLongs();
        for (int i = 1; i < 128; i++) { // the exponent 2^128 - 2
            GCMUtil.multiply(square, square.clone());
            GCMUtil.multiply(inverse, square);
        }
        return inverse;
    }

    /** The sum of two powers of the hash keys, with which a block counts in the difference of the tags. */
    private static long[] weight(Key first, Key second, int blocks, int block) {
        byte[] one = new byte[blocks * BLOCK];
        byte[] none = new byte[blocks * BLOCK];
        one[block * BLOCK] = (byte) 0x80; // the polynomial 1
        long[] weight = first.hash(one);
        add(weight, first.hash(none));
        add(weight, second.hash(one));
        add(weight, second.hash(none));
        return weight;
    }

    /** Seals two texts: the first blocks are those of the first text, the last one makes both tags equal. */
    private static Sealed seal(Key first, byte[] text, Key second, int secondFrom, byte[] secondText) {
        int blocks = (Math.max(text.length, secondFrom + secondText.length) + BLOCK - 1) / BLOCK + 1;
        byte[] ciphertext = new byte[blocks * BLOCK];
        byte[] ours = first.stream(ciphertext.length);
        byte[] others = second.stream(ciphertext.length);
        for (int i = 0; i < text.length; i++) {
            ciphertext[i] = (byte) (text[i] ^ ours[i]);
        }
        for (int i = 0; i < secondText.length; i++) {
            ciphertext[secondFrom + i] = (byte) (secondText[i] ^ others[secondFrom + i]);
        }
        long[] difference = first.tag(ciphertext);
        add(difference, second.tag(ciphertext));
        GCMUtil.multiply(difference, inverse(weight(first, second, blocks, blocks - 1)));
        System.arraycopy(GCMUtil.asBytes(difference), 0, ciphertext, (blocks - 1) * BLOCK, BLOCK);
        return new Sealed(ciphertext, GCMUtil.asBytes(first.tag(ciphertext)));
    }

    /** Puts a ciphertext with two data keys into an envelope for both recipients. */
    private byte[] envelope(Sealed sealed, Key first, Key second) throws Exception {
        Policy policy = Policy.confidentiality(Parties.ADDRESS, List.of("alice", "bob"), KeyLimits.DEFAULT);
        DerNode envelope = DerNode.parse(parties.seal(Parties.text(new byte[1]), Parties.policies(policy), alice));
        DerNode data = envelope.child(1, 0);
        for (DerNode info : data.child(1).children()) {
            boolean isAlice = KeyIdentifier.of(info.child(1).content()).equals(alice.keyIdentifier());
            Cipher oaep = Cipher.getInstance("RSA/ECB/OAEPPadding");
            oaep.init(
                    Cipher.ENCRYPT_MODE,
                    (isAlice ? alice : bob).certificate().getPublicKey(),
                    new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT));
            info.child(3).setContent(oaep.doFinal((isAlice ? first : second).bytes()));
        }
        data.child(2, 1, 1, 0).setContent(Key.NONCE);
        data.child(2, 2).setContent(sealed.ciphertext());
        data.child(3).setContent(sealed.tag());
        return envelope.encoded();
    }

    private Opener opener(Identity reader) {
        return parties.opener(List.of(reader), PolicySet.EMPTY);
    }

    /** An opener in a home whose trust.json opens uncommitted messages until a time. */
    private Opener opener(Identity reader, Instant until) throws IOException {
        Files.writeString(
                parties.home.trustSettings(), "{\"schema\": 1, \"uncommitted-until\": \"%s\"}".formatted(until));
        return opener(reader);
    }

    @Test
    void envelopeOfTwoKeys_opensUnderOneAlone() throws Exception {
        byte[] text = (HeaderName.COMMITTING_LINES + HEADER + "\r\npay 100").getBytes(US_ASCII);
        byte[] other = "pay 900 to mallory".getBytes(US_ASCII);
        int from = (text.length / BLOCK + 1) * BLOCK;
        Key first = new Key(Arrays.copyOf(new byte[] {1}, 32));
        Key second = new Key(Arrays.copyOf(new byte[] {2}, 32));
        Sealed sealed = seal(first, text, second, from, other);
        byte[] envelope = envelope(sealed, first, second);

        assertThat(first.open(sealed)).as("AES-GCM accepts the first key").startsWith(text);
        assertThat(Arrays.copyOfRange(second.open(sealed), from, from + other.length))
                .as("and the second one with another text")
                .isEqualTo(other);
        assertThat(opener(alice).open(envelope, Parties.ADDRESS).payload()).startsWith("pay 100".getBytes(US_ASCII));
        assertThatThrownBy(() -> opener(bob).open(envelope, Parties.ADDRESS))
                .isInstanceOf(MalformedEnvelopeException.class)
                .hasMessageContaining("does not commit to one key");
        assertThat(opener(bob).remembered().keys()).isZero();
    }

    /** Even the first two bytes of a second text cost some thousand keys; each byte more costs 256 times as many. */
    @Test
    void secondText_costsASearchForItsFixedBytes() throws Exception {
        byte[] text = (HeaderName.COMMITTING_LINES + HEADER + "\r\npay 100").getBytes(US_ASCII);
        Key first = new Key(new byte[32]);
        byte[] wanted = first.stream(2);
        int tried = 0;
        Key second;
        do {
            second = new Key(ByteBuffer.allocate(32).putInt(++tried).array());
        } while (!Arrays.equals(second.stream(2), wanted));

        byte[] opened = second.open(seal(first, text, second, text.length, new byte[0]));

        assertThat(opened).startsWith(Arrays.copyOf(text, 2));
        assertThat(Arrays.copyOf(opened, 8)).isNotEqualTo(Arrays.copyOf(text, 8));
        assertThat(Commitment.holds(opened, opened.length)).isFalse();
        assertThat(tried).isGreaterThan(100);
    }

    @Test
    void messageOfAFormerVersion_opensUntilTheDateOfTheHome() throws Exception {
        byte[] entity = ("Content-Type: text/plain\r\nContent-Transfer-Encoding: binary\r\nSignet-Version: 1\r\n"
                        + HEADER + "\r\nold")
                .getBytes(US_ASCII);
        Key key = new Key(new byte[32]);
        byte[] ciphertext = Arrays.copyOf(entity, (entity.length / BLOCK + 1) * BLOCK);
        byte[] stream = key.stream(ciphertext.length);
        for (int i = 0; i < ciphertext.length; i++) {
            ciphertext[i] ^= stream[i];
        }
        byte[] envelope = envelope(new Sealed(ciphertext, GCMUtil.asBytes(key.tag(ciphertext))), key, key);

        assertThatThrownBy(() -> opener(alice).open(envelope, Parties.ADDRESS))
                .isInstanceOf(MalformedEnvelopeException.class);
        for (Identity reader : List.of(alice, bob)) {
            Instant later = Instant.now().plusSeconds(600);
            assertThat(opener(reader, later).open(envelope, Parties.ADDRESS).payload())
                    .startsWith("old".getBytes(US_ASCII));
            Instant past = Instant.now().minusSeconds(1);
            assertThatThrownBy(() -> opener(reader, past).open(envelope, Parties.ADDRESS))
                    .isInstanceOf(MalformedEnvelopeException.class)
                    .hasMessageContaining("set uncommitted-until in trust.json");
        }
    }

    @Test
    void signedContent_commitsWithTheLengthsOfDerOrIndefiniteOnes() {
        for (int length : new int[] {0, 70, 180, 700, 65_400, 65_600, 20_000_000}) {
            byte[] version3 = signedData(3, length, false);
            assertThat(Commitment.holds(version3, version3.length))
                    .as("%d", length)
                    .isTrue();
            byte[] version1 = signedData(1, length, true);
            assertThat(Commitment.holds(version1, version1.length)).isTrue();
            assertThat(Commitment.holds(version3, version3.length - 1)).isFalse();
            byte[] longer = Arrays.copyOf(version3, version3.length + 1);
            assertThat(Commitment.holds(longer, longer.length)).isFalse();
            for (int i = 0; i < 32; i++) {
                byte[] changed = version3.clone();
                changed[i] ^= 0x40;
                assertThat(Commitment.holds(changed, changed.length))
                        .as("byte %d", i)
                        .isFalse();
            }
            DerNode indefinite = DerNode.parse(version3);
            indefinite.makeIndefinite();
            byte[] mixed = indefinite.encoded();
            assertThat(Commitment.holds(mixed, mixed.length)).isFalse();
            indefinite.child(1).makeIndefinite();
            indefinite.child(1, 0).makeIndefinite();
            byte[] streamed = indefinite.encoded();
            assertThat(Commitment.holds(streamed, streamed.length)).isTrue();
        }
    }

    private static byte[] signedData(int version, int length, boolean nullParameters) {
        byte[] digest = nullParameters
                ? DerWriter.element(0x30, Oids.SHA_512, Oids.NULL)
                : DerWriter.element(0x30, Oids.SHA_512);
        byte[] data = DerWriter.element(
                0x30,
                new byte[] {2, 1, (byte) version},
                DerWriter.element(0x31, digest),
                DerWriter.element(4, new byte[length]));
        return DerWriter.element(0x30, Oids.SIGNED_DATA, DerWriter.element(0xA0, data));
    }

    @Test
    void beginningsOfEntities_areComparedToTheLastByte() {
        byte[] lines = HeaderName.COMMITTING_LINES.getBytes(US_ASCII);

        assertThat(lines).hasSizeGreaterThanOrEqualTo(32);
        assertThat(Commitment.holds(lines, lines.length)).isTrue();
        for (int i = 0; i < lines.length; i++) {
            byte[] changed = lines.clone();
            changed[i] ^= 0x20;
            assertThat(Commitment.holds(changed, changed.length)).isFalse();
            assertThat(Commitment.holds(lines, i)).isFalse();
        }
        assertThat(Commitment.holds(new byte[0], 0)).isFalse();
    }
}
