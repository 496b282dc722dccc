/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.broker.Brokers;
import org.signetmq.perf.broker.Brokers.Backup;
import org.signetmq.perf.broker.Disk;
import org.signetmq.perf.pair.Pair.Ground;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Load.Limits;
import org.signetmq.perf.setting.Load.Style;
import org.signetmq.perf.setting.Protection;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.setting.Setting.Place;
import org.signetmq.perf.setting.Setting.Transport;
import org.signetmq.perf.setting.Stock;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Payload;
import org.signetmq.perf.variant.Reuse;
import org.signetmq.testkit.Tier;

/** Pairs of real processes. */
@Tag(Tier.LONG)
final class PairIT {
    private static final int SIZE = 2048;
    private static final double CLOSE = 1e-9;
    private static final Load LOAD = Load.of(2, 2, SIZE);
    private static final Reuse LIMIT = new Reuse("32");
    private static final Setting SEALED = Setting.of(Protection.CONFIDENTIALITY, LIMIT, KeyKind.P256);

    @TempDir
    private Path temporary;

    private static final Brokers TWO = new Brokers(2, Backup.NONE);

    @AfterEach
    void noProcessAndNoFolder_isLeft() throws IOException {
        assertThat(children()).isEmpty();
        assertThat(temporary.resolve("pair")).doesNotExist();
    }

    @Test
    void plain_isMeasured_andRecorded() throws Exception {
        Path recordings = Files.createDirectory(temporary.resolve("recordings"));
        try (Pair pair = Pair.start(Setting.PLAIN, new Ground(folder(), null, Brokers.ONE, recordings))) {
            assertUnprotected(block(pair));
        }
        assertThat(recordings.resolve("broker-plain.jfr")).isNotEmptyFile();
        assertThat(recordings.resolve("clients-plain.jfr")).isNotEmptyFile();
    }

    @Test
    void none_isMeasured_onTwoBrokers_withJournalsElsewhere() throws Exception {
        Path journals = temporary.resolve("journals");
        try (Pair pair = Pair.start(Setting.NONE, new Ground(folder(), Disk.of(journals), TWO, null))) {
            assertThat(journals).isDirectoryContaining("glob:**pair-0").isDirectoryContaining("glob:**pair-1");
            assertThat(children()).hasSize(3);
            assertUnprotected(block(pair));
        }
        assertThat(journals).isEmptyDirectory();
    }

    @Test
    void none_isMeasured_withABackup_andADaemonOfTheDisk() throws Exception {
        Disk disk = new Disk(temporary.resolve("journals"), ProcessHandle.current());
        Brokers brokers = new Brokers(1, Backup.REPLICA);
        try (Pair pair = Pair.start(Setting.NONE, new Ground(folder(), disk, brokers, null))) {
            assertThat(disk.folder())
                    .isDirectoryContaining("glob:**pair-0")
                    .isDirectoryContaining("glob:**pair-0-backup");
            assertThat(children()).hasSize(3);
            Result figures = block(pair);
            assertUnprotected(figures);
            assertThat(figures.number(Block.DISK_CPU)).isNotNegative();
        }
        assertThat(disk.folder()).isEmptyDirectory();
    }

    @Test
    void confidentiality_isMeasured_andRestsInBetween() throws Exception {
        try (Pair pair = start(SEALED)) {
            Result figures = block(pair);

            assertSealed(figures, 300);
            assertThat(restingShare()).as("of a core").isLessThan(0.05);

            pair.connect(new Load(1, 1, 0, new Load.Style(Load.Producers.ANONYMOUS, 0, Integer.MAX_VALUE)));
            Result other = pair.block(20, 500, 2_000); // a disk may stall for half a second
            assertThat(other.number(Block.RATE)).isBetween(5.0, 40.0);
            pair.disconnect();
            assertThatIOException()
                    .isThrownBy(() -> pair.block(0, 10, 10))
                    .withMessage("clients confidentiality.32.p256: clients: not connected");
        }
    }

    @Test
    void manner_ofAms_isMeasured() throws Exception {
        try (Pair pair = start(Setting.of(Protection.AMS_CONFIDENTIALITY, LIMIT, KeyKind.RSA2048))) {
            Result figures = block(pair);

            assertSealed(figures, 100);
        }
    }

