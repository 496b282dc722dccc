/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.process.ChildProcess.Program;
import org.signetmq.perf.result.Row;

final class ChildProcessTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final List<String> OPTIONS = List.of("-XX:TieredStopAtLevel=1");

    /** The process of the tests. */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) {
            if (arguments[0].equals("garbage")) {
                System.out.println("{ready");
            }
            Requests.run(requests -> {
                if (arguments[0].equals("broken")) {
                    throw new NoClassDefFoundError("org/example/Missing");
                }
                System.out.println("this goes to the standard error");
                requests.serve(
                        Row.of("pid", ProcessHandle.current().pid()),
                        Map.of(
                                "echo", request -> request,
                                "fail",
                                        request -> {
                                            throw new IllegalStateException("cannot\n  do it");
                                        },
                                "sleep",
                                        request -> {
                                            TimeUnit.MINUTES.sleep(10);
                                            return Row.EMPTY;
                                        }));
            });
        }
    }

    private static ChildProcess child(String behavior) throws IOException {
        return new ChildProcess("child", new Program(Child.class, OPTIONS, List.of(behavior)));
    }

    private static Row request(String name) {
        return Row.of(Requests.NAME, name);
    }

    @Test
    void request_isAnswered_alsoAfterOneThatFailed_untilOneComesTooLate() throws IOException {
        try (ChildProcess child = child("good")) {
            assertThat(child.ready().number("pid")).isEqualTo((double) child.id());
            Row answer =
                    child.ask(request("echo").with("text", "f\u00fcr\n2 lines").with("n", 0.1), LONG);
            assertThat(answer.text("text")).isEqualTo("f\u00fcr\n2 lines");
            assertThat(answer.number("n")).isEqualTo(0.1);
            assertThatIOException()
                    .isThrownBy(() -> child.ask(request("fail"), LONG))
                    .withMessage("child: cannot do it");
            assertThatIOException()
                    .isThrownBy(() -> child.ask(request("other"), LONG))
                    .withMessage("child: request: unknown");
            assertThatIOException()
                    .isThrownBy(() -> child.ask(request("sleep"), Duration.ofMillis(200)))
                    .withMessage("child: no answer within 0 s");
            assertThatIOException()
                    .isThrownBy(() -> child.ask(request("echo"), LONG))
                    .withMessage("child: has ended");
        }
        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive))
                .isEmpty();
    }

    @Test
    void processThatDoesNotStart_isReportedWithItsName() {
        assertThatIOException().isThrownBy(() -> child("broken")).withMessage("child: org/example/Missing");
        assertThatIOException().isThrownBy(() -> child("garbage")).withMessageStartingWith("child: not an answer: ");
        assertThatIOException()
                .isThrownBy(() -> new ChildProcess(
                        "child", new Program(Child.class, List.of("-XX:NoSuchOption"), List.of("good"))))
                .withMessage("child: has ended");
    }

    @Test
    void readings_countWhatIsUsed() {
        Row begin = Readings.ofThisProcess();
        double[] sink = new double[1];
        for (int i = 0; i < 20_000_000; i++) {
            sink[0] += Math.sqrt(i);
        }

        Row used = Readings.between(begin, Readings.ofThisProcess());

        assertThat(used.number(Readings.CPU)).isPositive();
        assertThat(used.number(Readings.JIT)).isNotNegative();
        assertThat(Readings.sum(used, used).number(Readings.CPU)).isEqualTo(2 * used.number(Readings.CPU));
        assertThat(Readings.sum(Row.EMPTY, Row.of("a", 1)).number("a")).isEqualTo(1);
    }
}
