/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.signetmq.perf.broker.Disk;
import org.signetmq.perf.result.Result;

/** The conditions of a run that figures of encryption depend on. */
public final class Conditions {
    private static final String CIPHER_FIELD = "cipher";
    private static final Path CIPHERS = Path.of("/proc/crypto");
    private static final String CIPHER = "xts(aes)";
    private static final double NANOS = 1e9;

    private Conditions() {}

    /** Returns a row for each disk: its file system, and how many writes a second it makes durable. */
    static List<Result> of(Map<String, Disk> disks) throws IOException {
        List<Result> rows = new ArrayList<>();
        for (String name : List.of(Disks.PLAIN, Disks.GOCRYPTFS, Disks.IMAGE, Disks.FSCRYPT)) {
            Disk disk = disks.get(name);
            if (disk != null) {
                rows.add(Result.EMPTY
                        .with("disk", name)
                        .with("file_system", Files.getFileStore(disk.folder()).type())
                        .with("syncs_per_s", NANOS / disk.syncNanos())
                        .with(CIPHER_FIELD, cipher(name)));
            }
        }
        return rows;
    }

    private static String cipher(String disk) throws IOException {
        return switch (disk) {
            case Disks.FSCRYPT -> driver(CIPHER, Files.readAllLines(CIPHERS));
            case Disks.GOCRYPTFS -> "AES-256-GCM of gocryptfs";
            default -> "none";
        };
    }

    /** Returns the driver of a cipher that the kernel prefers, from the lines of {@code /proc/crypto}. */
    static String driver(String cipher, List<String> lines) {
        String best = "unknown";
        int priority = Integer.MIN_VALUE;
        String name = "";
        String driver = "";
        for (String line : lines) {
            int colon = line.indexOf(':');
            String key = colon < 0 ? "" : line.substring(0, colon).strip();
            String value = colon < 0 ? "" : line.substring(colon + 1).strip();
            switch (key) {
                case "name" -> name = value;
                case "driver" -> driver = value;
                case "priority" -> {
                    if (name.equals(cipher) && Integer.parseInt(value) > priority) {
                        priority = Integer.parseInt(value);
                        best = driver;
                    }
                }
                default -> {
                    // other properties do not matter
                }
            }
        }
        return best;
    }

    /** Tells whether a disk, as it stands in JSON, has a cipher without instructions of the processor for AES. */
    public static boolean hasSoftwareCipher(Result disk) {
        return isSoftware(disk.text(CIPHER_FIELD));
    }

    /** Tells whether a driver works without instructions of the processor for AES. */
    static boolean isSoftware(String driver) {
        return driver.contains("generic") || driver.contains("fixed-time");
    }
}
