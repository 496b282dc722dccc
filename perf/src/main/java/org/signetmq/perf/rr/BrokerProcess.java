/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The broker as a process of its own, with the class path of this one. */
final class BrokerProcess implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 20;
    private static final String READY = "ready ";

    private final Process process;
    private final int port;

    /** Starts it in the folder of the homes, with these options of Java; its standard error appears on ours. */
    BrokerProcess(Path folder, List<String> options) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xms1g", "-Xmx1g", "-Djava.awt.headless=true"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(RrBroker.class.getName(), folder.toString()));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String answer = process.inputReader().readLine();
        if (answer == null || !answer.startsWith(READY)) {
            close();
            throw new IOException("broker: not ready, says: " + answer);
        }
        port = Integer.parseInt(answer.substring(READY.length()));
    }

    int port() {
        return port;
    }

    Duration cpuTime() {
        return process.info()
                .totalCpuDuration()
                .orElseThrow(() -> new IllegalStateException("broker: the system does not tell its processor time"));
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
            throw new IOException("broker: interrupted while it ended", e);
        }
    }
}
