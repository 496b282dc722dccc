/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.result.Result;

final class RequestsTest {
    private final InputStream realIn = System.in;
    private final PrintStream realOut = System.out;
    private final PrintStream realErr = System.err;

    @AfterEach
    void restoreStreams() {
        System.setIn(realIn);
        System.setOut(realOut);
        System.setErr(realErr);
    }

    @Test
    void eachRequest_hasItsAnswerInALine_untilTheInputEnds() throws IOException {
        List<String> answers = answers(
                "{\"request\":\"echo\",\"n\":1}\n{\"request\":\"fail\"}\n{\"request\":\"no\"}\n{}\n[1]\n{\"request\":\"echo\",\"n\":2}");

        assertThat(answers)
                .containsExactly(
                        "{\"port\":7}",
                        "{\"request\":\"echo\",\"n\":1}",
                        "{\"failed\":\"in two lines\"}",
                        "{\"failed\":\"request: unknown\"}",
                        "{\"failed\":\"request: unknown\"}",
                        "{\"failed\":\"request: unknown\"}",
                        "{\"request\":\"echo\",\"n\":2}");
    }

    @Test
    void outputOfOthers_doesNotStandBetweenAnswers() throws IOException {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setErr(new PrintStream(err, true, UTF_8));

        List<String> answers = answers("{\"request\":\"talk\"}\n");

        assertThat(answers).containsExactly("{\"port\":7}", "{}");
        assertThat(err.toString(UTF_8)).startsWith("talk");
    }

    private static List<String> answers(String requests) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        System.setIn(new ByteArrayInputStream(requests.getBytes(UTF_8)));
        System.setOut(new PrintStream(out, true, UTF_8));
        new Requests()
                .serve(
                        Result.EMPTY.with("port", 7),
                        Map.of(
                                "echo", request -> request,
                                "talk",
                                        request -> {
                                            System.out.println("talk");
                                            return Result.EMPTY;
                                        },
                                "fail",
                                        request -> {
                                            throw new IOException("in\ntwo lines");
                                        }));
        return out.toString(UTF_8).lines().toList();
    }
}
