/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.testkit.BrokerInstance;
import org.signetmq.testkit.Distribution;
import org.signetmq.testkit.Tier;

/** The applications of examples/, built by Maven outside this build with the jars of it, on a published broker. */
@Timeout(600)
@Tag(Tier.LONG)
final class JavaExamplesIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String[] ORDERS = {
        "order of apples: privacy, signed by CN=alice",
        "payment for apples: privacy, signed by CN=alice",
        "price: apples cost 2"
    };

    @TempDir
    static Path folder;

    private static Signet signet;
    private static BrokerInstance broker;
    private static Maven maven;

    @BeforeAll
    static void start() throws IOException {
        signet = Signet.withHomes(folder, "orders.#", "privacy");
        signet.in(
                        "broker-home",
                        "policy",
                        "set",
                        "payments.#",
                        "--quality",
                        "privacy",
                        "--recipient",
                        Signet.CONSUMER,
                        "--where",
                        "client")
                .ok();
        signet.handPolicies();
        broker = BrokerInstance.create(Distribution.ARTEMIS_2_56, folder.resolve("broker"));
        signet.install(broker).ok();
        broker.start();
        maven = Maven.in(folder);
        maven.take(Path.of(".."), "policy", "keystore", "envelope", "client", "spring-boot-starter");
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void springBoot_sendsAndReceives_alsoProcessedAheadOfTime() throws IOException {
        Path project = copyOf("spring-boot");
        maven.run(project, "mvn -Pnative package").ok();
        List<String> properties = List.of(
                "--spring.artemis.broker-url=" + broker.url(),
                "--spring.artemis.user=" + BrokerInstance.USER,
                "--spring.artemis.password=" + BrokerInstance.PASSWORD,
                "--signet.home=" + signet.consumerHome());

        for (String aheadOfTime : List.of("false", "true")) {
            List<String> command = command("-Dspring.aot.enabled=" + aheadOfTime, "-jar", "target/orders.jar");
            command.addAll(properties);
            assertPrints(project, command, ORDERS);
        }
    }

    @Test
    void quarkus_sendsAndReceives() throws IOException {
        Path project = copyOf("quarkus");
        maven.run(project, "mvn package").ok();
        Path password = Files.writeString(folder.resolve("password"), Signet.PASSWORD);
        Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));

        assertPrints(
                project,
                command(
                        "-Dquarkus.artemis.provider.url=" + broker.url(),
                        "-Dquarkus.artemis.provider.username=" + BrokerInstance.USER,
                        "-Dquarkus.artemis.provider.password=" + BrokerInstance.PASSWORD,
                        "-Dsignet.home=" + signet.consumerHome(),
                        "-Dsignet.password-file=" + password,
                        "-jar",
                        "target/quarkus-app/quarkus-run.jar"),
                ORDERS[0]);
    }

    private static Path copyOf(String example) throws IOException {
        Path sources = Path.of("..", "examples", example);
        Path copy = folder.resolve(example);
        try (Stream<Path> all = Files.walk(sources)) {
            for (Path each :
                    (Iterable<Path>) all.filter(path -> !path.toString().contains("/target"))::iterator) {
                Files.copy(each, copy.resolve(sources.relativize(each).toString()));
            }
        }
        return copy;
    }

    private static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin/java").toString(), "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Runs an application until it has printed these lines, or ended. */
    private static void assertPrints(Path project, List<String> command, String... lines) throws IOException {
        Path output = Files.createTempFile(folder, "output", ".log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().putAll(Map.of("SIGNET_PASSWORD", Signet.PASSWORD));
        Process process = builder.start();
        try {
            await().atMost(PATIENCE)
                    .until(() -> Files.readAllLines(output).containsAll(List.of(lines)) || !process.isAlive());
            assertThat(Files.readAllLines(output)).contains(lines);
        } finally {
            process.destroyForcibly().onExit().join();
        }
    }
}
