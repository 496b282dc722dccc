/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyPair;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PSSParameterSpec;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.internal.x509.TestCertificates;

final class SignatureSchemeTest {
    @ParameterizedTest
    @CsvSource({"RSA,RSA", "EC,ECDSA", "ECDSA,ECDSA", "EdDSA,ED25519", "Ed25519,ED25519"})
    void key_hasTheSchemeOfItsKind(String algorithm, SignatureScheme expected) {
        assertThat(SignatureScheme.of(key(algorithm))).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"DH", "X25519", "XDH", "DSA", "Ed448", "", "rsa"})
    void keyOfAnotherKind_cannotSign(String algorithm) {
        assertThat(SignatureScheme.of(key(algorithm))).isEmpty();
    }

    private static PublicKey key(String algorithm) {
        return new PublicKey() {
            private static final long serialVersionUID = 1;

            @Override
            public String getAlgorithm() {
                return algorithm;
            }

            @Override
            public String getFormat() {
                return "X.509";
            }

            @Override
            public byte[] getEncoded() {
                return new byte[0];
            }
        };
    }

    @ParameterizedTest
    @CsvSource({
        "RSA,SHA-256,SHA256withRSA",
        "RSA,SHA-512,SHA512withRSA",
        "ECDSA,SHA-384,SHA384withECDSA",
        "RSA_PSS,SHA-512,RSASSA-PSS",
        "ED25519,SHA-512,Ed25519",
    })
    void primitive_hasTheNameThatProvidersKnow(SignatureScheme scheme, String digest, String expected)
            throws Exception {
        assertThat(scheme.primitive(digest)).isEqualTo(expected);
        assertThat(Signature.getInstance(expected)).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({"SHA-256,32", "SHA-384,48", "SHA-512,64"})
    void saltOfPss_isAsLongAsTheDigest(String digest, int bytes) throws Exception {
        PSSParameterSpec parameters = Objects.requireNonNull(SignatureScheme.RSA_PSS.parameters(digest));
        KeyPair pair = TestCertificates.rsa(2048);

        Signature signature = Signature.getInstance(SignatureScheme.RSA_PSS.primitive(digest));
        signature.setParameter(parameters);
        signature.initSign(pair.getPrivate());
        byte[] value = signature.sign();
        signature.initVerify(pair.getPublic());

        assertThat(parameters.getSaltLength()).isEqualTo(bytes);
        assertThat(signature.verify(value)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RSA_PSS")
    void otherScheme_hasNoParameters(SignatureScheme scheme) {
        assertThat(Optional.ofNullable(scheme.parameters("SHA-512"))).isEmpty();
    }

    @Test
    void maskOfPss_usesTheSameDigest() {
        PSSParameterSpec parameters = Objects.requireNonNull(SignatureScheme.RSA_PSS.parameters("SHA-384"));

        assertThat(parameters.getDigestAlgorithm()).isEqualTo("SHA-384");
        assertThat(parameters.getMGFParameters()).hasFieldOrPropertyWithValue("digestAlgorithm", "SHA-384");
    }
}
