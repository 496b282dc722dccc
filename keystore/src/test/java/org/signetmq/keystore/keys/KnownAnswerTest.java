/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.keystore.keys.KeyEncryptionKey.KeyDerivation;
import org.signetmq.keystore.keys.KeyEncryptionKey.KeyWrapCiphers;
import org.signetmq.keystore.keys.KeyWrapping.PreparedKey;

/** Checks the primitives against published test vectors. */
final class KnownAnswerTest {
    private static final HexFormat HEX = HexFormat.of();

    /** RFC 3394 section 4.6. */
    @Test
    void keyWrap_256BitsWith256Bits_isRfc3394() {
        byte[] kek = HEX.parseHex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
        byte[] key = HEX.parseHex("00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f");
        String wrapped = "28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21";

        try (KeyWrapCiphers ciphers = new KeyWrapCiphers(CryptoProviders.standard());
                KeyEncryptionKey wrapping = new KeyEncryptionKey(kek, ciphers);
                DataKey dataKey = DataKey.takeOwnershipOf(key.clone())) {
            assertThat(wrapping.wrap(dataKey)).asHexString().isEqualToIgnoringCase(wrapped);
            assertThat(bytes(wrapping.unwrap(HEX.parseHex(wrapped)))).isEqualTo(key);
        }
    }

    @Test
    void wrappedKey_changedAnywhereOrOfOtherLength_isRejected() {
        try (KeyWrapCiphers ciphers = new KeyWrapCiphers(CryptoProviders.standard());
                KeyEncryptionKey wrapping = new KeyEncryptionKey(bytes(OpenedKeysTest.key(7)), ciphers);
                DataKey key = OpenedKeysTest.key(9)) {
            byte[] wrapped = wrapping.wrap(key);

            for (int i = 0; i < wrapped.length; i++) {
                byte[] changed = wrapped.clone();
                changed[i] ^= 1;
                assertThat(wrapping.unwrap(changed)).isNull();
            }
            for (int length = 0; length < 100; length++) {
                if (length != wrapped.length) {
                    assertThat(wrapping.unwrap(Arrays.copyOf(wrapped, length))).isNull();
                }
            }
            assertThat(bytes(wrapping.unwrap(wrapped))).isEqualTo(bytes(key)); // failures spoilt nothing
        }
    }

    /** McGrew and Viega, The Galois/Counter Mode of Operation, test cases 13 to 15. */
    @ParameterizedTest
    @CsvSource(
            value = {
                "0000000000000000000000000000000000000000000000000000000000000000, 000000000000000000000000, '',"
                        + "530f8afbc74536b9a963b4f1c4cb738b",
                "0000000000000000000000000000000000000000000000000000000000000000, 000000000000000000000000,"
                        + "00000000000000000000000000000000,"
                        + "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919",
                "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308, cafebabefacedbaddecaf888,"
                        + "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                        + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255,"
                        + "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                        + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad"
                        + "b094dac5d93471bdec1a502270e3cc6c"
            })
    void gcm_256Bits_isAsSpecified(String key, String nonce, String plain, String sealed) {
        DataKey dataKey = DataKey.takeOwnershipOf(HEX.parseHex(key));
        byte[] clear = HEX.parseHex(plain);
        byte[] buffer = Arrays.copyOf(clear, clear.length + ContentCipher.TAG_LENGTH);
        byte[] decrypted = new byte[clear.length];

        try (ContentCipher cipher = new ContentCipher(CryptoProviders.standard());
                KeyLease use = use(dataKey, nonce)) {
            assertThat(use.nonce()).asHexString().isEqualToIgnoringCase(nonce);
            cipher.encrypt(use, buffer, 0, clear.length);
            assertThat(buffer).asHexString().isEqualToIgnoringCase(sealed);
            GCMParameterSpec parameters = new GCMParameterSpec(128, HEX.parseHex(nonce));
            assertThat(cipher.decrypt(dataKey, parameters, ByteBuffer.wrap(buffer), decrypted))
                    .isTrue();
        }

        assertThat(decrypted).isEqualTo(clear);
    }

    @Test
    void gcm_changedOrCut_isRejectedAndGivesNoPlaintext() {
        DataKey key = OpenedKeysTest.key(3);
        byte[] clear = "a secret that must not come out".getBytes(StandardCharsets.US_ASCII);
        byte[] sealed = Arrays.copyOf(clear, clear.length + ContentCipher.TAG_LENGTH);
        try (ContentCipher cipher = new ContentCipher(CryptoProviders.standard());
                KeyLease use = use(key, "000000000000000000000001")) {
            cipher.encrypt(use, sealed, 0, clear.length);
            GCMParameterSpec parameters = new GCMParameterSpec(128, use.nonce());

            for (int i = 0; i < sealed.length; i++) {
                byte[] changed = sealed.clone();
                changed[i] ^= 0x40;
                byte[] output = new byte[clear.length];
                assertThat(cipher.decrypt(key, parameters, ByteBuffer.wrap(changed), output))
                        .isFalse();
                assertThat(output).isEqualTo(new byte[clear.length]);
            }
            for (int length = 0; length < sealed.length; length++) {
                assertThat(cipher.decrypt(key, parameters, ByteBuffer.wrap(sealed, 0, length), new byte[clear.length]))
                        .isFalse();
            }
        }
    }

