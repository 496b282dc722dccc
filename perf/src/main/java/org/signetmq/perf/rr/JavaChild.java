/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Java process with this one's class path, that is told things line by line and answers in lines. */
final class JavaChild implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 20;

    private final Process process;
    private final BufferedReader out;
    private final Writer in;

    private JavaChild(Process process) {
        this.process = process;
        this.out = process.inputReader();
        this.in = process.outputWriter();
    }

    /** Starts one; what it writes to its standard error appears on ours. */
    static JavaChild start(Class<?> main, List<String> options, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        command.addAll(arguments);
        return new JavaChild(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    long pid() {
        return process.pid();
    }

    void tell(String line) throws IOException {
        in.write(line);
        in.write('\n');
        in.flush();
    }

    /** The next line it says. */
    String answer() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException("process " + process.pid() + ": ended before it answered");
        }
        return line;
    }

    /** Ends its input, which ends it; by force if it does not. */
    @Override
    public void close() throws IOException {
        try {
            in.close();
        } finally {
            end();
        }
    }

    private void end() throws IOException {
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("process " + process.pid() + ": interrupted while it ended", e);
        }
    }
}
