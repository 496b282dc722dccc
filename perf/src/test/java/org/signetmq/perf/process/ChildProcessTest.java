/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.perf.process.ChildProcess.Patience;
import org.signetmq.perf.process.ChildProcess.Program;
import org.signetmq.testkit.Tier;

@Tag(Tier.LONG)
final class ChildProcessTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final List<String> OPTIONS = List.of("-XX:TieredStopAtLevel=1", "-Xshare:auto");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dead|child: has ended",
                "garbage|child: not an answer: {ready",
                "number|child: not an answer: 42",
                "failed|child: out of luck",
                "broken|child: org/example/Missing"
            })
    void processThatIsNotReady_isReportedWithItsName(String behavior, String message) {
        assertThatIOException()
                .isThrownBy(() -> child(behavior, new Patience(LONG, SHORT)))
                .withMessage(message);
    }

    @Test
    void processThatNeverSaysThatItIsReady_isEnded() {
        assertThatIOException()
                .isThrownBy(() -> child("silent", new Patience(SHORT, SHORT)))
                .withMessage("child: no answer within 0 s");
        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive))
                .isEmpty();
    }

    @Test
    void wrongOptionOfJava_isReported() {
        Program program = new Program(Child.class, List.of("-XX:NoSuchOption"), List.of("echo"));

        assertThatIOException()
                .isThrownBy(() -> new ChildProcess("child", program, Patience.USUAL))
                .withMessage("child: has ended");
    }

    @Test
    void request_isAnswered_alsoAfterOneThatFailed() throws IOException {
        try (ChildProcess child = child("echo", Patience.USUAL)) {
            assertThat(child.ask(Child.ECHO.with("text", "f\u00fcr\n2 lines"), LONG)
                            .text("text"))
                    .isEqualTo("f\u00fcr\n2 lines");
            assertThatIOException()
                    .isThrownBy(() -> child.ask(Child.FAIL, LONG))
                    .withMessage("child: cannot do it");
            assertThatIOException()
                    .isThrownBy(() -> child.ask(Child.LACK, LONG))
                    .withMessage("child: no heap");
            assertThatIOException()
                    .isThrownBy(() -> child.ask(Child.ECHO.with(Requests.NAME, "sing"), LONG))
                    .withMessage("child: request: unknown");
            assertThat(child.ask(Child.ECHO.with("number", 7), LONG).number("number"))
                    .isEqualTo(7);
        }
    }

    @Test
    void processThatDies_failsThatRequest_andAllLaterOnes() throws IOException {
        try (ChildProcess child = child("echo", Patience.USUAL)) {
            assertThatIOException().isThrownBy(() -> child.ask(Child.DIE, LONG)).withMessage("child: has ended");
            for (int i = 0; i < 3; i++) {
                assertThatIOException()
                        .isThrownBy(() -> child.ask(Child.ECHO, LONG))
                        .withMessage("child: has ended");
            }
        }
    }

    @Test
    void processThatDoesNotAnswerInTime_isEnded_soThatNoAnswerComesLate() throws Exception {
        try (ChildProcess child = child("echo", Patience.USUAL)) {
            ProcessHandle process = process(child);

            assertThatIOException()
                    .isThrownBy(() -> child.ask(Child.SLEEP, SHORT))
                    .withMessage("child: no answer within 0 s");

            process.onExit().get(3, TimeUnit.MINUTES);
            assertThatIOException()
                    .isThrownBy(() -> child.ask(Child.ECHO, LONG))
                    .withMessage("child: has ended");
        }
    }

    @Test
    void garbage_isReported_andEndsTheProcess() throws Exception {
        try (ChildProcess child = child("echo", Patience.USUAL)) {
            ProcessHandle process = process(child);

            assertThatIOException()
                    .isThrownBy(() -> child.ask(Child.GARBAGE, LONG))
                    .withMessage("child: not an answer: garbage");

            process.onExit().get(3, TimeUnit.MINUTES);
        }
    }

    @Test
    void close_endsTheProcess() throws IOException {
        ChildProcess child = child("echo", new Patience(LONG, LONG));
        ProcessHandle process = process(child);

        child.close();
        boolean isAlive = process.isAlive();
        child.close();

        assertThat(isAlive).isFalse();
        assertThatIOException().isThrownBy(() -> child.ask(Child.ECHO, LONG)).withMessage("child: has ended");
    }

    @Test
    void processThatIgnoresTheEndOfItsInput_isEndedByForce() throws IOException {
        ChildProcess child = child("stubborn", new Patience(LONG, SHORT));
        ProcessHandle process = process(child);

        child.close();

        assertThat(process.isAlive()).isFalse();
    }

    private static ChildProcess child(String behavior, Patience patience) throws IOException {
        return new ChildProcess("child", new Program(Child.class, OPTIONS, List.of(behavior)), patience);
    }

    private static ProcessHandle process(ChildProcess child) {
        return ProcessHandle.of((long) child.ready().number("pid")).orElseThrow();
    }
}
