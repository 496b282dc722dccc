/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import java.util.ArrayList;
import java.util.List;

/**
 * The parts of a measurement. It reports a part that fails at once, and remembers it for the exit code. The others go
 * on: hours of figures must not be lost with the last one.
 */
public final class Parts {
    private final List<Failure> failures = new ArrayList<>();

    /** A row or task that gave no figures, and the reason in one line. */
    public record Failure(String name, String reason) {}

    /** A task that may fail. */
    @FunctionalInterface
    public interface Part {
        void run() throws Exception;
    }

    /** Runs a part; an interruption ends them all. */
    public void run(String name, Part part) throws InterruptedException {
        try {
            part.run();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            fail(name, reason(e));
        }
    }

    /** Reports and remembers a failure. */
    public void fail(String name, String reason) {
        System.err.println("signet: error: " + name + ": " + reason);
        failures.add(new Failure(name, reason));
    }

    /** Returns the message of an exception in one line, or else its class. */
    public static String reason(Throwable cause) {
        String message = cause.getMessage();
        return (message == null || message.isBlank() ? cause.toString() : message).replaceAll("\\s+", " ");
    }

    public List<Failure> failures() {
        return List.copyOf(failures);
    }

    /** Returns 0 if no part failed, else 1. */
    public int exitCode() {
        return failures.isEmpty() ? 0 : 1;
    }
}
