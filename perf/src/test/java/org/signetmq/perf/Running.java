/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** {@code signet perf} from its jar, in a process of its own that is to be ended by a signal. */
public final class Running implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 120;

    private final Process process;
    private final BufferedReader out;

    private Running(Process process) {
        this.process = process;
        this.out = process.inputReader();
    }

    /** Starts a command. */
    public static Running start(List<String> options, List<String> arguments) throws IOException {
        return new Running(new ProcessBuilder(Ran.jar(options, arguments))
                .redirectErrorStream(true)
                .start());
    }

    /** Waits until the command prints such a line. */
    public void awaitLine(Predicate<String> wanted) throws IOException {
        StringBuilder printed = new StringBuilder();
        String line = out.readLine();
        while (line != null && !wanted.test(line)) {
            printed.append(line).append('\n');
            line = out.readLine();
        }
        assertThat(line).as("progress after %s", printed).isNotNull();
    }

    /** Returns the processes that the command has started. */
    public List<ProcessHandle> children() {
        return process.children().toList();
    }

    /** Sends the signal that asks a process to end, and waits until it has ended. */
    public void terminate() throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
