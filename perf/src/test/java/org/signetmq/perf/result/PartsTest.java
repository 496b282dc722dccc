/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PartsTest {
    private final Parts parts = new Parts();

    @Test
    void failedPart_isRemembered_andTheOthersRun() throws InterruptedException {
        List<String> ran = new ArrayList<>();

        parts.run("heap", () -> {
            throw new IOException("no\n  memory");
        });
        parts.run("more", () -> ran.add("more"));

        assertThat(ran).containsExactly("more");
        assertThat(parts.failures()).containsExactly(new Parts.Failure("heap", "no memory"));
        assertThat(parts.exitCode()).isEqualTo(1);
    }

    @Test
    void exceptionWithoutMessage_isNamed() throws InterruptedException {
        parts.run("heap", () -> {
            throw new IllegalStateException();
        });

        assertThat(parts.failures())
                .extracting(Parts.Failure::reason)
                .containsExactly("java.lang.IllegalStateException");
    }

    @Test
    void nothingFailed_isWell() {
        assertThat(parts.exitCode()).isZero();
    }

    @Test
    void interruption_endsAll() {
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> parts.run("heap", () -> {
                    throw new InterruptedException();
                }));
    }
}
