/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.activemq.artemis.utils.FileUtil;
import org.signetmq.perf.broker.Disk;
import org.signetmq.perf.result.Parts;

/**
 * The disks of the experiment, with all they consist of in one private folder. They are unmounted and deleted on close,
 * or when a signal ends the process.
 */
final class Disks implements AutoCloseable {
    static final String PLAIN = "plain";
    static final String GOCRYPTFS = "gocryptfs";
    static final String IMAGE = "image";
    static final String FSCRYPT = "fscrypt";

    private static final long IMAGE_BYTES = 8L << 30; // most of it is never written
    private static final long FREE_BYTES = 4L << 30;
    private static final int KEY_BYTES = 32;
    private static final Path CACHES = Path.of("/proc/sys/vm/drop_caches");
    private static final Duration MOUNTING = Duration.ofSeconds(20);
    /** Brokers that a signal ends at the same time still write. */
    private static final Duration UNMOUNTING = Duration.ofSeconds(60);

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Path folder;
    private final long imageBytes;
    private final Program program;
    private final Map<String, Disk> disks = new LinkedHashMap<>();
    private final Thread atExit = new Thread(this::end, "signet-perf-unmount");
    private boolean isEnded;

    private Disks(Path folder, long imageBytes) {
        this.folder = folder;
        this.imageBytes = imageBytes;
        this.program = new Program(folder.resolve("log"));
    }

    /**
     * Makes and mounts all disks in a new folder of this parent.
     *
     * @throws IOException if there is not enough space, or a program fails; nothing is left behind
     */
    static Disks mount(Path parent) throws IOException {
        return mount(parent, IMAGE_BYTES);
    }

    /** Does the same with an image of this size. */
    static Disks mount(Path parent, long imageBytes) throws IOException {
        long free = Files.getFileStore(parent).getUsableSpace();
        if (free < FREE_BYTES) {
            throw new IOException(parent + ": needs 4 GiB of free space, found " + (free >> 20) + " MiB");
        }
        Disks disks = new Disks(
                Files.createTempDirectory(parent.toRealPath(), "signet-perf-disks-"), imageBytes); // mode 0700
        Runtime.getRuntime().addShutdownHook(disks.atExit);
        try {
            disks.step(disks::makePlain);
            disks.step(disks::mountGocryptfs);
            disks.step(disks::mountImage);
            disks.step(disks::encryptFolder);
            return disks;
        } catch (IOException | RuntimeException e) {
            disks.close();
            throw e;
        }
    }

    private interface Step {
        void take() throws IOException;
    }

    /** Takes a step before or after the end, but not meanwhile. */
    private synchronized void step(Step step) throws IOException {
        if (isEnded) {
            throw new IOException("ended by a signal");
        }
        step.take();
    }

    /** Returns the disks by their names. */
    Map<String, Disk> all() {
        return Map.copyOf(disks);
    }

    /** Returns the name of a new folder for a pair, which is deleted with the disks at the latest. */
    Path newFolder() {
        return folder.resolve("pair-" + UUID.randomUUID());
    }

    /** Returns the name of a new file beside the disks, which is deleted with them at the latest. */
    Path newFile(String name) {
        return folder.resolve(UUID.randomUUID() + "-" + name);
    }

    /** Returns what holds the bytes of a disk below its file system: a folder, or the file of an image. */
    Path storedBytes(String disk) {
        return switch (disk) {
            case GOCRYPTFS -> folder.resolve("gocryptfs.cipher");
            case IMAGE, FSCRYPT -> folder.resolve("image.ext4");
            default -> folder.resolve("plain");
        };
    }

    /** Has the operating system write all that it holds back for the disks. */
    void synchronise() throws IOException {
        program.run("sync");
    }

    /** Has the operating system forget what the disks hold, so that it must be read again. */
    void dropCache() throws IOException {
        synchronise();
        Files.writeString(CACHES, "3");
    }

    private void makePlain() throws IOException {
        disks.put(PLAIN, Disk.of(make("plain")));
    }

