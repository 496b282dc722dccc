/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Stream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.keystore.home.Password;
import org.signetmq.testkit.BrokerInstance;
import org.signetmq.testkit.Distribution;
import org.signetmq.testkit.Run;
import org.signetmq.testkit.Tier;

/** A broker of a random user, whose home is a Secret of Kubernetes, or whose password comes from systemd. */
@Tag(Tier.LONG)
final class SecretHomeIT {
    private static final String USER = "1000650000";
    private static final String FS_GROUP = "1000651111";
    private static final String TEXT = "ten pounds of apples, and nobody else needs to know";
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    private Path folder;

    private final Deque<Path> mounted = new ArrayDeque<>();
    private Signet signet;
    private Path home;

    @BeforeEach
    void makeHomes() throws IOException {
        assumeTrue(Files.getAttribute(folder, "unix:uid").equals(0), "needs root, to mount and to change the user");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        signet = Signet.withHomes(folder, "orders", "privacy");
        home = folder.resolve("broker-home");
        Files.writeString(home.resolve("password"), Signet.PASSWORD);
        Files.setPosixFilePermissions(home.resolve("password"), PosixFilePermissions.fromString("rw-------"));
    }

    @AfterEach
    void unmount() throws IOException {
        for (Path point : mounted) {
            Run.of("umount", "--lazy", point.toString()).ok();
        }
    }

    @Test
    void homeFromASecret_seals_andFollowsItsRotation() throws Exception {
        try (BrokerInstance broker = broker()) {
            Path content = Files.move(home, folder.resolve("content"));
            Path volume = tmpfs("volume");
            rotate(volume, content, "..first");
            Run.of("chgrp", FS_GROUP, volume.toString()).ok();
            Run.of("chmod", "3777", volume.toString()).ok();
            Files.createDirectory(home);
            mount(home, "--bind", volume.toString());
            Run.of("mount", "-o", "remount,bind,ro", home.toString()).ok();
            start(broker, "0");

            assertSealsAndOpens(broker, "orders");

            Files.createDirectory(home.resolveSibling("next"));
            Run.of("cp", "-rT", content.toString(), folder.resolve("next").toString())
                    .ok();
            signet.in(
                            "next",
                            "policy",
                            "set",
                            "bills",
                            "--quality",
                            "privacy",
                            "--recipient",
                            "alice",
                            "--vouching-broker",
                            "broker")
                    .ok();
            rotate(volume, folder.resolve("next"), "..second");
            await().atMost(PATIENCE).until(() -> broker.console().contains("2 policies, version 2"));
            Files.copy(
                    folder.resolve("next/policies.json"),
                    signet.consumerHome().resolve("policies.json"),
                    StandardCopyOption.REPLACE_EXISTING);
            assertSealsAndOpens(broker, "bills");
        }
    }

    @Test
    void passwordThatAnAclLetsTheBrokerRead_isTaken() throws Exception {
        Path credentials = tmpfs("credentials");
        Path password = Files.move(home.resolve("password"), credentials.resolve("password"));
        try (BrokerInstance broker = broker("--password-file", password.toString())) {
            Run.of("chown", "-R", USER, home.toString()).ok();
            acl(password, 4);
            acl(credentials, 5);
            assertThat(Files.getAttribute(password, "unix:mode")).isEqualTo(0100440);
            Run.of("mount", "-o", "remount,bind,ro", credentials.toString()).ok();
            start(broker, USER);

            assertSealsAndOpens(broker, "orders");
        }
    }

    /** Makes a file or folder readable for root and the broker's user alone, as systemd does. */
    private static void acl(Path path, int permissions) throws IOException {
        String entries = "[(1,%1$d,-1),(2,%1$d,%2$s),(4,0,-1),(16,%1$d,-1),(32,0,-1)]".formatted(permissions, USER);
        Run set = Run.of(
                "python3",
                "-c",
                "import os,struct; os.setxattr('" + path + "','system.posix_acl_access',struct.pack('<I',2)"
                        + "+b''.join(struct.pack('<HHi',*e) for e in " + entries + "))");
        assumeTrue(set.exitCode() == 0, "needs python3 and a file system with access control lists: " + set.err());
    }

