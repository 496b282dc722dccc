/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.testkit.BrokerInstance;
import org.signetmq.testkit.Distribution;
import org.signetmq.testkit.Run;

/** The archive of a release, as its users have it. */
final class ReleaseIT {
    /** A number without a name, which root gives up its rights for. */
    private static final String STRANGER = "47115";

    private static final int CONFIGURATION = 3;

    @TempDir
    private static Path shared;

    private static Release release;

    @TempDir
    private Path folder;

    @BeforeAll
    static void unpack() throws IOException {
        release = Release.unpackedIn(shared.resolve("plain"));
    }

    @Test
    void version_withoutJavaInThePath_isPrinted() throws Exception {
        Run run = release.with("PATH", release.programs().toString()).signet("--version");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isEqualTo("signet " + Release.VERSION + "\n");
        assertThat(run.out()).isEqualTo(release.signet("-q", "--version").out());
    }

    @Test
    void noJava_isSaidInOneLineWithAHint() throws Exception {
        Run run = release.with("PATH", release.programs().toString()).signet("identity", "list");

        assertThat(run.exitCode()).isEqualTo(CONFIGURATION);
        assertThat(run.err().lines())
                .containsExactly(
                        "signet: error: no java found",
                        "signet: hint: install a Java runtime 17 or later, or set JAVA_HOME");
    }

    @Test
    void wrongJavaHome_isSaidInOneLineWithAHint() throws Exception {
        Run run = release.with("JAVA_HOME", folder.toString()).signet("identity", "list");

        assertThat(run.exitCode()).isEqualTo(CONFIGURATION);
        assertThat(run.err().lines())
                .containsExactly(
                        "signet: error: JAVA_HOME: no bin/java in " + folder,
                        "signet: hint: set it to the folder of a Java runtime 17 or later");
    }

    @Test
    void java11_isSaidInOneLineWithAHint() throws Exception {
        Path java = Files.createDirectories(folder.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nexit 99\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(folder.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");

        Run run = release.with("JAVA_HOME", folder.toString()).signet("identity", "list");

        assertThat(run.exitCode()).isEqualTo(CONFIGURATION);
        assertThat(run.err().lines())
                .containsExactly(
                        "signet: error: Java 17 or later is needed, " + java + " is version 11",
                        "signet: hint: set JAVA_HOME to a Java runtime 17 or later");
    }

    @Test
    void firstCommand_preparesAFasterStart_andLaterOnesUseItInSilence() throws Exception {
        Release user = release.with("HOME", folder.toString());

        Run first = user.signet("policy", "--help");
        Run second = user.with("SIGNET_JAVA_OPTS", "-Xlog:class+load:file=" + folder.resolve("loaded"))
                .signet("policy", "--help");

        assertThat(first.err()).matches("signet: preparing a faster start, once .*\n");
        assertThat(second.err()).isEmpty();
        assertThat(second.out()).isEqualTo(first.out());
        assertThat(folder.resolve("loaded"))
                .content()
                .contains("org.signetmq.cli.Main source: shared objects file")
                .contains("picocli.CommandLine source: shared objects file");
    }

    @Test
    void firstCommand_withoutStandardError_works() throws Exception {
        Run run = release.with("HOME", folder.toString())
                .run(List.of("sh", "-c", "exec \"$@\" 2>&-", "sh"), "policy", "--help");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("signet policy");
    }

    /**
     * All files of a release have the time of its source, which is often before the first command of the one before.
     */
    @Test
    void laterReleaseInTheSamePlace_preparesAFasterStartAnew() throws Exception {
        Release user = Release.unpackedIn(folder.resolve("upgraded"));
        user.signet("policy", "--help").ok();
        Path jar = user.root().resolve("lib/signet.jar");
        FileTime time = Files.getLastModifiedTime(jar);
        try (FileSystem inside = FileSystems.newFileSystem(jar)) {
            Files.writeString(inside.getPath("later"), "release");
        }
        Files.setLastModifiedTime(jar, time);
        Files.writeString(user.root().resolve("lib/version"), "signet 99.0.0\n");

        Run first = user.signet("policy", "--help");
        Run second = user.signet("policy", "--help");

        assertThat(first.err()).matches("signet: preparing a faster start, once .*\n");
        assertThat(second.err()).isEmpty();
        try (Stream<Path> archives = Files.list(user.folder().resolve("home/.cache/signet"))) {
            assertThat(archives).hasSize(1);
        }
    }

    /** Java trusts the classes of an archive: who may write it may do what its users may. */
    @Test
    void cacheThatOthersMayWrite_isNotUsed() throws Exception {
        Path cache = Files.createDirectories(folder.resolve("signet"));
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));

        Run run = release.with("XDG_CACHE_HOME", folder.toString()).signet("policy", "--help");

        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(cache).isEmptyDirectory();
    }

