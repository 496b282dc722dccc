/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.signetmq.perf.result.Row;

/**
 * Answers the command that started this process, through standard input and output. A request and an answer are each a
 * JSON object in one line.
 */
public final class Requests {
    /** The cell with the name of a request. */
    public static final String NAME = "request";
    /** The cell with the reason of a failure. */
    public static final String FAILED = "failed";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final PrintStream out;

    /** Takes the standard output for answers; what others print there goes to the standard error from now on. */
    private Requests() {
        out = System.out;
        System.setOut(System.err);
    }

    /** Does what a request asks for. */
    @FunctionalInterface
    public interface Handler {
        Row answer(Row request) throws Exception;
    }

    /** Starts the process, and serves requests until the input ends. */
    @FunctionalInterface
    public interface Program {
        void run(Requests requests) throws Exception;
    }

    /** Returns a value as JSON in one line. */
    public static String json(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("json: " + value, e);
        }
    }

    /** Returns the value of a text of {@link #json}. */
    public static <T> T of(String json, Class<T> type) {
        try {
            return JSON.readValue(json, type);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("json: " + json, e);
        }
    }

    static String written(Row row) {
        return json(row.cells());
    }

    static Row read(String line) throws JsonProcessingException {
        return new Row(JSON.readValue(line, new TypeReference<Map<String, Object>>() {}));
    }

    /** Returns the message of an exception in one line, or else its class. */
    public static String reason(Throwable cause) {
        String message = cause.getMessage();
        return (message == null || message.isBlank() ? cause.toString() : message).replaceAll("\\s+", " ");
    }

    /**
     * Runs a program, then ends the process with all its threads. If the program fails, the command that started this
     * process is told why.
     */
    public static void run(Program program) {
        Requests requests = new Requests();
        try {
            program.run(requests);
            System.exit(0);
        } catch (Exception | Error e) { // threads of a broker that did not start would keep the process
            requests.say(Row.of(FAILED, reason(e)));
            System.exit(1);
        }
    }

    /** Says that the process is ready, then answers until the input ends. */
    public void serve(Row ready, Map<String, Handler> handlers) throws IOException {
        say(ready);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            say(answer(read(line), handlers));
        }
    }

    private static Row answer(Row request, Map<String, Handler> handlers) {
        try {
            Handler handler = handlers.get(request.text(NAME));
            if (handler == null) {
                throw new IllegalArgumentException("request: unknown");
            }
            return handler.answer(request);
        } catch (Exception | Error e) { // also if memory is short: the other process waits for an answer
            return Row.of(FAILED, reason(e));
        }
    }

    private void say(Row answer) {
        out.println(written(answer));
        out.flush();
    }
}