    private BrokerInstance broker(String... options) throws IOException {
        BrokerInstance broker = BrokerInstance.create(Distribution.ARTEMIS_2_56, folder.resolve("broker"));
        signet.install(
                        broker,
                        Stream.concat(Stream.of("--policy-store", "file"), Stream.of(options))
                                .toArray(String[]::new))
                .ok();
        Run.of("chown", "-R", USER + ":0", broker.folder().toString()).ok();
        return broker;
    }

    private static void start(BrokerInstance broker, String group) throws IOException {
        broker.start("setpriv", "--reuid", USER, "--regid", group, "--groups", FS_GROUP);
    }

    private Path tmpfs(String name) throws IOException {
        Path point = Files.createDirectory(folder.resolve(name));
        mount(point, "-t", "tmpfs", "tmpfs");
        return point;
    }

    private void mount(Path point, String... what) throws IOException {
        Run.of(Stream.of(Stream.of("mount"), Stream.of(what), Stream.of(point.toString()))
                        .flatMap(words -> words)
                        .toArray(String[]::new))
                .ok();
        mounted.push(point);
    }

    /** Puts another version into the volume, as the kubelet does. */
    private static void rotate(Path volume, Path content, String name) throws IOException {
        Path version = volume.resolve(name);
        Run.of("cp", "-r", content.toString(), version.toString()).ok();
        Run.of("chgrp", "-R", FS_GROUP, version.toString()).ok();
        Run.of("chmod", "-R", "u=rX,g=rX,o=", version.toString()).ok();
        Path data = volume.resolve("..data");
        Path former = Files.exists(data) ? data.toRealPath() : null;
        Files.createSymbolicLink(volume.resolve("..data_tmp"), version.getFileName());
        Files.move(volume.resolve("..data_tmp"), data, StandardCopyOption.ATOMIC_MOVE);
        try (Stream<Path> entries = Files.list(version)) {
            for (Path entry : (Iterable<Path>) entries::iterator) {
                Path link = volume.resolve(entry.getFileName());
                if (!Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
                    Files.createSymbolicLink(link, Path.of("..data").resolve(entry.getFileName()));
                }
            }
        }
        if (former != null) {
            Run.of("rm", "-r", former.toString()).ok();
        }
    }

    private void assertSealsAndOpens(BrokerInstance broker, String address) throws Exception {
        try (Connection sending = connect(new ActiveMQConnectionFactory(broker.url()))) {
            Session session = sending.createSession();
            session.createProducer(session.createQueue(address)).send(session.createTextMessage(TEXT));
        }
        assertThat(holdsText(broker.data())).isFalse();
        ConnectionFactory factory = SignetConnectionFactory.open(
                new ActiveMQConnectionFactory(broker.url()),
                signet.consumerHome(),
                Signet.CONSUMER,
                Password.takeOwnershipOf(Signet.PASSWORD.toCharArray()));
        try (Connection receiving = connect(factory)) {
            Session session = receiving.createSession();
            Queue queue = session.createQueue(address);
            receiving.start();
            Message message = session.createConsumer(queue).receive(PATIENCE.toMillis());
            assertThat(message.getBody(String.class)).isEqualTo(TEXT);
            assertThat(message.getStringProperty("JMS_Signet_Signer")).contains("broker");
        }
    }

    private static Connection connect(ConnectionFactory factory) throws Exception {
        return factory.createConnection(BrokerInstance.USER, BrokerInstance.PASSWORD);
    }

    private static boolean holdsText(Path data) throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(TEXT)) {
                    return true;
                }
            }
        }
        return false;
    }
}
