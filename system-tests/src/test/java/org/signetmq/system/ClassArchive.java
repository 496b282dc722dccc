/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.signetmq.testkit.Run;

/** An archive with the classes of the program signet, from which Java starts it faster. */
final class ClassArchive {
    private static final Path FOLDER = Path.of("target").toAbsolutePath();

    private ClassArchive() {}

    /**
     * Returns the options of Java for the archive of a jar. The first test that needs it makes it, while others wait.
     */
    static List<String> options(Path jar) throws IOException {
        Path archive = FOLDER.resolve("signet.jsa");
        // tests run in several processes
        try (FileChannel channel = FileChannel.open(
                FOLDER.resolve("signet.jsa.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.lock();
            if (!Files.exists(archive)
                    || Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(jar)) < 0) {
                make(archive, jar);
            }
        }
        return List.of("-Xlog:cds=off", "-Xlog:cds+dynamic=off", "-XX:SharedArchiveFile=" + archive);
    }

    /** A Java that cannot make one leaves an empty file, which every start ignores. */
    private static void make(Path archive, Path jar) throws IOException {
        Path rehearsal = Files.createTempDirectory(FOLDER, "rehearsal-");
        Path made = rehearsal.resolve("archive");
        Run run = Run.of(
                rehearsal,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xbatch", // methods that wait for the compiler now would never be compiled later
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-XX:ArchiveClassesAtExit=" + made,
                        "-Xlog:disable",
                        "-cp",
                        jar.toString(),
                        "org.signetmq.cli.Rehearsal",
                        rehearsal.toString()));
        if (run.exitCode() != 0) {
            Files.write(made, new byte[0]);
        }
        Files.move(made, archive, StandardCopyOption.REPLACE_EXISTING);
    }
}
