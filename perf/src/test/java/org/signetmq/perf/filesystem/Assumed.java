/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;

/** What tests with real mounts assume. Only root may mount, and not every machine has the programs. */
final class Assumed {
    private Assumed() {}

    /** Skips a test where this process cannot mount; the report says what it lacks. */
    static void mounts() throws IOException {
        assumeThat(Requirements.missing()).as("what mounting needs").isEmpty();
    }
}
