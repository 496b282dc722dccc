/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.testkit.Tier;

/** Root runs commands in folders of another user, who has put links there. */
final class RootAttackIT {
    private static final int STRANGER = 65534;
    private static final String BROKER_XML = "<configuration><core><acceptors>"
            + "<acceptor name=\"all\">tcp://localhost:61616</acceptor></acceptors></core></configuration>";

    @TempDir
    private Path folder;

    private Path instance;
    private Path home;
    private Path roots;
    private CliRun signet;

    @BeforeEach
    void makeFolders() throws IOException {
        assumeTrue(
                Files.getAttribute(Files.createFile(folder.resolve("mine")), "unix:uid")
                        .equals(0),
                "needs root");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        signet = new CliRun(folder);
        roots = Files.createDirectory(folder.resolve("roots"));
        instance = Files.createDirectory(folder.resolve("instance"));
        home = Files.createDirectory(folder.resolve("home"));
        for (String name : List.of("etc", "lib", "bin")) {
            Files.createDirectory(instance.resolve(name));
        }
        Files.createFile(instance.resolve("bin/artemis"));
        Files.writeString(instance.resolve("etc/broker.xml"), BROKER_XML);
        giveToStranger(instance);
        giveToStranger(home);
    }

    private static void giveToStranger(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                chown(path);
            }
        }
    }

    private static Path chown(Path path) throws IOException {
        Files.setAttribute(path, "unix:uid", STRANGER, LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(path, "unix:gid", STRANGER, LinkOption.NOFOLLOW_LINKS);
        return path;
    }

    private static Path strangersLink(Path link, Path target) throws IOException {
        Files.deleteIfExists(link);
        return chown(Files.createSymbolicLink(link, target));
    }

    private CliRun.Result install() {
        return signet.run("broker", "install", "instance", "--home", "home");
    }

    /** All that is in a folder of root, to see that nothing changes. */
    private static Map<String, String> listing(Path folder) throws IOException {
        Map<String, String> listing = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                String content = Files.isRegularFile(path) ? Files.readString(path) : "";
                listing.put(path + " " + Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS), content);
            }
        }
        return listing;
    }

    private static void assertAllBelongToStranger(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                assertThat(Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS))
                        .as(path.toString())
                        .isEqualTo(STRANGER);
                assertThat(path.getFileName().toString()).doesNotEndWith(".new").doesNotStartWith(".signet-");
            }
        }
    }

    @Test
    void ordinaryInstance_installedByRoot_belongsToItsUser() throws Exception {
        Files.setPosixFilePermissions(instance.resolve("etc/broker.xml"), PosixFilePermissions.fromString("rw-r-----"));

        assertThat(install().exitCode()).isZero();

        assertAllBelongToStranger(instance);
        assertThat(instance.resolve("lib/signet-plugin.jar")).exists();
        for (String name : List.of("broker.xml", "broker.xml.signet-backup", "signet-install.json")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(
                            instance.resolve("etc").resolve(name))))
                    .isEqualTo("rw-r-----");
        }
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(instance.resolve("etc/signet-password"))))
                .isEqualTo("rw-------");

        assertThat(signet.run("broker", "uninstall", "instance").exitCode()).isZero();
        assertAllBelongToStranger(instance);
        assertThat(instance.resolve("etc/broker.xml")).hasContent(BROKER_XML);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "etc/broker.xml",
                "etc/broker.xml.signet-backup",
                "etc/signet-install.json",
                "etc/signet-password",
                "lib/signet-plugin.jar",
                "lib/signet-plugin.jar.signet-backup"
            })
    void linkInPlaceOfAFile_changesNothingOfRoot(String name) throws Exception {
        Path target = Files.writeString(roots.resolve("target"), BROKER_XML);
        strangersLink(instance.resolve(name), target);
        Map<String, String> before = listing(roots);

        CliRun.Result result = install();

        assertThat(listing(roots)).isEqualTo(before);
        if (!name.endsWith("jar.signet-backup")) { // which a first installation does not touch
            assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
            assertThat(result.err()).contains(instance.resolve(name) + ": a link, which is not followed");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "etc/broker.xml.signet-backup",
                "etc/signet-install.json",
                "etc/signet-password",
                "lib/signet-plugin.jar"
            })
    void linkToNowhere_makesNothing(String name) throws Exception {
        strangersLink(instance.resolve(name), roots.resolve("new"));

        assertThat(install().exitCode()).isEqualTo(ExitCode.CONFIGURATION);

        assertThat(roots).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"etc", "lib"})
    void linkInPlaceOfAFolder_isRejected(String name) throws Exception {
        Path real = Files.move(instance.resolve(name), roots.resolve(name));
        chown(real);
        strangersLink(instance.resolve(name), real);
        Map<String, String> before = listing(roots);

        CliRun.Result result = install();

        assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(result.err()).contains(instance.resolve(name) + ": a link, which is not followed");
        assertThat(listing(roots)).isEqualTo(before);
    }

    @Test
    void linkOfAnotherUserAbove_isRejected_andOneOfRootIsFollowed() throws Exception {
        strangersLink(instance.resolve("self"), instance);
        assertThat(signet.run("broker", "install", "instance/self", "--home", "home")
                        .exitCode())
                .isEqualTo(ExitCode.CONFIGURATION);

        Files.createSymbolicLink(folder.resolve("by-root"), instance);
        assertThat(signet.run("broker", "install", "by-root", "--home", "home").exitCode())
                .isZero();
    }

    @Test
    void hardLinkToAFileOfRoot_isNeitherReadNorReplaced() throws Exception {
        Path secret = Files.writeString(roots.resolve("secret"), BROKER_XML.replace("all", "secret"));
        for (String mode : List.of("rw-------", "rw-r--r--")) {
            Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString(mode));
            Files.deleteIfExists(instance.resolve("etc/broker.xml"));
            Files.createLink(instance.resolve("etc/broker.xml"), secret);

            assertThat(install().exitCode()).isEqualTo(ExitCode.CONFIGURATION);

            assertThat(instance.resolve("etc/broker.xml.signet-backup")).doesNotExist();
            assertThat(Files.getAttribute(secret, "unix:uid")).isEqualTo(0);
        }
    }

    @Test
    void secretOfRootMovedIntoTheInstance_isNotCopied() throws Exception {
        Path moved = Files.writeString(instance.resolve("etc/signet-install.json"), "{}");
        Files.setPosixFilePermissions(moved, PosixFilePermissions.fromString("rw-------"));

        assertThat(install().exitCode()).isEqualTo(ExitCode.CONFIGURATION);
    }

    @Test
    void brokerXmlOfRoot_staysRoots() throws Exception {
        Files.setAttribute(instance.resolve("etc/broker.xml"), "unix:uid", 0);

        assertThat(install().exitCode()).isZero();

        assertThat(Files.getAttribute(instance.resolve("etc/broker.xml"), "unix:uid"))
                .isEqualTo(0);
        assertThat(Files.getAttribute(instance.resolve("etc/broker.xml.signet-backup"), "unix:uid"))
                .isEqualTo(STRANGER);
    }

    @Test
    void policies_inAnotherUsersHome_belongToThatUser() throws Exception {
        signet.ok("identity", "create", "alice", "--dn", "CN=alice", "--home", "home");
        signet.ok("policy", "set", "orders", "--quality", "privacy", "--recipient", "alice", "--home", "home");

        assertAllBelongToStranger(home);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve("identities/alice.p12"))))
                .isEqualTo("rw-------");
        assertThat(signet.run("doctor", "home", "--home", "home").exitCode()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"policies.json", ".policies.lock"})
    void policySet_linkInTheHome_changesNothingOfRoot(String name) throws Exception {
        for (String target : List.of("existing", "missing")) {
            Files.writeString(roots.resolve("existing"), "{\"schema\": 1, \"version\": 1, \"policies\": []}");
            strangersLink(home.resolve(name), roots.resolve(target));
            Map<String, String> before = listing(roots);

            CliRun.Result result = signet.run("policy", "set", "x", "--quality", "integrity", "--home", "home");

            assertThat(result.exitCode()).isNotZero();
            assertThat(result.err()).contains(name);
            assertThat(listing(roots)).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"recipients", "trust", "identities"})
    void identityCreate_linkInPlaceOfAFolder_changesNothingOfRoot(String name) throws Exception {
        strangersLink(home.resolve(name), roots);

        CliRun.Result result = signet.run("identity", "create", "alice", "--dn", "CN=alice", "--home", "home");

        assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(roots).isEmptyDirectory();
        assertThat(home.resolve("trust/alice.pem")).doesNotExist();
        assertThat(home.resolve("recipients/alice.pem")).doesNotExist();
    }

    @Test
    void out_inAnotherUsersFolder_isNotALink() throws Exception {
        signet.ok("identity", "create", "alice", "--dn", "CN=alice", "--home", "home");
        Path target = Files.writeString(roots.resolve("target"), "mine");
        strangersLink(instance.resolve("out"), target);
        strangersLink(instance.resolve("folder"), roots);

        for (String out : List.of("instance/out", "instance/folder/target", "instance/folder/new")) {
            assertThat(signet.run("identity", "export", "alice", "--home", "home", "--force", "--out", out)
                            .exitCode())
                    .isEqualTo(ExitCode.FAILURE);
        }

        assertThat(listing(roots)).hasSize(2).containsValue("mine");
    }

    @Test
    void out_pipeOfAnotherUser_isNotWrittenInto() throws Exception {
        signet.ok("identity", "create", "alice", "--dn", "CN=alice", "--home", "home");
        Path pipe = instance.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        chown(pipe);

        CliRun.Result result =
                signet.run("identity", "export", "alice", "--home", "home", "--force", "--out", "instance/pipe");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err()).contains("a pipe or device of another user");
    }

    /** The other user exchanges folders for links all the time, while root installs again and again. */
    @Tag(Tier.LONG)
    @Test
    void foldersExchangedMeanwhile_nothingOfRootChanges() throws Exception {
        Path decoy = Files.createDirectories(roots.resolve("etc"));
        Files.writeString(decoy.resolve("broker.xml"), BROKER_XML);
        Files.createDirectories(roots.resolve("lib"));
        Map<String, String> before = listing(roots);
        AtomicBoolean done = new AtomicBoolean();
        Thread exchanging = new Thread(() -> {
            while (!done.get()) {
                for (String name : List.of("etc", "lib")) {
                    exchange(name);
                }
            }
        });
        exchanging.start();
        try {
            for (int i = 0; i < 40; i++) {
                install();
                signet.run("broker", "uninstall", "instance");
            }
        } finally {
            done.set(true);
            exchanging.join();
        }
        Map<String, String> after = listing(roots);
        after.keySet().removeIf(path -> path.contains("/.signet-")); // an empty folder of root's own
        assertThat(after).isEqualTo(before);
    }

    private void exchange(String name) {
        try {
            Path aside = instance.resolve(name + ".aside");
            Files.move(instance.resolve(name), aside);
            strangersLink(instance.resolve(name), roots.resolve(name));
            Files.delete(instance.resolve(name));
            Files.move(aside, instance.resolve(name));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