    private void mountGocryptfs() throws IOException {
        Path password = secret("gocryptfs.password");
        Path cipher = make("gocryptfs.cipher");
        Path point = make("gocryptfs");
        program.run("gocryptfs", "-init", "-q", "-passfile", password.toString(), cipher.toString());
        // a session of its own: an interrupt from the terminal must not end it before the brokers
        Process daemon = program.start(
                Map.of(),
                "setsid",
                "gocryptfs",
                "-fg",
                "-q",
                "-passfile",
                password.toString(),
                cipher.toString(),
                point.toString());
        long end = System.nanoTime() + MOUNTING.toNanos();
        while (!MountTable.read().has(point)) {
            if (!daemon.isAlive() || System.nanoTime() > end) {
                daemon.destroyForcibly();
                throw new IOException("gocryptfs: does not mount: " + program.lastWords());
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        disks.put(GOCRYPTFS, new Disk(make("gocryptfs/journals"), daemon.toHandle()));
    }

    private void mountImage() throws IOException {
        Path image = folder.resolve("image.ext4");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(imageBytes);
        }
        Path point = make("image");
        // the kernel would write what is lazy while brokers are measured
        program.run(
                "mkfs.ext4",
                "-q",
                "-F",
                "-b",
                "4096",
                "-m",
                "0",
                "-T",
                "largefile",
                "-E",
                "lazy_itable_init=0,lazy_journal_init=0",
                "-O",
                "encrypt",
                image.toString());
        program.run("mount", "-o", "loop,nodev,nosuid", image.toString(), point.toString());
        disks.put(IMAGE, Disk.of(make("image/plain")));
    }

    /** Encrypts a folder of the image. The program's own settings are ours, so it leaves nothing on the system. */
    private void encryptFolder() throws IOException {
        Path settings = folder.resolve("fscrypt.conf");
        Files.writeString(settings, """
                {"source": "raw_key", "hash_costs": {"time": "1", "memory": "1024", "parallelism": "1"},
                 "options": {"padding": "32", "contents": "AES_256_XTS", "filenames": "AES_256_CTS",
                             "policy_version": "2"},
                 "use_fs_keyring_for_v1_policies": false, "allow_cross_user_metadata": false}
                """);
        Path image = folder.resolve("image");
        Path encrypted = make("image/encrypted");
        Map<String, String> environment =
                Map.of("FSCRYPT_CONF", settings.toString(), "FSCRYPT_ROOT_MNT", image.toString());
        program.run(environment, "fscrypt", "setup", image.toString(), "--quiet");
        program.run(
                environment,
                "fscrypt",
                "encrypt",
                encrypted.toString(),
                "--source=raw_key",
                "--key=" + rawKey(),
                "--name=journals",
                "--quiet");
        disks.put(FSCRYPT, Disk.of(make("image/encrypted/journals")));
    }

    private Path make(String name) throws IOException {
        return Files.createDirectory(folder.resolve(name));
    }

    private Path secret(String name) throws IOException {
        return write(name, HexFormat.of().formatHex(random()).getBytes(StandardCharsets.US_ASCII));
    }

    private Path rawKey() throws IOException {
        return write("fscrypt.key", random());
    }

    private static byte[] random() {
        byte[] bytes = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    private Path write(String name, byte[] content) throws IOException {
        Path file = Files.createFile(
                folder.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.write(file, content);
    }

    private synchronized void end() {
        isEnded = true;
        boolean isInterrupted = Thread.interrupted(); // it would end the programs that unmount
        try {
            unmountAll();
            deleteAll();
        } catch (IOException | UncheckedIOException e) {
            System.err.println("signet: error: " + folder + ": is left behind: " + Parts.reason(e));
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Deletes all. After a signal the brokers may still write for a moment. */
    private void deleteAll() throws IOException {
        long end = System.nanoTime() + UNMOUNTING.toNanos();
        while (!FileUtil.deleteDirectory(folder.toFile()) && Files.exists(folder)) {
            if (System.nanoTime() > end) {
                throw new IOException("its files cannot be deleted");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Unmounts all; after a while also what is in use. */
    private void unmountAll() throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        long end = System.nanoTime() + UNMOUNTING.toNanos();
        List<Path> left = MountTable.read().below(folder);
        while (!left.isEmpty()) {
            boolean isLate = System.nanoTime() > end;
            for (Path point : left) {
                unmount(point, isLate);
            }
            left = MountTable.read().below(folder);
            if (isLate && !left.isEmpty()) {
                throw new IOException("umount: " + program.lastWords());
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private void unmount(Path point, boolean isLate) {
        try {
            if (isLate) {
                program.run("umount", "--lazy", point.toString());
            } else {
                program.run("umount", point.toString());
            }
        } catch (IOException inUse) {
            // the table of mounts says whether it is still there
        }
    }

    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException itRuns) {
            // a signal has ended us
        }
    }
}
