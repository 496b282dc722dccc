/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.experiment;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.pair.Setting;
import org.signetmq.perf.pair.Setting.KeyKind;
import org.signetmq.perf.process.Runner;
import org.signetmq.perf.result.Row;
import org.signetmq.testkit.Tier;

/** Real encrypted file systems. Needs root, gocryptfs, fuse3, fscrypt and e2fsprogs. */
@Tag(Tier.LONG)
final class DisksIT {
    @TempDir
    private Path folder;

    @Test
    void payloads_areFoundInClear_whereTheyMayBe_andNothingIsLeft() throws Exception {
        assumeThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid")).isEqualTo(0);
        assumeThat(Stream.of("gocryptfs", "fusermount", "fscrypt").allMatch(DisksIT::isInstalled))
                .isTrue();
        Runner runner = new Runner(true, folder, line -> {});
        Setting sealed = Setting.confidentiality(KeyKind.P256).withDisk(Disks.PLAIN);
        try (Disks disks = new Disks(folder, "1G")) {
            assertThat(disks.all()).containsOnlyKeys(Disks.PLAIN, Disks.GOCRYPTFS, Disks.IMAGE, Disks.FSCRYPT);
            ProcessHandle daemon = requireNonNull(
                    requireNonNull(disks.all().get(Disks.GOCRYPTFS)).daemon());
            assertThat(daemon.info().command().orElse("")).endsWith("gocryptfs");
            // some kernels list the cipher only while a file uses it
            boolean isListed = Files.readString(Path.of("/proc/crypto")).contains("xts(aes)");
            assertThat(Disks.kernelCipher()).contains(isListed ? "aes" : "unknown");

            StoredMessages.coverage(
                    List.of(Setting.NONE.withDisk(Disks.GOCRYPTFS), Setting.NONE.withDisk(Disks.FSCRYPT), sealed),
                    disks,
                    runner);
            StoredMessages.cold(List.of(sealed), disks, runner);
        }

        assertThat(runner.failures()).isEmpty();
        for (Row row : runner.rows().subList(0, 2)) {
            assertThat(row.number("journal")).isPositive();
            assertThat(row.number("paging")).isPositive();
            assertThat(row.number("large")).isPositive();
            assertThat(row.number("stored")).isZero();
            assertThat(row.number("to_consumers")).isPositive();
        }
        Row ours = runner.rows().get(2);
        assertThat(Stream.of("journal", "paging", "large", "stored", "to_consumers"))
                .allSatisfy(place -> assertThat(ours.number(place)).as(place).isZero());
        assertThat(ours.number("to_broker")).isPositive();
        assertThat(runner.rows().subList(3, 5))
                .allSatisfy(row -> assertThat(row.number("rate")).isPositive());
        assertThat(folder).isEmptyDirectory();
        assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(folder.toString());
    }

    private static boolean isInstalled(String program) {
        return Files.isExecutable(Path.of("/usr/bin", program)) || Files.isExecutable(Path.of("/bin", program));
    }
}
