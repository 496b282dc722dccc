/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class QualityOfProtectionTest {
    @ParameterizedTest
    @CsvSource({
        "NONE, NONE, true",
        "NONE, INTEGRITY, false",
        "NONE, CONFIDENTIALITY, false",
        "INTEGRITY, INTEGRITY, true",
        "INTEGRITY, CONFIDENTIALITY, false",
        "INTEGRITY, PRIVACY, false",
        "CONFIDENTIALITY, INTEGRITY, false",
        "CONFIDENTIALITY, PRIVACY, false",
        "PRIVACY, INTEGRITY, true",
        "PRIVACY, CONFIDENTIALITY, true",
        "PRIVACY, PRIVACY, true",
        "PRIVACY, AUTHENTICITY, true",
        "AUTHENTICITY, CONFIDENTIALITY, true",
        "AUTHENTICITY, INTEGRITY, false",
        "AUTHENTICITY, PRIVACY, false",
        "CONFIDENTIALITY, AUTHENTICITY, false",
        "INTEGRITY, AUTHENTICITY, false"
    })
    void protection_isNoLessIfItSignsAndEncryptsWhereTheOtherDoes(
            QualityOfProtection quality, QualityOfProtection other, boolean expected) {
        assertThat(quality.protectsNoLessThan(other)).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    void label_namesItsQuality(QualityOfProtection quality) {
        assertThat(QualityOfProtection.named(quality.label())).hasValue(quality);
    }

    @Test
    void unknownLabel_namesNoQuality() {
        assertThat(QualityOfProtection.named("secret")).isEmpty();
    }
}
