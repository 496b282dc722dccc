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
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.console.ExitCode;

/** Root runs commands in its own folders, and is refused in those of another user, who may have put links there. */
final class RootIT {
    private static final int STRANGER = 65534;
    private static final String BROKER_XML = "<configuration><core><acceptors>"
            + "<acceptor name=\"all\">tcp://localhost:61616</acceptor></acceptors></core></configuration>";

    @TempDir
    private Path folder;

    private Path instance;
    private Path home;
    private CliRun signet;
    private String stranger;

    @BeforeEach
    void makeFolders() throws IOException {
        assumeTrue(
                Files.getAttribute(Files.createFile(folder.resolve("mine")), "unix:uid")
                        .equals(0),
                "needs root");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        signet = new CliRun(folder);
        instance = Files.createDirectory(folder.resolve("instance"));
        for (String name : List.of("etc", "lib", "bin")) {
            Files.createDirectory(instance.resolve(name));
        }
        Files.createFile(instance.resolve("bin/artemis"));
        Files.writeString(instance.resolve("etc/broker.xml"), BROKER_XML);
        home = folder.resolve("home");
        signet.ok("identity create alice --dn CN=alice --home home");
        stranger =
                Files.getOwner(chown(Files.createFile(folder.resolve("his")))).getName();
    }

