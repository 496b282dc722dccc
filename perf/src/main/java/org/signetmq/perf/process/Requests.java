/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.process;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.signetmq.perf.result.Parts;
import org.signetmq.perf.result.Result;

/**
 * Answers the command that started this process, through standard input and output. A request and an answer are each a
 * JSON object in one line.
 */
public final class Requests {
    public static final String NAME = "request";
    public static final String FAILED = "failed";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final PrintStream out;

    /** Takes the standard output for answers; what others print there goes to the standard error from now on. */
    public Requests() {
        out = System.out;
        System.setOut(System.err);
    }

    /** Does what a request asks for. */
    @FunctionalInterface
    public interface Handler {
        Result answer(Result request) throws Exception;
    }

    /** What the process is there for. */
    @FunctionalInterface
    public interface Program {
        void run() throws Exception;
    }

    /**
     * Runs a program, then ends the process with all its threads. If the program fails, the command that started this
     * process is told why.
     */
    public void run(Program program) throws IOException {
        try {
            program.run();
            System.exit(0);
        } catch (Exception | Error e) { // threads of a broker that did not start would keep the process
            say(Result.EMPTY.with(FAILED, Parts.reason(e)));
            System.exit(1);
        }
    }

    /** Says that the process is ready, then answers until the input ends. */
    public void serve(Result ready, Map<String, Handler> handlers) throws IOException {
        say(ready);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Result request = new Result(JSON.readTree(line));
            say(answer(request, handlers));
        }
    }

    private static Result answer(Result request, Map<String, Handler> handlers) {
        try {
            Handler handler = handlers.get(request.text(NAME));
            if (handler == null) {
                throw new IllegalArgumentException("request: unknown");
            }
            return handler.answer(request);
        } catch (Exception | Error e) { // also if memory is short: the other process waits for an answer
            return Result.EMPTY.with(FAILED, Parts.reason(e));
        }
    }

    private void say(Result answer) throws IOException {
        out.println(JSON.writeValueAsString(answer.json()));
        out.flush();
    }
}
