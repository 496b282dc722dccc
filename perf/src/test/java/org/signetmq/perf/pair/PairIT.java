/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.perf.pair.Pair.Brokers;
import org.signetmq.perf.pair.Pair.Disk;
import org.signetmq.perf.pair.Pair.Place;
import org.signetmq.perf.pair.Setting.KeyKind;
import org.signetmq.perf.pair.Setting.Protection;
import org.signetmq.perf.process.Runner;
import org.signetmq.perf.result.Row;
import org.signetmq.testkit.Tier;

/** Pairs of real processes: a short run of each kind of load. */
final class PairIT {
    private static final int SIZE = 2048;
    private static final int BLOCK_MILLIS = 300;
    private static final Load LOAD = Load.of(2, 2, SIZE);
    private static final Setting SEALED = Setting.confidentiality(KeyKind.P256);

    @TempDir
    private Path temporary;

    @AfterEach
    void noProcessAndNoFolder_isLeft() {
        assertThat(children()).isEmpty();
        assertThat(temporary.resolve("pair")).doesNotExist();
    }

    @Test
    @Tag(Tier.LONG)
    void confidentiality_isMeasured_withEachLoad_andStoredMessagesSurviveARestart() throws Exception {
        Stock paged = new Stock("a", true, 600, Load.payload(SIZE));
        Stock kept = new Stock("a", false, 10, Load.payload(SIZE));
        Path heap = temporary.resolve("heap.hprof");
        try (Pair pair = start(SEALED)) {
            Row figures = block(pair, LOAD);
            assertMeasured(figures);
            assertKeysByLimit(figures);

            assertMeasured(block(pair, Load.of(1, 1, 0).withAnonymousProducers().withWindow(0)));
            assertMeasured(block(pair, Load.of(4, 1, SIZE).withMemory(SIZE)));
            assertThat(pair.journals().get(0).resolve("data/paging")).isNotEmptyDirectory();

            Row files = block(pair, Load.ofUploads(2, 80, true));
            assertMeasured(files);
            assertThat(files.number("key_waits")).isBetween(0.0, 1.0);
            assertThat(files.number("heap_mb")).isPositive();

            pair.fill(paged);
            pair.fill(kept);
            pair.restart(() -> assertThat(pair.journals())
                    .allSatisfy(journal -> assertThat(journal).exists()));
            Row drained = pair.drain(paged);
            assertThat(drained.number("rate")).isPositive();
            assertThat(drained.number("broker_cpu_ms")).isPositive();
            pair.drain(kept);
            pair.dumpHeap(heap);
        }
        assertThat(heap).isNotEmptyFile();
        Files.delete(heap);
    }

    @Test
    @Tag(Tier.LONG)
    void manner_ofAms_isMeasured_withASmallGetBuffer() throws Exception {
        try (Pair pair = start(Setting.of(Protection.AMS_CONFIDENTIALITY, "32", KeyKind.RSA2048))) {
            Row figures = block(pair, LOAD.withBuffer(SIZE));

            assertMeasured(figures);
            assertKeysByLimit(figures);
        }
    }

    @Test
    void part_givesARowForEachSettingAndLoad_andTheOthersGoOnIfOneFails() throws Exception {
        Runner runner = new Runner(true, temporary, line -> {});
        Setting failing = Setting.NONE.withDisk("file");
        Path file = Files.createFile(temporary.resolve("file"));

        new Part("p", List.of(Setting.NONE, failing, SEALED), List.of(LOAD), new Part.Timing(0.1, 0.2, 1))
                .measure(runner, Map.of("file", new Disk(file, null)));

        assertThat(runner.rows()).extracting(row -> row.text("setting")).containsExactly("none", SEALED.label());
        assertThat(runner.failures()).isNotEmpty().allMatch(failure -> failure.startsWith("none@file: "));
        Row sealed = runner.rows().get(1);
        assertThat(sealed.matches(Map.of("part", "p", "clients", "2", "queues", "2", "size", "2048", "load", "")))
                .isTrue();
        assertThat(sealed.number("share")).isPositive();
        assertThat(sealed.number("limit")).isBetween(0.1, 1.0);
    }

    static Stream<Setting> newSettings() {
        return Stream.of(
                Setting.of(Protection.AUTHENTICITY, "32", KeyKind.P256),
                Setting.of(Protection.CLIENT_AUTHENTICITY, "32", KeyKind.P256),
                Setting.of(Protection.INTEGRITY_SHARED, "", KeyKind.P256),
                Setting.of(Protection.PRIVACY_SHARED, "", KeyKind.P256));
    }