    private static Path chown(Path path) throws IOException {
        Files.setAttribute(path, "unix:uid", STRANGER, LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(path, "unix:gid", STRANGER, LinkOption.NOFOLLOW_LINKS);
        return path;
    }

    private static void giveToStranger(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                chown(path);
            }
        }
    }

    /** All that is in a folder, to see that nothing changes. */
    private static Map<String, String> listing(Path folder) throws IOException {
        Map<String, String> listing = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                String content = Files.isRegularFile(path) ? "" + Files.size(path) : "";
                listing.put(path + " " + Files.readAttributes(path, "unix:mode,uid,gid,ino"), content);
            }
        }
        return listing;
    }

    private void assertRefused(String command, String... arguments) throws IOException {
        Map<String, String> before = listing(folder);

        CliRun.Result result = signet.run(arguments);

        assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(result.err())
                .contains("belongs to " + stranger + ", and root works only in its own folders")
                .contains("run: sudo -u " + stranger + " signet " + command);
        assertThat(listing(folder)).isEqualTo(before);
    }

    @Test
    void homeOfAnotherUser_isRefused_withTheCommandThatWorks() throws Exception {
        giveToStranger(home);
        String command = "--home " + home + " ...";

        assertRefused(command, "policy", "set", "x", "--quality", "integrity", "--home", "home");
        assertRefused(command, "policy", "list", "--home", "home");
        assertRefused(command, "identity", "create", "bob", "--dn", "CN=bob", "--home", "home");
        assertRefused(command, "identity", "export", "alice", "--home", "home");
        assertRefused(
                "--home " + home.resolve("new") + " ...",
                "identity",
                "create",
                "bob",
                "--dn",
                "CN=bob",
                "--home",
                "home/new");
    }

    @Test
    void doctor_inTheHomeOfAnotherUser_isRefused_withTheCommandThatWorks() throws Exception {
        giveToStranger(home);
        signet.environment("SIGNET_HOME", "home");

        assertRefused("--home " + home + " ...", "doctor");
        assertRefused("--home " + home + " ...", "doctor", "home");
    }

    @Test
    void linkToTheHomeOfAnotherUser_isRefused() throws Exception {
        giveToStranger(home);
        Files.createSymbolicLink(folder.resolve("link"), home);

        assertRefused("--home " + folder.resolve("link"), "policy", "list", "--home", "link");
    }

    @Test
    void linkThatAnotherUserMade_isNotFollowed() throws Exception {
        chown(Files.createSymbolicLink(folder.resolve("link"), home));

        assertThat(signet.fails(ExitCode.CONFIGURATION, "policy list --home link"))
                .contains(folder.resolve("link") + ": belongs to " + stranger);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "etc", "lib"})
    void instanceOfAnotherUser_isRefused_withTheCommandThatWorks(String part) throws Exception {
        giveToStranger(instance.resolve(part));

        for (String command : List.of("install", "uninstall")) {
            assertRefused("broker ... " + instance, "broker", command, "instance", "--home", "home");
            assertRefused("broker ... " + instance, "broker", command, "instance", "--home", "home", "--dry-run");
        }
    }

    @Test
    void instanceInAFolderOfAnotherUser_isRefused() throws Exception {
        Path his = chown(Files.createDirectory(folder.resolve("folder")));
        Files.move(instance, his.resolve("instance"));
        Map<String, String> before = listing(folder);

        assertThat(signet.fails(ExitCode.CONFIGURATION, "broker install folder/instance --home home"))
                .contains(his + ": belongs to " + stranger);
        assertThat(listing(folder)).isEqualTo(before);
    }

    @Test
    void instanceOfRoot_withTheHomeOfAnotherUser_isInstalled_andTheHomeIsNotTouched() throws Exception {
        giveToStranger(home);
        Map<String, String> before = listing(home);

        CliRun.Result result = signet.run("broker install instance --home home");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.err()).contains("run: sudo -u " + stranger + " signet --home " + home + " doctor home");
        assertThat(listing(home)).isEqualTo(before);
        assertThat(instance.resolve("lib/signet-plugin.jar")).exists();
    }

    @Test
    void filesOfRootsInstance_keepModeAndOwner() throws Exception {
        Path xml = instance.resolve("etc/broker.xml");
        chown(xml);
        Files.setPosixFilePermissions(xml, PosixFilePermissions.fromString("rw-r-----"));

        assertThat(signet.run("broker install instance --home home").exitCode()).isZero();

        assertThat(Files.readString(xml)).contains("SignetPlugin");
        assertThat(Files.getAttribute(xml, "unix:uid")).isEqualTo(STRANGER);
        for (String name : List.of("broker.xml", "broker.xml.signet-backup", "signet-install.json")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(
                            instance.resolve("etc").resolve(name))))
                    .isEqualTo("rw-r-----");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "etc/broker.xml",
                "etc/broker.xml.signet-backup",
                "etc/signet-install.json",
                "etc/signet-password",
                "lib/signet-plugin.jar"
            })
    void linkInPlaceOfAFile_isNotWrittenThrough(String name) throws Exception {
        Path target = Files.writeString(folder.resolve("target"), BROKER_XML);
        Files.deleteIfExists(instance.resolve(name));
        Files.createSymbolicLink(instance.resolve(name), target);

        assertThat(signet.fails(ExitCode.CONFIGURATION, "broker install instance --home home"))
                .contains(instance.resolve(name) + ": a link, which is not followed");
        assertThat(target).hasContent(BROKER_XML);
    }

    @ParameterizedTest
    @ValueSource(strings = {"policies.json", ".policies.lock"})
    void linkInTheHome_isNotWrittenThrough(String name) throws Exception {
        Path target = Files.writeString(folder.resolve("target"), "{\"schema\": 1, \"version\": 1, \"policies\": []}");
        Files.createSymbolicLink(home.resolve(name), target);

        CliRun.Result result = signet.run("policy set x --quality integrity --home home");

        assertThat(result.exitCode()).isNotZero();
        assertThat(result.err()).contains(name);
        assertThat(target).hasContent("{\"schema\": 1, \"version\": 1, \"policies\": []}");
    }

    @Test
    void out_inAFolderOfAnotherUser_isRefused_andInAStickyOneWritten() throws Exception {
        Path his = chown(Files.createDirectory(folder.resolve("folder")));
        Path sticky = Files.createDirectory(folder.resolve("tmp"));
        Files.setAttribute(sticky, "unix:mode", 01777);

        assertRefused("...", "identity", "export", "alice", "--home", "home", "--out", his + "/out");
        signet.ok("identity export alice --home home --out", sticky + "/out");

        assertThat(sticky.resolve("out")).isNotEmptyFile();
    }

    @Test
    void out_linkOrPipeOfAnotherUser_isNotWrittenInto() throws Exception {
        Path sticky = Files.createDirectory(folder.resolve("tmp"));
        Files.setAttribute(sticky, "unix:mode", 01777);
        Path target = Files.writeString(folder.resolve("target"), "mine");
        chown(Files.createSymbolicLink(sticky.resolve("link"), target));
        Path pipe = sticky.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        chown(pipe);

        for (String name : List.of("link", "pipe")) {

            assertThat(signet.fails(ExitCode.FAILURE, "identity export alice --home home --force --out", "tmp/" + name))
                    .contains(name.equals("link") ? "a link" : "a pipe or device of another user");
        }
        assertThat(target).hasContent("mine");
    }
}
