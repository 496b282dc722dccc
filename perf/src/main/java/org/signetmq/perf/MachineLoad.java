/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

import java.lang.management.ManagementFactory;

/** Whether the machine has time for a measurement. */
public final class MachineLoad {
    private MachineLoad() {}

    /** Says so if other programs already take more than half of the cores: figures would be theirs as much as ours. */
    public static void warnIfBusy() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        int cores = Runtime.getRuntime().availableProcessors();
        if (load > cores / 2.0) {
            System.err.printf(
                    "signet: warning: the machine is busy (load %.1f on %d cores): figures will not be reliable%n",
                    load, cores);
        }
    }
}
