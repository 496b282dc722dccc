/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.signetmq.testkit.BrokerInstance;

/** The Spring Boot application in a process and with a class path of its own. */
final class SpringApplication implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 20;

    private final Process process;
    private final BufferedWriter commands;
    private final Path output;

    /**
     * Something that the application did.
     *
     * @param what such as {@code default} for a message in the container of that name
     * @param quality what protected a message; {@code none} if nothing did, {@code null} as text if it is no message
     * @param millis when it was
     * @param text of the message
     */
    record Event(String what, String quality, long millis, String text) {
        static Event of(String line) {
            String[] words = line.split(" ", 5);
            return new Event(words[1], words[2], Long.parseLong(words[3]), words[4]);
        }
    }

    private SpringApplication(Process process, Path output) {
        this.process = process;
        this.commands = process.outputWriter(StandardCharsets.UTF_8);
        this.output = output;
    }

    /** Starts it with the consumer's home. */
    static SpringApplication start(Path folder, Signet signet, BrokerInstance broker) throws IOException {
        Path built = Path.of(System.getProperty("signet.spring.application", "spring-boot/target"));
        Path password = Files.writeString(folder.resolve("spring-password"), Signet.PASSWORD);
        Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
        Path output = folder.resolve("spring.log");
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        built.resolve("classes").toAbsolutePath() + ":"
                                + built.resolve("libraries").toAbsolutePath() + "/*",
                        "org.signetmq.spring.Application",
                        "--spring.artemis.broker-url=" + broker.url(),
                        "--spring.artemis.user=" + BrokerInstance.USER,
                        "--spring.artemis.password=" + BrokerInstance.PASSWORD,
                        "--signet.home=" + signet.consumerHome(),
                        "--signet.password-file=" + password))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new SpringApplication(process, output);
    }

    /** Has it do something. */
    void command(String command) throws IOException {
        commands.write(command + "\n");
        commands.flush();
    }

    /** The lines that it has printed so far, the first line first. */
    List<Event> events() throws IOException {
        return log().lines()
                .filter(line -> line.startsWith("EVENT "))
                .map(Event::of)
                .toList();
    }

    /** The events of one kind. */
    List<Event> events(String what) throws IOException {
        return events().stream().filter(event -> event.what().equals(what)).toList();
    }

    /** Everything that it printed. The last line may be half there. */
    String log() throws IOException {
        String all = Files.readString(output);
        return all.substring(0, all.lastIndexOf('\n') + 1);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Ends it in order, as its input ends. */
    int stop() throws Exception {
        commands.close();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the application does not end\n" + log());
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
