/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.KeyPair;
import java.security.SecureRandom;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeystoreUnusableException;

class KeyEncapsulationTest {
    private static final CryptoProviders PROVIDERS = CryptoProviders.standard();

    private static KeyPair pair(KeyAlgorithm algorithm) throws Exception {
        return CryptoProviders.generate(algorithm, new SecureRandom());
    }

    private static SoftwareKey key(KeyPair pair) {
        return new SoftwareKey(pair.getPrivate(), PROVIDERS);
    }

    @ParameterizedTest
    @EnumSource(names = {"ML_KEM_768", "ML_KEM_1024"})
    void secret_isTheOwners_andNoOtherKeys(KeyAlgorithm algorithm) throws Exception {
        KeyPair own = pair(algorithm);
        KeyEncapsulation made = KeyEncapsulation.to(own.getPublic(), PROVIDERS);

        assertThat(made.secret()).hasSize(32);
        assertThat(made.ciphertext()).hasSize(algorithm == KeyAlgorithm.ML_KEM_768 ? 1088 : 1568);
        SoftwareKey key = key(own);
        assertThat(KeyEncapsulation.answer(key, made.ciphertext())).isEqualTo(made.secret());
        assertThat(KeyEncapsulation.answer(key, made.ciphertext())).isEqualTo(made.secret());
        assertThat(KeyEncapsulation.answer(key(pair(algorithm)), made.ciphertext()))
                .hasSize(32)
                .isNotEqualTo(made.secret());
        assertThat(made.toString()).doesNotContain(Arrays.toString(made.secret()));
    }

    @Test
    void ciphertextOfWrongLength_null() throws Exception {
        SoftwareKey key = key(pair(KeyAlgorithm.ML_KEM_768));

        for (int length : new int[] {0, 1, 1087, 1089, 1568}) {
            assertThat(KeyEncapsulation.answer(key, new byte[length])).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"EC_P256", "ML_DSA_65"})
    void otherKey_refused(KeyAlgorithm algorithm) throws Exception {
        KeyPair other = pair(algorithm);

        assertThatThrownBy(() -> KeyEncapsulation.to(other.getPublic(), PROVIDERS))
                .isInstanceOf(KeystoreUnusableException.class);
        assertThatThrownBy(() -> key(other).decapsulate(new byte[1088]))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("decapsulate");
    }
}
