/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.testkit;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** A broker as it is published. */
public enum Distribution {
    ARTEMIS_2_56("2.56.0"),
    ARTEMIS_2_44("2.44.0");

    private final String version;

    Distribution(String version) {
        this.version = version;
    }

    /** The newest broker; all with {@code -Dsignet.system.distributions=all}. */
    public static List<Distribution> inParts() {
        return System.getProperty("signet.system.distributions", "").equals("all")
                ? List.of(values())
                : List.of(ARTEMIS_2_56);
    }

    /** Returns the newest broker in the short tier, and all in the long one. */
    public static Stream<Distribution> tested() {
        return Tier.cases(1, values());
    }

    public String version() {
        return version;
    }

    /** The folder with the unpacked distribution. The first test that needs it unpacks it, while others wait. */
    public synchronized Path home() throws IOException {
        Path archives = Path.of(System.getProperty("signet.distributions", "target/distributions"));
        Path home = archives.resolve("apache-artemis-" + version);
        Path lock = archives.resolve(version + ".lock");
        // tests run in several processes
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.lock();
            if (!Files.exists(home)) {
                unpack(archives, home);
            }
        }
        return home;
    }

    private void unpack(Path archives, Path home) throws IOException {
        Path part = Files.createDirectories(archives.resolve("part-" + version));
        Path archive = archives.resolve("apache-artemis-" + version + "-bin.tar.gz");
        Run.of(
                        archives,
                        List.of(
                                "tar",
                                "xzf",
                                archive.toAbsolutePath().toString(),
                                "-C",
                                part.toAbsolutePath().toString()))
                .ok();
        Files.move(part.resolve(home.getFileName()), home);
        Files.delete(part);
    }
}
