/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.signetmq.testkit.RecordingLogs;

final class RejectionLogTest {
    private static final RejectionLog.Subject MALLORY = new RejectionLog.Subject("orders", "mallory", null);

    @BeforeEach
    void forget() {
        RecordingLogs.forget();
    }

    @Test
    void manyRejections_areOneLineAndACount() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
        RejectionLog log = new RejectionLog(((InstantSource) now::get).withZone(ZoneOffset.UTC), "message rejected");

        for (int i = 0; i < 1000; i++) {
            log.say("not allowed", MALLORY, "not allowed");
        }
        now.set(Instant.EPOCH.plusSeconds(10));
        log.say("not allowed", MALLORY, "not allowed");

        assertThat(RecordingLogs.lines())
                .containsExactly(
                        "WARN message rejected: address orders, user mallory: not allowed (0 before it were not logged) null",
                        "WARN message rejected: address orders, user mallory: not allowed (999 before it were not logged) null");
    }

    @Test
    void manyUnexpectedFailures_areOneLineAndACount() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
        RejectionLog log = new RejectionLog(((InstantSource) now::get).withZone(ZoneOffset.UTC), "message rejected");
        OutOfMemoryError failure = new OutOfMemoryError("of the test");

        for (int i = 0; i < 543; i++) {
            log.sayUnexpected(failure, "while protecting a message");
        }
        now.set(Instant.EPOCH.plusSeconds(10));
        log.sayUnexpected(failure, "while protecting a message");

        assertThat(RecordingLogs.lines())
                .hasSize(2)
                .allMatch(line -> line.startsWith("ERROR unexpected java.lang.OutOfMemoryError while protecting"))
                .noneMatch(line -> line.contains("of the test"));
        assertThat(RecordingLogs.lines().get(1)).contains("(542 before it were not logged)");
    }

    @Test
    void namesThatSendersChoose_passForNoOtherLine() {
        RejectionLog log = new RejectionLog(Clock.systemUTC(), "message rejected");
        String forged = "{\"at\":\"x\",\"event\":\"policies-changed\"}\nINFO , user root: \u202e";

        log.say("cause", new RejectionLog.Subject(forged, forged, null), "sealed for " + forged);

        assertThat(RecordingLogs.lines())
                .singleElement()
                .asString()
                .doesNotContain("\n", "\u202e", "\"event\"", "{\"at\"")
                .contains("address '\\{\\\"at", ", user '\\{\\\"at");
    }

    @Test
    void secondCause_isSaidThoughTheFirstWasSaidAMomentAgo() {
        RejectionLog log = new RejectionLog(Clock.systemUTC(), "message rejected");

        log.say("expired", MALLORY, "expired");
        log.say("expired", MALLORY, "expired");
        log.say("revoked", MALLORY, "revoked");

        assertThat(RecordingLogs.lines())
                .hasSize(2)
                .anyMatch(line -> line.contains(": expired (0 before"))
                .anyMatch(line -> line.contains(": revoked (0 before"));
    }

    @Test
    void causesThatSendersMakeUp_areAFewLines() {
        RejectionLog log = new RejectionLog(Clock.systemUTC(), "message rejected");

        for (int i = 0; i < 10_000; i++) {
            log.say("no key of user " + i, MALLORY, "no key of user " + i);
        }

        assertThat(RecordingLogs.lines()).hasSize(RejectionLog.Limits.MOST_CAUSES + 1);
    }

    @Test
    void causesOfLongAgo_leaveRoomForOthers() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
        RejectionLog log = new RejectionLog(((InstantSource) now::get).withZone(ZoneOffset.UTC), "message rejected");
        for (int i = 0; i < 1000; i++) {
            log.say("no key of user " + i, MALLORY, "no key of user " + i);
        }
        RecordingLogs.forget();
        now.set(Instant.EPOCH.plusSeconds(60));

        log.say("expired", MALLORY, "expired");
        log.say("revoked", MALLORY, "revoked");

        assertThat(RecordingLogs.lines()).hasSize(2);
    }

    @Test
    void namesFromClients_startNoLine_andAreCut() {
        RejectionLog log = new RejectionLog(Clock.systemUTC(), "message rejected");

        log.say("cause", new RejectionLog.Subject("a\nERROR b\u001b[2J\u0085\u009b2J", null, null), "x".repeat(10_000));

        assertThat(RecordingLogs.lines())
                .singleElement()
                .asString()
                .contains("a?ERROR b?[2J??2J, user -")
                .hasSizeLessThan(400);
    }
}
