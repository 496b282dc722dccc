/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.testkit.BrokerInstance;
import org.signetmq.testkit.Distribution;
import org.signetmq.testkit.Run;
import org.signetmq.testkit.Tier;

/**
 * Follows docs/clients.md to the letter, outside this build. It installs the libraries with its command, makes a
 * project of its code, and opens a message of a published broker.
 */
@Timeout(600)
@Tag(Tier.LONG)
final class ClientsGuideIT {
    private static final Path TOP = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    @Test
    void readerOfTheGuide_getsAConsumerThatOpensMessages() throws Exception {
        Path top = copyOfSources();
        GuideProject project = new GuideProject(
                Files.createDirectory(folder.resolve("project")), Files.readString(top.resolve("docs/clients.md")));
        project.write(Files.readString(top.resolve("pom.xml")));
        Maven maven = Maven.in(folder);
        Signet signet = Signet.withHomes(folder, "orders.#", "privacy");
        CompletableFuture<BrokerInstance> starting = CompletableFuture.supplyAsync(() -> brokerWithAMessage(signet));

        try {
            assertThat(project.commands()).hasSize(1);
            for (String command : project.commands()) {
                maven.run(top, command).ok();
            }
            maven.run(project.folder(), "mvn compile dependency:copy-dependencies")
                    .ok();
            BrokerInstance broker = starting.join();

            assertThat(runProject(project, signet, broker).ok().out().lines())
                    .containsExactly("received: CN=broker wrote apples", "opened: CN=broker wrote pears");
        } finally {
            starting.join().close();
        }
    }

    /** The documents as a reader has them, without output of this build. */
    private Path copyOfSources() throws IOException {
        Path copy = Files.createDirectory(folder.resolve("signet"));
        Files.walkFileTree(TOP, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                String name = String.valueOf(directory.getFileName());
                if (name.equals("target") || (name.startsWith(".") && !name.equals(".mvn"))) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(copy.resolve(TOP.relativize(directory)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile()) {
                    Files.copy(file, copy.resolve(TOP.relativize(file)));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return copy;
    }

    private BrokerInstance brokerWithAMessage(Signet signet) {
        try {
            BrokerInstance broker = BrokerInstance.create(Distribution.ARTEMIS_2_56, folder.resolve("broker"));
            signet.install(broker).ok();
            broker.start();
            try (PlainClient producer = new PlainClient(broker)) {
                producer.send("orders.eu", "apples");
            }
            return broker;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Run runProject(GuideProject project, Signet signet, BrokerInstance broker) throws IOException {
        Path password = Files.writeString(folder.resolve("password"), Signet.PASSWORD);
        Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
        signet.in("broker-home", "policy", "set", "sensors.#", "--quality", "privacy", "--recipient", Signet.CONSUMER)
                .ok();
        Path clear = Files.writeString(folder.resolve("clear"), "pears");
        Path sealed = folder.resolve("sealed");
        signet.in(
                        "broker-home",
                        "message",
                        "seal",
                        "--address",
                        "sensors.attic",
                        "--as",
                        "broker",
                        "--in",
                        clear.toString(),
                        "--out",
                        sealed.toString())
                .ok();
        Path target = project.folder().resolve("target");
        return Run.of(
                project.folder(),
                List.of(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-cp",
                        target.resolve("classes") + ":" + target.resolve("dependency") + "/*",
                        "Main",
                        broker.url(),
                        BrokerInstance.USER,
                        BrokerInstance.PASSWORD,
                        signet.consumerHome().toString(),
                        password.toString(),
                        "sensors/attic",
                        sealed.toString()));
    }
}
