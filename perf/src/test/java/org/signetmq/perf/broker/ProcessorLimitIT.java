/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.testkit.Tier;

@Tag(Tier.LONG)
final class ProcessorLimitIT {
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void process_getsNoMoreThanItsShare() throws Exception {
        assumeThat(Files.isWritable(GROUPS.resolve("cpu"))
                        || Files.isWritable(GROUPS.resolve("cgroup.subtree_control")))
                .as("may make control groups")
                .isTrue();
        Process busy = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
        try (ProcessorLimit limit = ProcessorLimit.of(0.25)) {
            limit.add(busy.pid());
            Duration begin = used(busy);
            long start = System.nanoTime();
            assertThat(busy.waitFor(2, TimeUnit.SECONDS)).isFalse();
            double seconds = (System.nanoTime() - start) / 1e9;

            double cores = used(busy).minus(begin).toMillis() / 1_000.0 / seconds;

            assertThat(cores).isBetween(0.02, 0.4);
            busy.destroyForcibly().waitFor();
        } finally {
            busy.destroyForcibly();
        }
        assertThat(groups()).as("nothing is left").isEmpty();
    }

    private static Duration used(Process process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static java.util.List<Path> groups() throws IOException {
        Path in = Files.isDirectory(GROUPS.resolve("cpu")) ? GROUPS.resolve("cpu") : GROUPS;
        try (var all = Files.list(in)) {
            return all.filter(path -> path.getFileName().toString().startsWith("signet-perf-"))
                    .toList();
        }
    }

    @Test
    void systemWithoutControlGroups_isNamed() {
        assertThatThrownBy(() -> ProcessorLimit.in(folder, 1))
                .hasMessage(folder + ": no control groups for processors");
    }
}
