/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SeriesStyleTest {
    @ParameterizedTest
    @CsvSource({
        "confidentiality.32.p256, published confidentiality.32",
        "privacy.p256, ams.privacy",
        "'ams, buffer.2KB', published buffer.2KB"
    })
    void linesOfOneKind_haveOneColour(String ours, String other) {
        assertThat(SeriesStyle.ofLine(ours, 0).color())
                .isEqualTo(SeriesStyle.ofLine(other, 5).color());
    }

    @Test
    void publishedLines_areDashed_andOursAreNot() {
        assertThat(SeriesStyle.ofLine("published privacy", 0).stroke().getDashArray())
                .isNotNull();
        assertThat(SeriesStyle.ofLine("privacy.p256", 0).stroke().getDashArray())
                .isNull();
    }

    @Test
    void publishedBars_areGray_andOursAreNot() {
        for (String name : new String[] {"published A", "loop 2011"}) {
            var gray = SeriesStyle.ofBars(name, 7).color();
            assertThat(gray.getRed()).isEqualTo(gray.getBlue()).isEqualTo(gray.getGreen());
        }
        assertThat(SeriesStyle.ofBars("loop", 0)).isNotEqualTo(SeriesStyle.ofBars("signet", 1));
    }
}
