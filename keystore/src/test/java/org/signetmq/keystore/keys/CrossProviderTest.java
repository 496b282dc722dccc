/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Security;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.internal.x509.TestCertificates;

/** Checks the primitives of the JDK and of Bouncy Castle against each other. */
final class CrossProviderTest {
    private static final Provider BOUNCY_CASTLE = new BouncyCastleProvider();
    private static final OAEPParameterSpec OAEP =
            new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT);
    private static final byte[] MESSAGE = "message".getBytes(StandardCharsets.US_ASCII);

    private static final KeyPair RSA = TestCertificates.rsa(2048);

    @Test
    void oaep_wrappedHere_isReadByBothAndBack() throws Exception {
        for (Provider provider : List.of(BOUNCY_CASTLE, Security.getProvider("SunJCE"))) {
            Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPPadding", provider);
            DataKey key = OpenedKeysTest.key(5);
            byte[] material = key.secret().getEncoded();

            cipher.init(Cipher.DECRYPT_MODE, RSA.getPrivate(), OAEP);
            assertThat(cipher.doFinal(new KeyTransport(CryptoProviders.standard()).wrap(RSA.getPublic(), key)))
                    .isEqualTo(material);

            cipher.init(Cipher.ENCRYPT_MODE, RSA.getPublic(), OAEP);
            assertThat(KnownAnswerTest.bytes(oaep(RSA, cipher.doFinal(material))))
                    .isEqualTo(material);
            cipher.init(Cipher.ENCRYPT_MODE, RSA.getPublic(), OAEP);
            assertThat(oaep(RSA, cipher.doFinal(new byte[16]))).isNull();
        }
    }

    @Test
    void oaep_changedOrForAnother_isNull() throws Exception {
        byte[] wrapped = new KeyTransport(CryptoProviders.standard()).wrap(RSA.getPublic(), OpenedKeysTest.key(5));

        assertThat(oaep(TestCertificates.newRsa(2048), wrapped)).isNull();
        for (int length : new int[] {0, 1, 255, 257, 10_000}) {
            assertThat(oaep(RSA, Arrays.copyOf(wrapped, length))).isNull();
        }
        wrapped[100] ^= 1;
        assertThat(oaep(RSA, wrapped)).isNull();
    }

    @Test
    void oaep_recipientThatCannotReceive_isKeystoreUnusable() {
        PublicKey ec = TestCertificates.ec().getPublic();

        assertThatThrownBy(() -> new KeyTransport(CryptoProviders.standard()).wrap(ec, OpenedKeysTest.key(5)))
                .isInstanceOf(KeystoreUnusableException.class);
    }

    @Test
    void pkcs1_wrappedElsewhere_isRead() throws Exception {
        byte[] material = OpenedKeysTest.key(5).secret().getEncoded();

        DataKey unwrapped = pkcs1Key(pkcs1(material));

        assertThat(unwrapped.secret().getEncoded()).isEqualTo(material);
    }

    @Test
    void pkcs1_badPadding_givesAnotherKeyEachTimeAndNeverThrows() throws Exception {
        Random random = new Random(20261121);
        byte[] noise = new byte[256];
        random.nextBytes(noise);
        byte[] good = pkcs1(OpenedKeysTest.key(5).secret().getEncoded());
        byte[] changed = good.clone();
        changed[200] ^= 1;

        for (byte[] bad : List.of(
                noise,
                changed,
                new byte[256],
                new byte[0],
                new byte[10_000],
                pkcs1(new byte[31]),
                pkcs1(new byte[0]))) {
            byte[] first = pkcs1Key(bad).secret().getEncoded();
            byte[] second = pkcs1Key(bad).secret().getEncoded();

            assertThat(first).hasSize(32).isNotEqualTo(new byte[32]).isNotEqualTo(second);
        }
    }

    static Stream<Arguments> signers() throws Exception {
        KeyPair p256 = ec("secp256r1");
        KeyPair p384 = ec("secp384r1");
        KeyPair p521 = ec("secp521r1");
        KeyPair ed25519 = KeyPairGenerator.getInstance("Ed25519", "SunEC").generateKeyPair();
        return Stream.of(
                Arguments.of(SignatureScheme.RSA, RSA),
                Arguments.of(SignatureScheme.RSA_PSS, RSA),
                Arguments.of(SignatureScheme.ECDSA, p256),
                Arguments.of(SignatureScheme.ECDSA, p384),
                Arguments.of(SignatureScheme.ECDSA, p521),
                Arguments.of(SignatureScheme.ED25519, ed25519));
    }

    @ParameterizedTest
    @MethodSource("signers")
    void signature_madeHere_isAcceptedByBoth(SignatureScheme scheme, KeyPair pair) throws Exception {
        SoftwareKey key = new SoftwareKey(pair.getPrivate(), CryptoProviders.standard());
        VerifyingKey verifying = VerifyingKey.of(pair.getPublic(), CryptoProviders.standard());

        for (int i = 0; i < 3; i++) { // pooled primitives serve again
            byte[] signature = key.sign(scheme, "SHA-512", MESSAGE);

            for (String provider : List.of("BC", "JDK")) {
                Signature judge = judge(scheme, provider);
                judge.initVerify(keyFor(pair.getPublic(), provider));
                judge.update(MESSAGE);
                assertThat(judge.verify(signature)).as(provider).isTrue();
            }
            assertThat(verifying.verify(scheme, "SHA-512", MESSAGE, signature)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("signers")
    void signature_madeElsewhere_isAccepted_changedIsNot(SignatureScheme scheme, KeyPair pair) throws Exception {
        VerifyingKey key = VerifyingKey.of(pair.getPublic(), CryptoProviders.standard());
        Signature signer = judge(scheme, "JDK");
        signer.initSign(pair.getPrivate());
        signer.update(MESSAGE);
        byte[] signature = signer.sign();
        byte[] changed = signature.clone();
        changed[signature.length - 1] ^= 1;

        assertThat(key.verify(scheme, "SHA-512", MESSAGE, changed)).isFalse();
        assertThat(key.verify(scheme, "SHA-512", MESSAGE, Arrays.copyOf(signature, signature.length - 1)))
                .isFalse();
        assertThat(key.verify(scheme, "SHA-512", MESSAGE, new byte[0])).isFalse();
        assertThat(key.verify(scheme, "SHA-512", new byte[7], signature)).isFalse();
        assertThat(key.verify(scheme, "SHA-512", MESSAGE, signature)).isTrue(); // failures spoilt nothing
    }

    /** The JDK takes integers without their zero, and bytes behind an Ed25519 signature. */
    @ParameterizedTest
    @MethodSource("signers")
    void signature_inAnotherEncoding_isRejected(SignatureScheme scheme, KeyPair pair) throws Exception {
        for (CryptoProviders providers : List.of(CryptoProviders.jdk(), CryptoProviders.standard())) {
            VerifyingKey key = VerifyingKey.of(pair.getPublic(), providers);
            for (int i = 0; i < 20; i++) {
                byte[] signature =
                        new SoftwareKey(pair.getPrivate(), providers).sign(scheme, "SHA-512", new byte[] {(byte) i});
                byte[] longer = Arrays.copyOf(signature, signature.length + 1);
                byte[] padded = longer.clone(); // with a zero in front of the first integer
                int start = signature[1] == (byte) 0x81 ? 3 : 2;
                System.arraycopy(signature, start + 2, padded, start + 3, signature.length - start - 2);
                padded[start - 1]++;
                padded[start + 1]++;
                padded[start + 2] = 0;
                byte[] unsigned = Arrays.copyOf(signature, signature.length - 1); // without the zero of the first one
                System.arraycopy(signature, start + 3, unsigned, start + 2, signature.length - start - 3);
                unsigned[start - 1]--;
                unsigned[start + 1]--;

                for (byte[] other : List.of(longer, padded, unsigned)) {
                    assertThat(key.verify(scheme, "SHA-512", new byte[] {(byte) i}, other))
                            .as(scheme + " " + HexFormat.of().formatHex(other))
                            .isFalse();
                }
                assertThat(key.verify(scheme, "SHA-512", new byte[] {(byte) i}, signature))
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void scheme_thatIsNotTheKeys_isFalse(SignatureScheme scheme) {
        byte[] signature = new SoftwareKey(RSA.getPrivate(), CryptoProviders.standard())
                .sign(SignatureScheme.RSA, "SHA-512", MESSAGE);

        assertThat(VerifyingKey.of(RSA.getPublic(), CryptoProviders.standard())
                        .verify(scheme, "SHA-512", MESSAGE, signature))
                .isEqualTo(scheme == SignatureScheme.RSA);
    }

    private static @Nullable DataKey oaep(KeyPair own, byte[] wrapped) {
        return unwrap(own, KeyTransportPadding.OAEP_SHA_256, wrapped);
    }

    private static DataKey pkcs1Key(byte[] wrapped) {
        return Objects.requireNonNull(unwrap(RSA, KeyTransportPadding.PKCS1, wrapped));
    }

    private static @Nullable DataKey unwrap(KeyPair own, KeyTransportPadding padding, byte[] wrapped) {
        return new KeyTransport(CryptoProviders.standard())
                .unwrap(new SoftwareKey(own.getPrivate(), CryptoProviders.standard()), padding, wrapped);
    }

    private static KeyPair ec(String curve) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", "SunEC");
        generator.initialize(new ECGenParameterSpec(curve));
        return generator.generateKeyPair();
    }

    private static byte[] pkcs1(byte[] material) throws Exception {
        Cipher cipher = Cipher.getInstance("RSA/ECB/PKCS1Padding", BOUNCY_CASTLE);
        cipher.init(Cipher.ENCRYPT_MODE, RSA.getPublic());
        return cipher.doFinal(material);
    }

    private static Signature judge(SignatureScheme scheme, String provider) throws Exception {
        String name = scheme.primitive("SHA-512");
        Signature signature = "BC".equals(provider)
                ? Signature.getInstance(name, BOUNCY_CASTLE)
                : Signature.getInstance(name, scheme.name().startsWith("RSA") ? "SunRsaSign" : "SunEC");
        if (scheme == SignatureScheme.RSA_PSS) {
            signature.setParameter(new PSSParameterSpec("SHA-512", "MGF1", MGF1ParameterSpec.SHA512, 64, 1));
        }
        return signature;
    }

    private static PublicKey keyFor(PublicKey key, String provider) throws Exception {
        KeyFactory factory = "BC".equals(provider)
                ? KeyFactory.getInstance(key.getAlgorithm(), BOUNCY_CASTLE)
                : KeyFactory.getInstance(key.getAlgorithm());
        return factory.generatePublic(new X509EncodedKeySpec(key.getEncoded()));
    }
}
