/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.variant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.policy.KeyLimits;

final class ReuseTest {
    @Test
    void number_isANumberInJson() {
        assertThat(new Reuse("32").json()).isEqualTo(32L);
        assertThat(Reuse.UNLIMITED.json()).isEqualTo("unlimited");
    }

    @Test
    void limits_areThoseOfAPolicy() {
        assertThat(new Reuse("32").limits().messages()).isEqualTo(32);
        assertThat(Reuse.UNLIMITED.limits().messages()).isEqualTo(KeyLimits.MOST_MESSAGES);
        assertThat(Reuse.NONE.limits().messages())
                .as("a fresh key serves one message")
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1.5", "1000000000", "Unlimited", "32 "})
    void anythingElse_isRejected(String label) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Reuse(label))
                .withMessage("reuse: must be a number or 'unlimited', found '" + label + "'");
    }
}