    /** As with sudo that keeps HOME: the other user may put another folder in its place at any moment. */
    @Test
    void cacheInAFolderOfAnotherUser_isNotUsed() throws Exception {
        Run.of("chown", STRANGER, folder.toString()).ok();

        Run run = release.with("XDG_CACHE_HOME", folder.toString()).signet("policy", "--help");

        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(folder.resolve("signet")).isEmptyDirectory();
    }

    @Test
    void pathWithSpacesAndOtherLetters_readOnly_withoutHomeAndCompiler_works() throws Exception {
        Path place = folder.resolve("Überweisungen und mehr");
        Release odd = Release.unpackedIn(place);
        Path java = folder.resolve("runtime");
        Run.of(
                        Path.of(System.getProperty("java.home"), "bin/jlink").toString(),
                        "--add-modules",
                        "java.se,jdk.crypto.ec,jdk.crypto.cryptoki,jdk.unsupported,jdk.jfr,jdk.management,jdk.httpserver",
                        "--output",
                        java.toString())
                .ok();
        Run.of("chmod", "-R", "a+rX,a-w", odd.root().toString(), odd.programs().toString(), java.toString())
                .ok();
        Run.of("chmod", "a+rx", folder.toString(), place.toString()).ok();
        Run.of("chown", "-R", STRANGER + ":" + STRANGER, odd.folder().toString())
                .ok();
        Release stranger = odd.with("HOME", "").with("JAVA_HOME", java.toString());
        List<String> as = List.of(setpriv(), "--reuid", STRANGER, "--regid", STRANGER, "--clear-groups");

        Run created = stranger.run(as, "identity", "create", "zoë", "--dn", "CN=Zoë");
        Run named = stranger.run(as, "identity", "create", "zoe", "--dn", "CN=Zoë");
        Run listed = stranger.run(as, "identity", "list");
        Run demo = stranger.run(as, "demo", "--messages", "5", "-q");

        assertThat(created.exitCode()).as("a name is of ASCII").isNotZero();
        assertThat(named.err()).doesNotContain("preparing").doesNotContain("arning");
        assertThat(listed.exitCode()).isZero();
        assertThat(listed.err()).isEmpty();
        assertThat(listed.out()).contains("CN=Zoë");
        assertThat(demo.exitCode()).as(demo.err()).isZero();
        assertThat(demo.err()).isEmpty();
        Run.of("chmod", "-R", "u+w", folder.toString()).ok();
    }