    @Test
    void confidentialityOfClients_isMeasured_alsoWithLargeMessages() throws Exception {
        try (Pair pair = start(Setting.of(Protection.CLIENT_CONFIDENTIALITY, LIMIT, KeyKind.P256))) {
            Result figures = block(pair);

            assertSealed(figures, 300);

            pair.connect(Load.of(2, 2, 204_800));
            assertMeasured(pair.block(0, 500, 500));
        }
    }

    @Test
    void confidentiality_isMeasured_onTls() throws Exception {
        try (Pair pair = start(SEALED.in(new Place(Transport.TLS, "")))) {
            Result figures = block(pair);

            assertMeasured(figures);
            assertLarger(figures, 300);
        }
    }

    @Test
    void brokerOfASmallMachine_staysBelowItsLimit() throws Exception {
        assumeThat(Files.isWritable(Path.of("/sys/fs/cgroup/cpu"))
                        || Files.isWritable(Path.of("/sys/fs/cgroup/cgroup.subtree_control")))
                .as("may make control groups")
                .isTrue();
        try (Pair pair = Pair.start(SEALED, new Ground(folder(), null, Brokers.limitedTo(0.5), null))) {
            pair.connect(Load.of(20, 10, SIZE));
            Result figures = pair.block(0, 1_000, 2_000);

            double cores = figures.number(Block.BROKER_CPU) * figures.number(Block.RATE) / 1_000;
            assertThat(cores).isBetween(0.05, 0.7);
        }
    }

    /** The limit comes and goes with the loads. */
    @Test
    void addressWithLittleMemory_writesMessagesToPages_untilALoadHasMore() throws IOException {
        try (Pair pair = start(SEALED)) {
            Path paging = pair.journals().get(0).resolve("data/paging");
            pair.connect(Load.of(4, 1, SIZE));
            pair.block(0, 300, 300);
            assertThat(folders(paging)).isZero();

            pair.connect(new Load(4, 1, SIZE, Style.limited(new Limits(-1, Integer.MAX_VALUE, SIZE))));
            assertMeasured(pair.block(0, 300, 300));
            long folders = folders(paging);
            assertThat(folders).isPositive();

            pair.connect(Load.of(4, 1, SIZE));
            pair.block(0, 300, 300);
            assertThat(folders(paging)).isEqualTo(folders);
        }
    }

    /** Each address that ever paged has a folder. */
    private static long folders(Path paging) throws IOException {
        if (!Files.exists(paging)) {
            return 0;
        }
        try (Stream<Path> all = Files.list(paging)) {
            return all.count();
        }
    }

    @Test
    void storedMessages_surviveARestart_andAreOpened() throws IOException {
        Stock paged = new Stock("a", Stock.Kind.PAGED, 1500, Payload.ofSize(SIZE));
        Stock kept = new Stock("a", Stock.Kind.JOURNAL, 10, Payload.ofSize(SIZE));
        Path heap = temporary.resolve("heap.hprof");
        try (Pair pair = start(SEALED)) {
            List<Integer> ports = pair.ports();
            pair.fill(paged);
            pair.fill(kept);
            assertThat(pair.journals())
                    .hasSize(1)
                    .first()
                    .satisfies(journal -> assertThat(journal.resolve("data/paging"))
                            .isDirectoryRecursivelyContaining("glob:**.page"));

            pair.restart(() -> assertThat(pair.journals())
                    .allSatisfy(journal -> assertThat(journal).exists()));

            assertThat(pair.ports()).isNotEqualTo(ports);
            Result drained = pair.drain(paged);
            assertThat(drained.number(Pair.MESSAGES_PER_S)).isPositive();
            assertThat(drained.number("cpu_ms_per_message.broker")).isPositive();
            pair.connectVia(pair.ports());
            pair.drain(kept);
            pair.dumpHeap(heap);
        }
        assertThat(heap).isNotEmptyFile();
        Files.delete(heap);
    }

