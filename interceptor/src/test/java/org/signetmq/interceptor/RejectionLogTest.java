/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RejectionLogTest {
    @BeforeEach
    void forget() {
        RecordingLogs.forget();
    }

    @Test
    void manyRefusals_areOneLineAndACount() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
        RejectionLog log = new RejectionLog(((InstantSource) now::get).withZone(ZoneOffset.UTC), "message refused");

        for (int i = 0; i < 1000; i++) {
            log.say("orders", "mallory", "not allowed");
        }
        now.set(Instant.EPOCH.plusSeconds(10));
        log.say("orders", "mallory", "not allowed");

        assertThat(RecordingLogs.lines())
                .containsExactly(
                        "WARN message refused: address orders, user mallory: not allowed (0 before it were not logged) null",
                        "WARN message refused: address orders, user mallory: not allowed (999 before it were not logged) null");
    }

    @Test
    void namesFromClients_startNoLine_andAreCut() {
        RejectionLog log = new RejectionLog(Clock.systemUTC(), "message refused");

        log.say("a\nERROR b\u001b[2J", null, "x".repeat(10_000));

        assertThat(RecordingLogs.lines())
                .singleElement()
                .asString()
                .contains("a?ERROR b?[2J, user -")
                .hasSizeLessThan(400);
    }
}
