/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.variant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

final class PayloadTest {
    @Test
    void payload_isTheSameInEachRun() {
        assertThat(Payload.ofSize(Payload.USUAL_SIZE)).hasSize(2048).isEqualTo(Payload.ofSize(2048));
        assertThat(Payload.ofSize(0)).isEmpty();
    }

    @Test
    void payload_isNotCompressible() {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
        try {
            deflater.setInput(Payload.ofSize(20_480));
            deflater.finish();
            assertThat(deflater.deflate(new byte[40_960])).isGreaterThanOrEqualTo(20_480);
        } finally {
            deflater.end();
        }
    }
}
