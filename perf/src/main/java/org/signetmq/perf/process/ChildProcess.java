/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.signetmq.perf.result.Row;

/**
 * A process of Java with the class path of this one. It answers requests, see {@link Requests}. Its standard error
 * appears on ours. For one thread.
 */
public final class ChildProcess implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration END = Duration.ofSeconds(20);
    private static final String NATIVE_ACCESS = "--enable-native-access";

    /** Else they lag behind the threads of a full load for minutes. No other user may raise a priority. */
    private static final List<String> COMPILERS_FIRST =
            List.of("-XX:ThreadPriorityPolicy=1", "-XX:CompilerThreadPriority=-20");

    private final String name;
    private final Process process;
    private final BlockingQueue<Optional<String>> answers = new LinkedBlockingQueue<>();
    private final Row ready;

    /**
     * What a process runs.
     *
     * @param options of Java
     */
    public record Program(Class<?> main, List<String> options, List<String> arguments) {}

    /**
     * Starts a process and waits until it is ready.
     *
     * @param name in messages
     */
    public ChildProcess(String name, Program program) throws IOException {
        this.name = name;
        List<String> command = java();
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(COMPILERS_FIRST);
        }
        command.addAll(program.options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.main.getName()));
        command.addAll(program.arguments);
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

    /** Returns the begin of a command of this Java, which may call native code if this process may. */
    public static List<String> java() {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Djava.awt.headless=true"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith(NATIVE_ACCESS))
                .forEach(command::add);
        return command;
    }

    /** Returns the number that the system gave the process. */
    public long id() {
        return process.pid();
    }

    /** Returns what the process said of itself when it was ready. */
    public Row ready() {
        return ready;
    }

    /**
     * Asks and waits for the answer.
     *
     * @throws IOException if the process answers that it failed, not in time, or is no more
     */
    public Row ask(Row request, Duration patience) throws IOException {
        try {
            process.getOutputStream().write((Requests.written(request) + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new IOException(name + ": has ended", e);
        }
        return answer(patience);
    }

    private Row answer(Duration within) throws IOException {
        try {
            Optional<String> line = answers.poll(within.toMillis(), TimeUnit.MILLISECONDS);
            if (line == null) {
                process.destroyForcibly(); // a late answer would be taken for that to the next request
                throw new IOException(name + ": no answer within " + within.toSeconds() + " s");
            }
            if (line.isEmpty()) {
                answers.add(line); // all later requests find it too
                throw new IOException(name + ": has ended");
            }
            Row answer = Requests.read(line.get());
            if (answer.has(Requests.FAILED)) {
                throw new IOException(name + ": " + answer.text(Requests.FAILED));
            }
            return answer;
        } catch (JsonProcessingException e) {
            process.destroyForcibly(); // what it says next may be anything
            throw new IOException(name + ": not an answer: " + e.getOriginalMessage(), e);
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
        } catch (IOException e) {
            // it has ended, and left a request unread
        }
        try {
            if (!process.waitFor(END.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException(name + ": interrupted while it ended", e);
        }
    }
}
