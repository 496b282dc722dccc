/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.Toleration;

/** The limits of a data key, and the end of toleration, each at its bound and one step beyond. */
final class KeyLimitsTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void limitsAtTheirBounds_areAccepted() {
        assertThat(new KeyLimits(1, 1, Duration.ofNanos(1)).messages()).isEqualTo(1);
        assertThat(new KeyLimits(1L << 32, 1L << 46, HOUR).bytes()).isEqualTo(1L << 46);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, (1L << 32) + 1, Long.MIN_VALUE, Long.MAX_VALUE})
    void messagesOutOfBounds_areRejected(long messages) {
        assertThatThrownBy(() -> new KeyLimits(messages, 1, HOUR))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("messages: not between 1 and 4294967296: " + messages);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, (1L << 46) + 1, Long.MIN_VALUE, Long.MAX_VALUE})
    void bytesOutOfBounds_areRejected(long bytes) {
        assertThatThrownBy(() -> new KeyLimits(1, bytes, HOUR))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("bytes: not between 1 and 70368744177664: " + bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-0.000000001S", "PT-1H"})
    void ageThatIsNotAboveZero_isRejected(Duration age) {
        assertThatThrownBy(() -> new KeyLimits(1, 1, age))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("age: not above zero: " + age);
    }

    @ParameterizedTest
    @EnumSource(QualityOfProtection.class)
    void qualityThatReusesKeys_doesSoByDefault(QualityOfProtection quality) {
        long messages = quality.reusesKeys() ? 32 : 1;

        assertThat(PolicyReader.defaultLimits(quality)).isEqualTo(new KeyLimits(messages, 1L << 46, HOUR));
    }

    @Test
    void toleration_endsAtItsInstant() {
        Instant end = Instant.parse("2026-12-31T00:00:00Z");
        Toleration toleration = new Toleration(end);

        assertThat(toleration.toleratesAt(end.minusNanos(1))).isTrue();
        assertThat(toleration.toleratesAt(end)).isFalse();
        assertThat(toleration.toleratesAt(end.plusNanos(1))).isFalse();
        assertThat(Toleration.ENFORCE.toleratesAt(Instant.MIN)).isFalse();
    }
}
