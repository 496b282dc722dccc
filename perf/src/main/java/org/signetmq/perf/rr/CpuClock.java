/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/** How long the two processes have run on processors: this one, and the broker. */
final class CpuClock {
    private final OperatingSystemMXBean self = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final ProcessHandle broker;

    CpuClock(long brokerPid) {
        this.broker = ProcessHandle.of(brokerPid)
                .orElseThrow(() -> new IllegalStateException("broker: no process " + brokerPid));
    }

    /** One moment. */
    record Reading(long nanos, long brokerNanos, long clientNanos) {
        Phase.Cpu since(Reading earlier) {
            return new Phase.Cpu((brokerNanos - earlier.brokerNanos) / 1e6, (clientNanos - earlier.clientNanos) / 1e6);
        }
    }

    Reading read() {
        Duration ofBroker = broker.info()
                .totalCpuDuration()
                .orElseThrow(() -> new IllegalStateException("broker: the system does not tell its processor time"));
        return new Reading(System.nanoTime(), ofBroker.toNanos(), self.getProcessCpuTime());
    }
}
