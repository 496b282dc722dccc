/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyPair;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.security.Signature;
import java.util.List;
import javax.crypto.Cipher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.SignatureScheme;

final class CryptoProvidersTest {
    private final CryptoProviders providers = CryptoProviders.standard();

    @Test
    void cipherThatCannot_isNotChosen() throws Exception {
        assertThat(providers.isFastWithNewKeys(Cipher.getInstance("AES/CBC/NoPadding", "SunJCE")))
                .isFalse();
    }

    @Test
    void cipherOfMessages_isTheNativeOneIfItsNewKeysCostLittle_elseTheJdks() {
        Provider expected = providers
                .accelerated()
                .filter(provider -> providers.isFastWithNewKeys(providers.aesGcmInBulk()))
                .orElse(Security.getProvider("SunJCE"));

        assertThat(providers.aes()).isSameAs(expected);
        assertThat(providers.aesGcm().getProvider()).isSameAs(expected);
    }

    @ParameterizedTest
    @EnumSource(names = {"ML_DSA_65", "ML_DSA_87"})
    void mlDsa_ofEachChoiceOfProviders_isVerifiedByTheOther(KeyAlgorithm algorithm) throws Exception {
        KeyPair pair = CryptoProviders.generate(algorithm, new SecureRandom());
        SignatureScheme scheme = SignatureScheme.of(pair.getPublic()).orElseThrow();
        for (CryptoProviders signing : List.of(CryptoProviders.standard(), CryptoProviders.jdk())) {
            byte[] signature = new SoftwareKey(pair.getPrivate(), signing).sign(scheme, "SHA-512", new byte[3]);
            for (CryptoProviders verifying : List.of(CryptoProviders.standard(), CryptoProviders.jdk())) {
                VerifyingKey key = VerifyingKey.of(pair.getPublic(), verifying);
                assertThat(key.verify(scheme, "SHA-512", new byte[3], signature))
                        .isTrue();
                assertThat(key.verify(scheme, "SHA-512", new byte[4], signature))
                        .isFalse();
            }
        }
    }

    /** Not run on Java 17, which has no ML-DSA. */
    @Test
    @EnabledForJreRange(minVersion = 24)
    void mlDsa_isTheJdksWhereItHasIt() throws Exception {
        KeyPair pair = CryptoProviders.generate(KeyAlgorithm.ML_DSA_65, new SecureRandom());

        Signature signing = CryptoProviders.standard().signing(SignatureScheme.ML_DSA_65, "SHA-512", pair.getPrivate());

        assertThat(signing.getProvider().getName()).isEqualTo("SUN");
    }
}