    @Test
    void demo_fromAnEmptyFolder_leavesNothingThere() throws Exception {
        Release user = new Release(release.root(), folder, release.environment());

        Run run = user.signet("demo", "--messages", "5");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("Core/JMS", "AMQP", "MQTT", "STOMP");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void pluginOfTheArchive_inAPublishedBroker_sealsWhatItsCommandOpens_andIsNotTakenTwice() throws Exception {
        Release user = new Release(release.root(), folder, release.environment())
                .with("SIGNET_BROKER_USER", BrokerInstance.USER)
                .with("SIGNET_BROKER_PASSWORD", BrokerInstance.PASSWORD);
        user.signet("identity", "create", "shop", "--dn", "CN=shop").ok();
        try (BrokerInstance broker = BrokerInstance.create(Distribution.ARTEMIS_2_56, folder.resolve("broker"))) {
            user.signet("broker", "install", "broker", "--identity", "shop", "--admin-role", BrokerInstance.ROLE)
                    .ok();
            broker.start();
            String url = broker.url();
            user.signet("policy", "set", "orders", "--quality", "privacy", "--recipient", "shop", "--broker", url)
                    .ok();
            user.signet("policy", "export", "--broker", url, "--out", "signet-home/policies.json");
            broker.artemis(
                            "producer",
                            "--url=" + url,
                            "--user=" + BrokerInstance.USER,
                            "--password=" + BrokerInstance.PASSWORD,
                            "--destination=queue://orders",
                            "--message=ten pounds of tea",
                            "--message-count=3",
                            "--silent")
                    .ok();

            Run browsed = user.signet("queue", "browse", "orders", "--as", "shop", "--broker", url);
            Run status = user.signet("broker", "status", url);

            assertThat(browsed.out()).as(browsed.err()).contains("ten pounds of tea");
            assertThat(status.exitCode()).as(status.out() + status.err()).isZero();
            // an administrator puts the jar of another version beside it
            broker.stop();
            Files.copy(
                    release.root().resolve("broker/signet-plugin.jar"),
                    folder.resolve("broker/lib/signet-plugin-0.0.9.jar"));
            broker.launch();
            await().atMost(Duration.ofMinutes(3))
                    .until(() ->
                            broker.console().contains("Signet refuses to start: it is on the broker's class path"));
            assertThat(broker.console()).contains("lib/signet-plugin.jar!", "lib/signet-plugin-0.0.9.jar!");
            assertThat(user.signet("broker", "status", url).exitCode()).isNotZero();
            broker.kill();
            Run found = Run.of("grep", "-rlaF", "pounds of tea", broker.data().toString());
            assertThat(found.exitCode()).as("in clear in " + found.out()).isEqualTo(1);
            assertThat(folder.resolve("broker/lib/signet-plugin.jar"))
                    .hasSameBinaryContentAs(release.root().resolve("broker/signet-plugin.jar"));
        }
    }

    @Test
    void zip_hasTheFilesOfTheOtherArchive() throws Exception {
        Run.of(
                        folder,
                        List.of(
                                "unzip",
                                "-q",
                                Release.TARGET
                                        .resolve("signet-" + Release.VERSION + ".zip")
                                        .toString()))
                .ok();

        Run differences = Run.of(
                "diff",
                "-r",
                folder.resolve("signet-" + Release.VERSION).toString(),
                release.root().toString());

        assertThat(differences.out()).isEmpty();
        assertThat(Files.isExecutable(folder.resolve("signet-" + Release.VERSION + "/bin/signet")))
                .isTrue();
    }

    @Test
    void checksums_areThoseOfTheFiles() throws Exception {
        Run run = Run.of(Release.TARGET, List.of("sha256sum", "--strict", "--check", "SHA256SUMS"))
                .ok();

        assertThat(run.out().lines())
                .containsExactlyInAnyOrder(
                        "signet-" + Release.VERSION + ".tar.gz: OK",
                        "signet-" + Release.VERSION + ".zip: OK",
                        "signet_" + Release.VERSION + "_all.deb: OK");
    }

    @Test
    void listOfComponents_namesEachLibraryWithItsLicence() throws Exception {
        JsonNode list = new ObjectMapper()
                .readTree(release.root().resolve("signet.cdx.json").toFile());
        String licences = Files.readString(release.root().resolve("licenses/THIRD-PARTY.txt"));

        assertThat(list.path("bomFormat").asText()).isEqualTo("CycloneDX");
        List<String> names = list.path("components").findValuesAsText("name");
        assertThat(names).contains("artemis-server", "bcprov-jdk18on", "picocli", "uplot", "jackson-databind");
        for (JsonNode component : list.path("components")) {
            if (!component.path("group").asText().equals("org.signetmq")) {
                assertThat(licences)
                        .contains(component.path("name").asText() + " "
                                + component.path("version").asText() + ": ");
            }
        }
        Path licenses = release.root().resolve("licenses");
        assertThat(licences.lines().skip(2).map(line -> line.substring(line.lastIndexOf(", ") + 2)))
                .isNotEmpty()
                .allSatisfy(text -> assertThat(licenses.resolve(text)).isNotEmptyFile());
    }

    @Test
    void manual_hasAPageForEachCommandWithItsExamples() throws Exception {
        Path pages = release.root().resolve("share/man/man1");

        assertThat(pages.resolve("signet.1")).content().contains("SYNOPSIS");
        assertThat(pages.resolve("signet-policy-set.1"))
                .content()
                .contains("SYNOPSIS", "signet policy set orders.#", "\\-\\-quality")
                .doesNotContain("URL...]");
        try (Stream<Path> all = Files.list(pages)) {
            assertThat(all.count()).isGreaterThan(50);
        }
    }

    @Test
    void documents_areThereAsASiteWithSearch() {
        Path docs = release.root().resolve("docs");

        assertThat(docs.resolve("index.html")).content().contains("What it costs");
        assertThat(docs.resolve("operations.html")).isNotEmptyFile();
        assertThat(docs.resolve("search/search_index.js")).isNotEmptyFile();
    }

    @Test
    void programsInOtherLanguages_areThere_withoutWhatTheirBuildsMade() throws Exception {
        Path examples = release.root().resolve("examples");

        for (String program : List.of(
                "python/consumer.py",
                "go/consumer/main.go",
                "node/consumer.mjs",
                "rust/src/bin/consumer.rs",
                "spring-boot/pom.xml")) {
            assertThat(examples.resolve(program)).isNotEmptyFile();
        }
        try (Stream<Path> all = Files.walk(examples)) {
            assertThat(all.map(file -> file.getFileName().toString()))
                    .doesNotContain("target", "node_modules", "__pycache__");
        }
        assertThat(release.root().resolve("python/signet_open-" + Release.VERSION + "-py3-none-any.whl"))
                .isNotEmptyFile();
    }

    @Test
    void completionOfBash_offersCommandsAndOptions() throws Exception {
        String script = "source '" + release.root().resolve("share/completion/signet.bash")
                + "'; COMP_WORDS=(signet pol); COMP_CWORD=1; _complete_signet; echo \"${COMPREPLY[@]}\""
                + "; COMP_WORDS=(signet policy set --qual); COMP_CWORD=3; _complete_signet; echo \"${COMPREPLY[@]}\"";

        Run run = Run.of("bash", "-c", script).ok();

        assertThat(run.out().lines().map(String::strip)).containsExactly("policy", "--quality");
    }

    @Test
    void completionOfFish_offersCommandsAndOptions() throws Exception {
        assumeThat(Run.isInstalled("fish")).as("fish is installed").isTrue();
        String script = "source '" + release.root().resolve("share/completion/signet.fish")
                + "'; complete -C 'signet pol'; complete -C 'signet --home x policy set --qual'";

        Run run = Run.of("fish", "--private", "-c", script).ok();

        assertThat(run.out().lines().map(line -> line.split("\t", -1)[0])).containsExactly("policy", "--quality");
    }

    @Test
    void package_hasTheSameFilesWhereDebianHasThem() throws Exception {
        Run.of(
                        "dpkg-deb",
                        "--extract",
                        Release.TARGET
                                .resolve("signet_" + Release.VERSION + "_all.deb")
                                .toString(),
                        folder.toString())
                .ok();

        Run version = Run.of(folder.resolve("usr/bin/signet").toString(), "--version");

        assertThat(version.out()).isEqualTo("signet " + Release.VERSION + "\n");
        assertThat(folder.resolve("usr/lib/signet/lib/signet.jar"))
                .hasSameBinaryContentAs(release.root().resolve("lib/signet.jar"));
        assertThat(folder.resolve("usr/share/man/man1/signet.1")).isNotEmptyFile();
        assertThat(folder.resolve("usr/share/bash-completion/completions/signet"))
                .isNotEmptyFile();
        Run owners = Run.of(
                "dpkg-deb",
                "--contents",
                Release.TARGET.resolve("signet_" + Release.VERSION + "_all.deb").toString());
        assertThat(owners.out().lines()).allSatisfy(line -> assertThat(line).contains(" root/root "));
    }

    private static String setpriv() throws IOException {
        return Run.of("sh", "-c", "command -v setpriv").ok().out().strip();
    }
}