    @ParameterizedTest
    @MethodSource("newSettings")
    @Tag(Tier.LONG)
    void settingThatProvesTheSender_isMeasured(Setting setting) throws Exception {
        try (Pair pair = start(setting)) {
            assertMeasured(block(pair, LOAD));
        }
    }

    @Test
    @Tag(Tier.LONG)
    void confidentialityOfClients_onTls_isMeasured_alsoWithLargeMessages() throws Exception {
        try (Pair pair = start(Setting.of(Protection.CLIENT_CONFIDENTIALITY, "32", KeyKind.P256)
                .withTls())) {
            assertMeasured(block(pair, LOAD));
            assertMeasured(block(pair, Load.of(2, 2, 204_800)));
        }
    }

    @Test
    @Tag(Tier.LONG)
    void none_isMeasured_onTwoBrokersWithBackups_andADaemonOfTheDisk() throws Exception {
        Disk disk = new Disk(temporary.resolve("journals"), ProcessHandle.current());
        try (Pair pair = Pair.start(Setting.NONE, new Place(folder(), disk, new Brokers(2, true, 0)))) {
            assertThat(disk.folder())
                    .isDirectoryContaining("glob:**pair-0")
                    .isDirectoryContaining("glob:**pair-1-backup");
            assertThat(children()).hasSize(5);
            Row figures = block(pair, LOAD);
            assertMeasured(figures);
            assertThat(figures.number("disk_cpu_ms")).isNotNegative();
        }
        assertThat(disk.folder()).isEmptyDirectory();
    }

    @Test
    @Tag(Tier.LONG)
    void brokerOfASmallMachine_staysBelowItsLimit() throws Exception {
        assumeThat(Files.isWritable(Path.of("/sys/fs/cgroup/cpu"))
                        || Files.isWritable(Path.of("/sys/fs/cgroup/cgroup.subtree_control")))
                .as("may make control groups")
                .isTrue();
        try (Pair pair = Pair.start(SEALED, new Place(folder(), null, new Brokers(1, false, 0.5)))) {
            pair.connect(Load.of(20, 10, SIZE));
            Row figures = pair.block(1_000, 2_000);

            assertThat(figures.number("broker_cpu_ms") * figures.number("rate") / 1_000)
                    .as("cores")
                    .isBetween(0.05, 0.7);
        }
    }

    @Test
    @Tag(Tier.LONG)
    void brokerThatDies_failsTheBlock() throws Exception {
        try (Pair pair = start(Setting.PLAIN)) {
            pair.connect(LOAD);
            Collections.min(
                            children(),
                            Comparator.comparing(
                                    process -> process.info().startInstant().orElseThrow()))
                    .destroyForcibly();

            assertThatIOException().isThrownBy(() -> pair.block(60_000, 60_000));
        }
    }

    @Test
    void folderOfAnother_isRefused_andStays() throws Exception {
        Path theirs = Files.createDirectory(temporary.resolve("theirs"));
        Path file = Files.writeString(theirs.resolve("file"), "precious");

        assertThatIOException()
                .isThrownBy(() -> Pair.start(Setting.PLAIN, new Place(theirs, null, Brokers.ONE)))
                .isInstanceOf(FileAlreadyExistsException.class);

        assertThat(file).hasContent("precious");
    }

    private Path folder() {
        return temporary.resolve("pair");
    }

    private Pair start(Setting setting) throws IOException {
        return Pair.start(setting, new Place(folder(), null, Brokers.ONE));
    }

    private static Row block(Pair pair, Load load) throws IOException {
        pair.connect(load);
        return pair.block(BLOCK_MILLIS, BLOCK_MILLIS);
    }

    private static void assertMeasured(Row figures) {
        assertThat(figures.number("rate")).isPositive();
        assertThat(figures.number("p50_us")).isPositive().isLessThanOrEqualTo(figures.number("p99_us"));
        assertThat(figures.number("cpu_ms"))
                .isPositive()
                .isGreaterThanOrEqualTo(figures.number("broker_cpu_ms"))
                .isGreaterThanOrEqualTo(figures.number("client_cpu_ms"));
        assertThat(figures.number("jit_ms_per_s")).isNotNegative();
    }

    /** Checks that a key served 32 messages. Each of four producers may have begun one more. */
    private static void assertKeysByLimit(Row figures) {
        double messages = 2 * figures.number("rate") * BLOCK_MILLIS / 1_000;
        assertThat(figures.number("keys") * messages).isLessThan(messages / 32 + 6);
        assertThat(figures.number("unwraps") * messages).isLessThan(messages / 32 + 6);
    }

    private static List<ProcessHandle> children() {
        return ProcessHandle.current().children().filter(ProcessHandle::isAlive).toList();
    }
}
