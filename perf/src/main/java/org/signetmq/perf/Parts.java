/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

import java.util.ArrayList;
import java.util.List;

/**
 * The parts of a measurement. One that fails is said at once and remembered for the exit code; the others go on, for
 * hours of figures must not be lost because the last one is missing.
 */
public final class Parts {
    private final List<PartFailure> failures = new ArrayList<>();

    /** Something that may fail. */
    @FunctionalInterface
    public interface Part {
        /** Does it. */
        void run() throws Exception;
    }

    /** Runs a part; whoever interrupts ends them all. */
    public void run(String name, Part part) throws InterruptedException {
        try {
            part.run();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            failed(PartFailure.of(name, e));
        }
    }

    /** Says and remembers a failure. */
    public void failed(PartFailure failure) {
        System.err.println("signet: error: " + failure.name() + ": " + failure.reason());
        failures.add(failure);
    }

    /** All so far. */
    public List<PartFailure> failures() {
        return List.copyOf(failures);
    }

    /** 0 if no part failed, else 1. */
    public int exitCode() {
        return failures.isEmpty() ? 0 : 1;
    }
}
