/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.exception.MalformedEnvelopeException;

final class SegmentTest {
    @ParameterizedTest
    @ValueSource(strings = {"1", "1 last", "7", "10 last", "999999999", "999999999 last"})
    void parsed_printsIdentically(String value) {
        assertThat(Segment.parse(value)).hasToString(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " last",
                "last",
                "0",
                "01",
                "-1",
                "+1",
                "1last",
                "1  last",
                "1 LAST",
                " 1",
                "1 ",
                "1000000000",
                "\u0661",
                "1 last last"
            })
    void anythingElse_rejected(String value) {
        assertThatThrownBy(() -> Segment.parse(value)).isInstanceOf(MalformedEnvelopeException.class);
    }

    @Test
    void numberBelowOne_rejected() {
        assertThatThrownBy(() -> new Segment(0, true)).isInstanceOf(IllegalArgumentException.class);
    }
}
