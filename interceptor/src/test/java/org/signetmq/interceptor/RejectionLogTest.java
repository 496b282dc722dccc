/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RejectionLogTest {
    @BeforeEach
    void forget() {
        RecordingLogs.forget();
    }

    @Test
    void manyRefusals_areOneLineAndACount() {
        SettableClock clock = new SettableClock();
        RejectionLog log = new RejectionLog(clock);

        for (int i = 0; i < 1000; i++) {
            log.say("orders", "mallory", "not allowed");
        }
        clock.advance(Duration.ofSeconds(10));
        log.say("orders", "mallory", "not allowed");

        assertThat(RecordingLogs.lines())
                .containsExactly(
                        "WARN message refused: address orders, user mallory: not allowed (0 refused before it were not logged) null",
                        "WARN message refused: address orders, user mallory: not allowed (999 refused before it were not logged) null");
    }

    @Test
    void namesFromClients_startNoLine_andAreCut() {
        RejectionLog log = new RejectionLog(Clock.systemUTC());

        log.say("a\nERROR b\u001b[2J", null, "x".repeat(10_000));

        assertThat(RecordingLogs.lines())
                .singleElement()
                .asString()
                .contains("a?ERROR b?[2J, user -")
                .hasSizeLessThan(400);
    }
}
