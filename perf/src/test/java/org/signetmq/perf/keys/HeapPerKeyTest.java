/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class HeapPerKeyTest {
    /** A wrapped key of R recipients carries R times 256 bytes, and some objects. */
    @Test
    void wrappedKey_takesItsBytesAndLittleMore() throws Exception {
        double raw = HeapPerKey.of(KeyKind.raw());
        double five = HeapPerKey.of(KeyKind.wrapped(5));

        assertThat(raw).isBetween(50.0, 800.0);
        assertThat(five).isBetween(raw + 5 * 256, raw + 5 * 256 + 800);
    }
}
