/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.pair.Pair.Disk;
import org.signetmq.perf.process.Requests;
import org.signetmq.perf.process.Script;

/**
 * The disks of the experiment: a plain folder, gocryptfs on it, an ext4 image, and a folder of the image that fscrypt
 * encrypts. They are unmounted and deleted on close, or when a signal ends the process. Needs root.
 */
public final class Disks implements AutoCloseable {
    public static final String PLAIN = "plain";
    public static final String GOCRYPTFS = "gocryptfs";
    public static final String IMAGE = "image";
    public static final String FSCRYPT = "fscrypt";

    private static final long FREE_BYTES = 4L << 30;

    private final Path folder;
    private final Thread atExit = new Thread(this::end, "signet-perf-unmount");
    private Map<String, Disk> disks = Map.of();

    /**
     * Makes and mounts all disks in a new folder of this parent.
     *
     * @param imageSize such as {@code 8G}; most of it is never written
     * @throws IOException if there is not enough space, or a program fails; nothing is left behind
     */
    public Disks(Path parent, String imageSize) throws IOException {
        long free = Files.getFileStore(parent).getUsableSpace();
        if (free < FREE_BYTES) {
            throw new IOException(parent + ": needs 4 GiB of free space, found " + (free >> 20) + " MiB");
        }
        folder = Files.createTempDirectory(parent.toRealPath(), "signet-perf-disks-"); // mode 0700
        Runtime.getRuntime().addShutdownHook(atExit);
        try {
            String daemon = Script.run("mount", folder.toString(), imageSize);
            disks = Map.of(
                    PLAIN, disk("plain", null),
                    GOCRYPTFS, disk("gocryptfs/journals", process(daemon)),
                    IMAGE, disk("image/plain", null),
                    FSCRYPT, disk("image/encrypted/journals", null));
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private Disk disk(String name, @Nullable ProcessHandle daemon) {
        return new Disk(folder.resolve(name), daemon);
    }

    private static ProcessHandle process(String id) throws IOException {
        try {
            return ProcessHandle.of(Long.parseLong(id)).orElseThrow(() -> new IOException("gocryptfs: has ended"));
        } catch (NumberFormatException e) {
            throw new IOException("gocryptfs: no process: " + id, e);
        }
    }

    public Map<String, Disk> all() {
        return disks;
    }

    /** Returns the name of a new folder for a pair, which is deleted with the disks at the latest. */
    Path newFolder() {
        return folder.resolve("pair-" + UUID.randomUUID());
    }

    /** Returns what holds the bytes of a disk below its file system: a folder, or the file of an image. */
    Path storedBytes(String disk) {
        return switch (disk) {
            case GOCRYPTFS -> folder.resolve("gocryptfs.cipher");
            case IMAGE, FSCRYPT -> folder.resolve("image.ext4");
            default -> folder.resolve("plain");
        };
    }

    /** Has the operating system write all that it holds back, and forget what the disks hold. */
    void forget() throws IOException {
        Script.run("forget");
    }

    /** Returns the driver of the cipher that the kernel uses for fscrypt; one in software overstates its cost. */
    public static String kernelCipher() throws IOException {
        return Script.run("cipher");
    }

    private synchronized void end() {
        try {
            if (Files.exists(folder)) {
                Script.run("unmount", folder.toString());
            }
        } catch (IOException e) {
            System.err.println("signet: error: " + folder + ": is left behind: " + Requests.reason(e));
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
