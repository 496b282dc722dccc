/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.keystore.KeyTransportPadding.OAEP_SHA_1;
import static org.signetmq.keystore.KeyTransportPadding.OAEP_SHA_256;
import static org.signetmq.keystore.KeyTransportPadding.PKCS1;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.Signature;
import java.security.interfaces.RSAPrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.encodings.OAEPEncoding;
import org.bouncycastle.crypto.engines.RSAEngine;
import org.bouncycastle.crypto.params.RSAKeyParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.internal.x509.TestCertificates;

/** Bouncy Castle and the JDK pad, and say what is right. */
final class RsaPaddingTest {
    private static final OAEPParameterSpec OAEP =
            new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT);
    private static final KeyPair PAIR = TestCertificates.rsa(2048);

    private static byte[] raw(KeyPair pair, byte[] block) {
        RSAPrivateKey key = (RSAPrivateKey) pair.getPrivate();
        byte[] number = new BigInteger(1, block)
                .modPow(key.getPrivateExponent(), key.getModulus())
                .toByteArray();
        byte[] filled = new byte[(key.getModulus().bitLength() + 7) / 8];
        int length = Math.min(number.length, filled.length);
        System.arraycopy(number, number.length - length, filled, filled.length - length, length);
        return filled;
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 32, 213, 214})
    void oaepWithSha1_ofTheJdk_isRemoved_andOnlyByItsOwnDigest(int length) throws Exception {
        Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPPadding", "SunJCE");
        cipher.init(Cipher.ENCRYPT_MODE, PAIR.getPublic(), OAEPParameterSpec.DEFAULT);

        byte[] block = raw(PAIR, cipher.doFinal(bytes(length)));

        assertThat(RsaPadding.remove(OAEP_SHA_1, block)).isEqualTo(bytes(length));
        assertThat(RsaPadding.remove(OAEP_SHA_256, block)).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31, 32, 33, 189, 190})
    void oaep_ofTheJdk_isRemoved(int length) throws Exception {
        Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPPadding", "SunJCE");
        cipher.init(Cipher.ENCRYPT_MODE, PAIR.getPublic(), OAEP);

        byte[] block = raw(PAIR, cipher.doFinal(bytes(length)));

        assertThat(RsaPadding.remove(OAEP_SHA_256, block)).isEqualTo(bytes(length));
    }

    @ParameterizedTest
    @ValueSource(ints = {1031, 2047, 2048})
    void oaep_ofBouncyCastleForAnyModulus_isRemoved(int bits) throws Exception {
        KeyPair pair = TestCertificates.rsa(bits);
        RSAPublicKey key = (RSAPublicKey) pair.getPublic();
        OAEPEncoding encoding = new OAEPEncoding(new RSAEngine(), SHA256Digest.newInstance());
        encoding.init(true, new RSAKeyParameters(false, key.getModulus(), key.getPublicExponent()));

        byte[] block = raw(pair, encoding.processBlock(bytes(32), 0, 32));

        assertThat(RsaPadding.remove(OAEP_SHA_256, block)).isEqualTo(bytes(32));
    }

    @Test
    void oaep_withAnyByteChanged_isNull() throws Exception {
        Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPPadding", "SunJCE");
        cipher.init(Cipher.ENCRYPT_MODE, PAIR.getPublic(), OAEP);
        byte[] block = raw(PAIR, cipher.doFinal(bytes(32)));

        for (int i = 0; i < block.length; i++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] changed = block.clone();
                changed[i] ^= (byte) (1 << bit);
                assertThat(RsaPadding.remove(OAEP_SHA_256, changed))
                        .as("byte %s, bit %s", i, bit)
                        .isNull();
            }
        }
        assertThat(RsaPadding.remove(OAEP_SHA_256, block)).isEqualTo(bytes(32));
    }

    /** Pads by hand, so that each part of the padding can be wrong. */
    private static byte[] oaep(byte[] data) {
        byte[] seed = bytes(32);
        byte[] block = new byte[256];
        byte[] mask = mgf1(seed, data.length);
        byte[] masked = new byte[data.length];
        for (int i = 0; i < data.length; i++) {
            masked[i] = (byte) (data[i] ^ mask[i]);
        }
        byte[] seedMask = mgf1(masked, 32);
        for (int i = 0; i < 32; i++) {
            block[1 + i] = (byte) (seed[i] ^ seedMask[i]);
        }
        System.arraycopy(masked, 0, block, 33, masked.length);
        return block;
    }

    private static byte[] mgf1(byte[] seed, int length) {
        byte[] mask = new byte[(length + 31) / 32 * 32];
        for (int i = 0; i < mask.length / 32; i++) {
            SHA256Digest digest = new SHA256Digest();
            digest.update(seed, 0, seed.length);
            digest.update(new byte[] {0, 0, 0, (byte) i}, 0, 4);
            digest.doFinal(mask, 32 * i);
        }
        return mask;
    }

    private static byte[] data() {
        byte[] data = new byte[223];
        new SHA256Digest().doFinal(data, 0);
        data[200] = 1;
        Arrays.fill(data, 201, 223, (byte) 0x55);
        return data;
    }

    @Test
    void oaep_padded_isRemovedOnlyIfEachPartIsRight() {
        assertThat(RsaPadding.remove(OAEP_SHA_256, oaep(data()))).hasSize(22).containsOnly(0x55);
        for (int i = 0; i < 201; i++) {
            for (int other : new int[] {2, 0x80, 0xff}) {
                byte[] wrong = data();
                wrong[i] ^= (byte) other;
                assertThat(RsaPadding.remove(OAEP_SHA_256, oaep(wrong)))
                        .as("byte %s", i)
                        .isNull();
            }
        }
        byte[] unseparated = data();
        Arrays.fill(unseparated, 32, 223, (byte) 0);
        assertThat(RsaPadding.remove(OAEP_SHA_256, oaep(unseparated))).isNull();
        byte[] first = oaep(data());
        first[0] = 1;
        assertThat(RsaPadding.remove(OAEP_SHA_256, first)).isNull();
        assertThat(RsaPadding.remove(OAEP_SHA_256, new byte[0])).isNull();
        assertThat(RsaPadding.remove(OAEP_SHA_256, new byte[65])).isNull();
        assertThat(RsaPadding.remove(OAEP_SHA_256, new byte[256])).isNull();
    }

    @Test
    void pkcs1_ofTheJdk_isRemoved() throws Exception {
        Cipher cipher = Cipher.getInstance("RSA/ECB/PKCS1Padding", "SunJCE");
        cipher.init(Cipher.ENCRYPT_MODE, PAIR.getPublic());

        for (int length : new int[] {1, 32, 245}) {
            assertThat(RsaPadding.remove(PKCS1, raw(PAIR, cipher.doFinal(bytes(length)))))
                    .isEqualTo(bytes(length));
        }
    }

    @Test
    void pkcs1_wrong_isNull() {
        byte[] right = new byte[256];
        Arrays.fill(right, (byte) 7);
        right[0] = 0;
        right[1] = 2;
        right[10] = 0;

        assertThat(RsaPadding.remove(PKCS1, right)).hasSize(245);
        byte[] twoSeparators = right.clone();
        twoSeparators[20] = 0;
        assertThat(RsaPadding.remove(PKCS1, twoSeparators)).hasSize(245);
        for (int i = 0; i < 10; i++) {
            byte[] wrong = right.clone();
            wrong[i] = (byte) (i == 0 ? 1 : 0);
            assertThat(RsaPadding.remove(PKCS1, wrong)).as("byte %s", i).isNull();
        }
        byte[] unseparated = right.clone();
        unseparated[10] = 7;
        assertThat(RsaPadding.remove(PKCS1, unseparated)).isNull();
        assertThat(RsaPadding.remove(PKCS1, new byte[10])).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {2047, 2048, 2049})
    void pss_isVerifiedByTheJdk(int bits) throws Exception {
        KeyPair pair = TestCertificates.rsa(bits);
        byte[] text = "text".getBytes(UTF_8);

        byte[] signed = RsaPadding.signPss(block -> raw(pair, block), (RSAPublicKey) pair.getPublic(), "SHA-512", text);

        Signature verifying = Signature.getInstance("RSASSA-PSS", "SunRsaSign");
        verifying.setParameter(new PSSParameterSpec("SHA-512", "MGF1", MGF1ParameterSpec.SHA512, 64, 1));
        verifying.initVerify(pair.getPublic());
        verifying.update(text);
        assertThat(verifying.verify(signed)).isTrue();
    }
}