    @Test
    void brokerThatDies_failsTheBlock() throws Exception {
        try (Pair pair = start(Setting.PLAIN)) {
            pair.connect(LOAD);
            ProcessHandle broker = Collections.min(
                    children(),
                    Comparator.comparing(
                            process -> process.info().startInstant().orElseThrow()));
            broker.destroyForcibly();

            assertThatIOException().isThrownBy(() -> pair.block(0, 60_000, 60_000));
        }
    }

    @Test
    void folderOfAnother_isRefused_andStays() throws Exception {
        Path theirs = Files.createDirectory(temporary.resolve("theirs"));
        Path file = Files.writeString(theirs.resolve("file"), "precious");

        assertThatIOException()
                .isThrownBy(() -> Pair.start(Setting.PLAIN, new Ground(theirs, null, Brokers.ONE, null)))
                .isInstanceOf(FileAlreadyExistsException.class);

        assertThat(file).hasContent("precious");
    }

    private Path folder() {
        return temporary.resolve("pair");
    }

    private Pair start(Setting setting) throws IOException {
        return Pair.start(setting, new Ground(folder(), null, Brokers.ONE, null));
    }

    private static Result block(Pair pair) throws IOException {
        pair.connect(LOAD);
        return pair.block(0, 500, 500);
    }

    private static void assertUnprotected(Result figures) {
        assertMeasured(figures);
        assertThat(figures.number("unwraps_per_message")).isZero();
        assertThat(figures.number("keys_per_message")).isZero();
        assertLarger(figures, 0);
    }

    private static void assertSealed(Result figures, int larger) {
        assertMeasured(figures);
        assertKeysByLimit(figures);
        assertLarger(figures, larger);
    }

    private static void assertMeasured(Result figures) {
        assertThat(figures.number("round_trips")).isPositive();
        assertThat(figures.number(Block.RATE)).isPositive();
        assertThat(figures.number("p50_us")).isPositive().isLessThanOrEqualTo(figures.number("p99_us"));
        assertThat(figures.number("p99_us")).isLessThanOrEqualTo(figures.number("p999_us"));
        assertThat(figures.number(Block.BROKER_CPU)).isPositive();
        assertThat(figures.number(Block.CLIENT_CPU)).isPositive();
        for (String process : List.of("broker", "client")) {
            assertThat(figures.number("gc_ms_per_s." + process)).isNotNegative();
            assertThat(figures.number("jit_ms_per_s." + process)).isNotNegative();
        }
    }

    /** Checks that a key served 32 messages. Each of some keys may begin or end between two blocks. */
    private static void assertKeysByLimit(Result figures) {
        double messages = 2 * figures.number("round_trips");
        for (String field : List.of("unwraps_per_message", "keys_per_message")) {
            assertThat(figures.number(field) * messages).as(field).isCloseTo(messages / 32, within(4.0 + CLOSE));
        }
    }

    /**
     * Checks that messages had these bytes and more beyond the payload, where the system counts them. The requests that
     * were under way when the block began were sent before.
     */
    private static void assertLarger(Result figures, int protection) {
        double inBlock = 1 - LOAD.clients() / figures.number("round_trips");
        for (String field : List.of("disk_bytes_per_message", "wire_bytes_per_message")) {
            if (figures.number(field) > 0) { // a disk in memory counts nothing
                assertThat(figures.number(field)).as(field).isGreaterThan((SIZE + protection) * inBlock);
            }
        }
    }

    /** Returns the least share of a core that all processes used in some seconds: Java still compiles at first. */
    private static double restingShare() throws InterruptedException {
        double least = Double.MAX_VALUE;
        for (int i = 0; i < 4 && least >= 0.05; i++) {
            Duration before = cpu();
            long begin = System.nanoTime();
            TimeUnit.SECONDS.sleep(2);
            double seconds = (System.nanoTime() - begin) / 1e9;
            least = Math.min(least, cpu().minus(before).toMillis() / 1e3 / seconds);
        }
        return least;
    }

    private static Duration cpu() {
        return children().stream()
                .map(process -> process.info().totalCpuDuration())
                .flatMap(Optional::stream)
                .reduce(Duration.ZERO, Duration::plus);
    }

    private static List<ProcessHandle> children() {
        return ProcessHandle.current().children().filter(ProcessHandle::isAlive).toList();
    }
}
