/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.variant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.KeyAlgorithm;

final class KeyKindTest {
    @ParameterizedTest
    @EnumSource
    void label_findsItsKind(KeyKind kind) {
        assertThat(KeyKind.named(kind.label())).isEqualTo(kind);
    }

    @Test
    void algorithm_isThatOfIdentities() {
        assertThat(KeyKind.named("p256").algorithm()).isEqualTo(KeyAlgorithm.EC_P256);
        assertThat(KeyKind.named("rsa2048").algorithm()).isEqualTo(KeyAlgorithm.RSA_2048);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "P256", "p384", "rsa"})
    void otherLabel_isRejected(String label) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyKind.named(label))
                .withMessage("keys: must be p256 or rsa2048, found '" + label + "'");
    }
}