    /** NIST CAVS for ANS X9.63, SHA-256; the beginning of the longer answer. */
    @ParameterizedTest
    @CsvSource({
        "96c05619d56c328ab95fe84b18264b08725b85e33fd34f08, '', 443024c3dae66b95e6f5670601558f71",
        "22518b10e70f2a3f243810ae3254139efbee04aa57c7af7d, 75eef81aa3041e33b80971203d2c0c52,"
                + "c498af77161cc59f2962b9a713e2b215152d139766ce34a776df11866a69bf2e"
    })
    void keyDerivation_sha256_isX963(String secret, String sharedInfo, String expected) {
        byte[] key = derived(HEX.parseHex(secret), KeyDerivation.SHA_256, HEX.parseHex(sharedInfo));

        assertThat(HEX.formatHex(key)).startsWith(expected);
    }

    /** RFC 5903 section 8.1, both sides. */
    @ParameterizedTest
    @EnumSource(KeyDerivation.class)
    void agreement_p256_isRfc5903(KeyDerivation derivation) throws Exception {
        String i = "c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433";
        String gi = "dad0b65394221cf9b051e1feca5787d098dfe637fc90b9ef945d0c3772581180"
                + "5271a0461cdb8252d61f1c456fa3e59ab1f45b33accf5f58389e0577b8990bb3";
        String r = "c6ef9c5d78ae012a011164acb397ce2088685d8f06bf9be0b283ab46476bee53";
        String gr = "d12dfb5289c8d4f81208b70270398c342296970a0bccb74c736fc7554494bf63"
                + "56fbf3ca366cc23e8157854c13c58d6aac23f046ada30f8353e74f33039872ab";
        byte[] shared = HEX.parseHex("d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de");
        byte[] info = {1, 2, 3};
        byte[] expected = derived(shared, derivation, info);

        assertThat(agreed(p256(i), point(gr), derivation, info)).isEqualTo(expected);
        assertThat(agreed(p256(r), point(gi), derivation, info)).isEqualTo(expected);
    }

    @Test
    void originator_notOnTheCurve_isRejected() throws Exception {
        SoftwareKey own = p256("c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433");
        String offCurve = "d12dfb5289c8d4f81208b70270398c342296970a0bccb74c736fc7554494bf63"
                + "56fbf3ca366cc23e8157854c13c58d6aac23f046ada30f8353e74f33039872ac";

        assertThat(EcAgreement.answer(own, point(offCurve))).isNull();
        assertThat(EcAgreement.answer(own, point("00".repeat(64)))).isNull();
        assertThat(EcAgreement.answer(own, new byte[5])).isNull();
        assertThat(EcAgreement.answer(own, new byte[0])).isNull();
    }

    @Test
    void keys_print_withoutTheirBytes() {
        DataKey key = OpenedKeysTest.key(0x41);

        assertThat(key).hasToString("DataKey[256 bit]");
        assertThat(key.secret().toString()).doesNotContain("41, 41", "AAAA");
        try (KeyWrapCiphers ciphers = new KeyWrapCiphers(CryptoProviders.standard())) {
            assertThat(new KeyEncryptionKey(bytes(key), ciphers)).hasToString("KeyEncryptionKey[256 bit]");
        }
    }

    private static byte[] agreed(SoftwareKey own, byte[] originator, KeyDerivation derivation, byte[] info) {
        return derived(Objects.requireNonNull(EcAgreement.answer(own, originator)), derivation, info);
    }

    private static byte[] derived(byte[] secret, KeyDerivation derivation, byte[] info) {
        try (KeyWrapCiphers ciphers = new KeyWrapCiphers(CryptoProviders.standard())) {
            return bytes(KeyEncryptionKey.derive(secret.clone(), derivation, info, ciphers));
        }
    }

    private static KeyLease use(DataKey key, String nonce) {
        assertThat(key.acquire()).isTrue();
        int prefix = HexFormat.fromHexDigits(nonce.substring(0, 8));
        return new KeyLease(
                new PreparedKey(key, new byte[0]), prefix, HexFormat.fromHexDigitsToLong(nonce.substring(8)), null);
    }

    static byte[] bytes(@Nullable AesKey key) {
        if (key == null) {
            throw new AssertionError("no key");
        }
        return key.secret().getEncoded();
    }

    private static byte[] point(String coordinates) {
        return HEX.parseHex("3059301306072a8648ce3d020106082a8648ce3d03010703420004" + coordinates);
    }

    private static SoftwareKey p256(String scalar) throws Exception {
        byte[] pkcs8 = HEX.parseHex("3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420" + scalar);
        PrivateKey key = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
        return new SoftwareKey(key, CryptoProviders.standard());
    }
}
