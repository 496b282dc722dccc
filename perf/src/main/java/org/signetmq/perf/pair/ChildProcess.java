/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.signetmq.perf.result.Result;

/**
 * A process of Java with the class path of this one. It answers requests, see {@link Requests}. Its standard error
 * appears on ours. For one thread.
 */
final class ChildProcess implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration START = Duration.ofMinutes(2);
    private static final int PATIENCE_SECONDS = 20;

    private final String name;
    private final Process process;
    private final BlockingQueue<Optional<String>> answers = new LinkedBlockingQueue<>();
    private final Result ready;

    /**
     * Starts a process and waits until it is ready.
     *
     * @param name in messages
     * @param options of Java
     */
    ChildProcess(String name, Class<?> main, List<String> options, List<String> arguments) throws IOException {
        this.name = name;
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(java, "-Djava.awt.headless=true"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Thread reader = new Thread(this::read, "answers of " + name);
        reader.setDaemon(true);
        reader.start();
        try {
            ready = answer(START);
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Returns what the process said of itself when it was ready. */
    Result ready() {
        return ready;
    }

    /**
     * Asks and waits for the answer.
     *
     * @throws IOException if the process answers that it failed, not in time, or is no more
     */
    Result ask(Result request, Duration patience) throws IOException {
        try {
            process.getOutputStream()
                    .write((JSON.writeValueAsString(request.json()) + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new IOException(name + ": has ended", e);
        }
        return answer(patience);
    }

    private Result answer(Duration patience) throws IOException {
        try {
            Optional<String> line = answers.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (line == null) {
                throw new IOException(name + ": no answer within " + patience.toSeconds() + " s");
            }
            Result answer = new Result(JSON.readTree(line.orElseThrow(() -> new IOException(name + ": has ended"))));
            if (answer.has(Requests.FAILED)) {
                throw new IOException(name + ": " + answer.text(Requests.FAILED));
            }
            return answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(name + ": interrupted while it worked", e);
        }
    }

    private void read() {
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
            in.lines().map(Optional::of).forEach(answers::add);
        } catch (IOException | UncheckedIOException ended) {
            // as if it had ended in order: the next request says so
        }
        answers.add(Optional.empty());
    }

    /** Ends its input, which ends it; by force if it does not. */
    @Override
    public void close() throws IOException {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException(name + ": interrupted while it ended", e);
        }
    }
}
