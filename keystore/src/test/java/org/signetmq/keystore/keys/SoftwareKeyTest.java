/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1Sequence;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;

final class SoftwareKeyTest {
    private static final Party PARTY = CertificateForge.of("CN=alice").make();
    private static final SoftwareKey KEY = new SoftwareKey(PARTY.pair().getPrivate(), CryptoProviders.standard());

    /**
     * Two copies of a machine may have one state of the random generator. A number that both use for two messages would
     * give the key away. The native library asks the processor for it and is not held to this.
     */
    @Test
    void signatureOfAnEllipticKey_dependsOnTheMessageAndNotOnTheGenerator() throws Exception {
        byte[] one = sign("one");
        byte[] again = sign("one");
        byte[] other = sign("two");

        assertThat(first(one)).isNotEqualTo(first(other));
        if (CryptoProviders.standard().accelerated().isEmpty()) {
            assertThat(again).isEqualTo(one);
        }
        Signature verifying = Signature.getInstance("SHA512withECDSA");
        verifying.initVerify(PARTY.pair().getPublic());
        verifying.update("two".getBytes(UTF_8));
        assertThat(verifying.verify(other)).isTrue();
    }

    @Test
    void key_prints_withoutItsBytes() {
        assertThat(KEY).hasToString("SoftwareKey[EC]");
    }

    @Test
    void signature_withTheSchemeOfAnotherKey_isKeystoreUnusable() {
        assertThatThrownBy(() -> KEY.sign(SignatureScheme.RSA, "SHA-512", new byte[1]))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessage("private key: its kind is EC, so it cannot sign with RSA");
    }

    @Test
    void keyThatIsNotInThisProcess_isNotExported() {
        Identity identity = new Identity("alice", new DelegatingKey(KEY), List.of(PARTY.certificate()));

        assertThatThrownBy(() -> SoftwareKey.exported(identity))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessage("identity 'alice': its key cannot be exported");
    }

    /** A private key that is not in a file. */
    private record DelegatingKey(PrivateKeyOperations key) implements PrivateKeyOperations {
        @Override
        public byte[] sign(SignatureScheme scheme, String digest, byte[] bytes) {
            return key.sign(scheme, digest, bytes);
        }

        @Override
        public byte @Nullable [] unwrap(KeyTransportPadding padding, byte[] wrapped) {
            return key.unwrap(padding, wrapped);
        }

        @Override
        public byte @Nullable [] agree(PublicKey other) {
            return key.agree(other);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void rsaKey_unwrapsForManyThreadsAtOnce(CryptoProviders providers) throws Exception {
        KeyPair pair = TestCertificates.rsa(2048);
        SoftwareKey key = new SoftwareKey(pair.getPrivate(), providers);
        KeyTransport transport = new KeyTransport(providers);

        IntStream.range(0, 400).parallel().forEach(i -> {
            DataKey sent = OpenedKeysTest.key(i);
            assertThat(key.unwrap(KeyTransportPadding.OAEP_SHA_256, transport.wrap(pair.getPublic(), sent)))
                    .isEqualTo(sent.secret().getEncoded());
        });
    }

    /** Each conversion takes longer than the operation itself. */
    @ParameterizedTest
    @MethodSource("providers")
    void rsaKey_isConvertedOnce_forAllDataKeys(CryptoProviders providers) throws Exception {
        KeyPair pair = TestCertificates.rsa(2048);
        CountedKey counted = new CountedKey(pair.getPrivate());
        SoftwareKey key = new SoftwareKey(counted, providers);
        KeyTransport transport = new KeyTransport(providers);
        byte[] wrapped = transport.wrap(transport.converted(pair.getPublic()), OpenedKeysTest.key(5));

        for (int i = 0; i < 3; i++) {
            assertThat(key.unwrap(KeyTransportPadding.OAEP_SHA_256, wrapped))
                    .isEqualTo(OpenedKeysTest.key(5).secret().getEncoded());
        }

        assertThat(counted.conversions).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void ellipticKey_isConvertedOnce_forAllAgreements(CryptoProviders providers) {
        CountedKey counted = new CountedKey(PARTY.pair().getPrivate());
        SoftwareKey key = new SoftwareKey(counted, providers);
        PublicKey other = TestCertificates.ec().getPublic();

        byte[] first = key.agree(other);
        byte[] second = key.agree(other);

        assertThat(first).isNotEmpty().isEqualTo(second);
        assertThat(counted.conversions).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void keyOfAnotherKind_neitherAgreesNorUnwraps(CryptoProviders providers) throws Exception {
        KeyPair rsa = TestCertificates.rsa(2048);
        KeyTransport transport = new KeyTransport(providers);
        byte[] wrapped = transport.wrap(rsa.getPublic(), OpenedKeysTest.key(5));

        assertThat(new SoftwareKey(rsa.getPrivate(), providers)
                        .agree(PARTY.pair().getPublic()))
                .isNull();
        assertThat(new SoftwareKey(PARTY.pair().getPrivate(), providers)
                        .unwrap(KeyTransportPadding.OAEP_SHA_256, wrapped))
                .isNull();
        assertThatThrownBy(() -> transport.converted(PARTY.pair().getPublic()))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessage("key transport: a recipient's key does not serve");
    }

    static List<CryptoProviders> providers() {
        return List.of(CryptoProviders.standard(), CryptoProviders.jdk());
    }

    /** A key that counts how often a provider reads it. */
    private static final class CountedKey implements PrivateKey {
        private static final long serialVersionUID = 1;

        private final PrivateKey key;
        private final AtomicInteger conversions = new AtomicInteger();

        CountedKey(PrivateKey key) {
            this.key = key;
        }

        @Override
        public String getAlgorithm() {
            return key.getAlgorithm();
        }

        @Override
        public String getFormat() {
            return key.getFormat();
        }

        @Override
        public byte[] getEncoded() {
            conversions.incrementAndGet();
            return key.getEncoded();
        }
    }

    private static byte[] sign(String text) {
        return KEY.sign(SignatureScheme.ECDSA, "SHA-512", text.getBytes(UTF_8));
    }

    private static BigInteger first(byte[] signature) {
        return ASN1Integer.getInstance(ASN1Sequence.getInstance(signature).getObjectAt(0))
                .getValue();
    }
}
