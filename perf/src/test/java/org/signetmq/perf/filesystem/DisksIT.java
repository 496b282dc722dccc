/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.broker.Disk;
import org.signetmq.perf.result.Result;
import org.signetmq.testkit.Tier;

/** Real mounts. */
@Tag(Tier.LONG)
final class DisksIT {
    private static final long SMALL_IMAGE = 128L << 20; // all of it is searched
    private static final int MARK_AT = 512; // it divides the size of a block

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @BeforeEach
    void assumeMounts() throws Exception {
        Assumed.mounts();
    }

    private static Disk disk(Disks disks, String name) {
        return Objects.requireNonNull(disks.all().get(name));
    }

    private void assertNothingLeft() throws IOException {
        assertThat(MountTable.read().below(folder.toRealPath())).isEmpty();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void disks_areMountedUntilTheyAreClosed() throws Exception {
        Optional<ProcessHandle> daemon;
        try (Disks disks = Disks.mount(folder)) {
            assertThat(disks.all())
                    .containsOnlyKeys(Disks.PLAIN, Disks.GOCRYPTFS, Disks.IMAGE, Disks.FSCRYPT)
                    .allSatisfy((name, disk) -> assertThat(disk.folder()).isEmptyDirectory());
            assertThat(MountTable.read().below(folder.toRealPath())).hasSize(2);
            assertThat(Conditions.of(disks.all()))
                    .extracting(row -> row.text("file_system"))
                    .element(1)
                    .isEqualTo("fuse.gocryptfs");
            assertThat(Conditions.of(disks.all())).allSatisfy(DisksIT::assertDescribed);
            daemon = Optional.ofNullable(disk(disks, Disks.GOCRYPTFS).daemon());
            assertThat(daemon).get().returns(true, ProcessHandle::isAlive);
            assertThat(disk(disks, Disks.GOCRYPTFS).daemonCpuMillis()).isNotNegative();
        }

        assertNothingLeft();
        daemon.orElseThrow().onExit().get(3, TimeUnit.MINUTES);
    }

    private static void assertDescribed(Result row) {
        assertThat(row.number("syncs_per_s")).isPositive();
        assertThat(row.text("cipher")).isNotEmpty().isNotEqualTo("unknown");
    }

    @Test
    void encryptedDisks_doNotKeepPlaintext_andTheOthersDo() throws Exception {
        try (Disks disks = Disks.mount(folder, SMALL_IMAGE)) {
            disks.all().forEach((name, disk) -> write(disk, mark(name)));
            Path parts =
                    Objects.requireNonNull(disk(disks, Disks.PLAIN).folder().getParent());

            assertThat(isIn(parts.resolve("plain"), mark(Disks.PLAIN))).isTrue();
            assertThat(isIn(parts.resolve("image.ext4"), mark(Disks.IMAGE))).isTrue();
            assertThat(isIn(parts.resolve("image.ext4"), mark(Disks.FSCRYPT))).isFalse();
            assertThat(isIn(parts.resolve("gocryptfs.cipher"), mark(Disks.GOCRYPTFS)))
                    .isFalse();
        }
        assertNothingLeft();
    }

    private static String mark(String disk) {
        return "a plain mark on " + disk + " ".repeat(MARK_AT);
    }

    private static void write(Disk disk, String mark) {
        byte[] content = mark.substring(0, MARK_AT).repeat(20).getBytes(StandardCharsets.US_ASCII);
        try (FileChannel file = FileChannel.open(
                disk.folder().resolve("file"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(content));
            file.force(true); // so that it is in the image
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Looks for a mark at the beginnings of sectors, as files have it. */
    private static boolean isIn(Path place, String mark) throws IOException {
        byte[] wanted = mark.substring(0, MARK_AT).getBytes(StandardCharsets.US_ASCII);
        try (Stream<Path> files = Files.walk(place)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (isInFile(file, wanted)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isInFile(Path file, byte[] wanted) throws IOException {
        byte[] buffer = new byte[1 << 20];
        try (InputStream in = Files.newInputStream(file)) {
            for (int read = in.readNBytes(buffer, 0, buffer.length);
                    read > 0;
                    read = in.readNBytes(buffer, 0, buffer.length)) {
                for (int at = 0; at + wanted.length <= read; at += MARK_AT) {
                    if (Arrays.equals(buffer, at, at + wanted.length, wanted, 0, wanted.length)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    @Test
    void diskInUse_isUnmountedWhenItsFilesAreClosed() throws Exception {
        Disks disks = Disks.mount(folder);
        CompletableFuture<Void> closed;
        try (OutputStream inUse =
                Files.newOutputStream(disk(disks, Disks.FSCRYPT).folder().resolve("file"))) {
            closed = CompletableFuture.runAsync(disks::close);
            assertThatThrownBy(() -> closed.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            inUse.write(1);
        }

        closed.get(3, TimeUnit.MINUTES);
        assertNothingLeft();
    }

    @Test
    void interruptedMounting_leavesNothing() throws Exception {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> Disks.mount(folder)).hasMessage("gocryptfs: interrupted");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertNothingLeft();
    }

    @Test
    void interruptedUser_closesAllTheSame() throws Exception {
        Disks disks = Disks.mount(folder);
        Thread.currentThread().interrupt();
        try {
            disks.close();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertNothingLeft();
    }

    @Test
    void folderWithSpaces_isUnmountedToo() throws Exception {
        Path spaced = Files.createDirectory(folder.resolve("a folder"));

        Disks.mount(spaced).close();

        assertThat(MountTable.read().below(folder.toRealPath())).isEmpty();
        assertThat(spaced).isEmptyDirectory();
    }
}
