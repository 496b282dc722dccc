/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.signetmq.perf.result.Result;

final class ReadingsTest {
    private static final int SENT = 1_000_000;

    @Test
    void readings_neverShrink() {
        Result last = Readings.ofThisProcess();
        for (int i = 0; i < 20; i++) {
            Result next = Readings.ofThisProcess();
            for (String field : Readings.FIELDS) {
                assertThat(next.has(field)).isEqualTo(last.has(field));
                if (next.has(field)) {
                    assertThat(next.number(field)).as(field).isGreaterThanOrEqualTo(last.number(field));
                }
            }
            last = next;
        }
    }

    @Test
    void cpu_isThatOfAllThreads() {
        Result before = Readings.ofThisProcess(); // takes long at first
        long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        while (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin
                < TimeUnit.MILLISECONDS.toNanos(100)) {
            Thread.onSpinWait();
        }

        Result used = Readings.between(before, Readings.ofThisProcess());

        assertThat(used.number(Readings.CPU)).isGreaterThan(80);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void wire_countsWhatALoopbackConnectionCarries() throws Exception {
        Result before = Readings.ofThisProcess();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket accepted = server.accept()) {
            Thread sending = new Thread(() -> {
                try {
                    client.getOutputStream().write(new byte[SENT]);
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            sending.start();
            assertThat(accepted.getInputStream().readNBytes(SENT)).hasSize(SENT);
            sending.join();
        }

        Result used = Readings.between(before, Readings.ofThisProcess());

        assertThat(used.number(Readings.WIRE)).isGreaterThanOrEqualTo(SENT);
    }

    @Test
    void between_isTheDifferenceOfEachField() {
        Result begin = Result.EMPTY
                .with(Readings.CPU, 1.5)
                .with(Readings.GC, 2)
                .with(Readings.JIT, 3)
                .with(Readings.DISK, 4096);
        Result end = Result.EMPTY
                .with(Readings.CPU, 2.25)
                .with(Readings.GC, 2)
                .with(Readings.JIT, 7)
                .with(Readings.DISK, 12_288)
                .with(Readings.WIRE, 1);

        Result used = Readings.between(begin, end);

        assertThat(used.number(Readings.CPU)).isEqualTo(0.75, within(1e-9));
        assertThat(used.number(Readings.GC)).isZero();
        assertThat(used.number(Readings.JIT)).isEqualTo(4);
        assertThat(used.number(Readings.DISK)).isEqualTo(8192);
        assertThat(used.has(Readings.WIRE)).as("the first reading lacks it").isFalse();
    }
}
