/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.apache.activemq.artemis.utils.FileUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.testkit.Tier;

/** The script at the top of the project, in a project of its own with a Maven of our own that notes each build. */
final class LauncherIT {
    private static final Path TOP = Path.of("..").toAbsolutePath().normalize();
    private static final Path JAR = TOP.resolve("cli/target/signet.jar");

    /** A folder without spaces for all tests of the archive: the archive is made once, and copied for each of them. */
    @TempDir
    private static Path shared;

    @TempDir
    private Path folder;

    private Path project;
    private Path builds;
    private boolean isJavaOfPath;

    /** What a process left behind. */
    private record Ended(int exitCode, String out, String err) {}

    @BeforeEach
    void setUp() throws IOException {
        project = folder.resolve("a project");
        builds = folder.resolve("builds");
        Files.createDirectories(project.resolve("cli/src/main"));
        Files.copy(TOP.resolve("signet"), project.resolve("signet"));
        Path functions = Path.of("dist/src/main/lib/launch.sh");
        Files.createDirectories(project.resolve(functions).getParent());
        Files.copy(TOP.resolve(functions), project.resolve(functions));
        Files.writeString(project.resolve("pom.xml"), "");
        Files.writeString(project.resolve("cli/pom.xml"), "");
        Files.writeString(project.resolve("cli/src/main/Source.java"), "");
        mavenThatBuilds();
    }

    @Test
    void jar_saysThatItUsesNativeLibraries_soThatNewJavaDoesNotWarn() throws Exception {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            assertThat(jar.getManifest().getMainAttributes().getValue("Enable-Native-Access"))
                    .isEqualTo("ALL-UNNAMED");
        }
    }

    @Tag(Tier.LONG)
    @Test
    void firstUse_buildsOnceAndSaysSo() throws Exception {
        Ended first = signet("--version");
        Ended second = signet("--version");

        assertThat(first.exitCode()).isZero();
        assertThat(first.out()).matches("signet [0-9]+\\.[0-9]+.*\\R");
        assertThat(first.err().lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("signet: building"),
                        line -> assertThat(line).startsWith("signet: preparing"));
        assertThat(second.out()).isEqualTo(first.out());
        assertThat(second.err()).isEmpty();
        assertThat(builds).content().isEqualToIgnoringNewLines("-q -B -Pquick -pl cli -am package");
    }

    @Tag(Tier.LONG)
    @Test
    void newerSource_isBuiltAnew() throws Exception {
        useJavaThatMakesNoArchive();
        signet("--version");
        Files.setLastModifiedTime(
                project.resolve("cli/src/main/Source.java"),
                FileTime.from(Instant.now().plusSeconds(60)));

        Ended ended = signet("--version");

        assertThat(ended.exitCode()).isZero();
        assertThat(builds).content().hasLineCount(2);
    }

    @Tag(Tier.LONG)
    @Test
    void cutJar_isBuiltAnew() throws Exception {
        useJavaThatMakesNoArchive();
        Files.createDirectories(project.resolve("cli/target"));
        Files.write(project.resolve("cli/target/signet.jar"), new byte[] {'P', 'K', 3, 4});

        Ended ended = signet("--version");

        assertThat(ended.exitCode()).isZero();
        assertThat(builds).content().hasLineCount(1);
    }

    @Tag(Tier.LONG)
    @Test
    void perf_isBuiltAndRunFromAJarOfItsOwn() throws Exception {
        Files.createDirectories(project.resolve("perf/src/main"));
        maven("cp '" + JAR + "' perf/target/signet-perf.jar");

        Ended ended = signet("perf", "--version");

        assertThat(ended.exitCode()).isZero();
        assertThat(ended.out()).as("what the jar is told: all but the word").startsWith("signet ");
        assertThat(builds).content().isEqualToIgnoringNewLines("-q -B -Pquick -pl perf -am package");
        assertThat(project.resolve("cli/target/signet.jar")).doesNotExist();
    }

    @Tag(Tier.LONG)
    @Test
    void newerSourceOfTheOther_isNoReasonToBuild() throws Exception {
        useJavaThatMakesNoArchive();
        Path benchmark =
                Files.createDirectories(project.resolve("perf/src/main")).resolve("Benchmark.java");
        Files.writeString(benchmark, "");
        signet("--version");
        Files.setLastModifiedTime(benchmark, FileTime.from(Instant.now().plusSeconds(60)));
        Files.setLastModifiedTime(
                benchmark.getParent(), FileTime.from(Instant.now().plusSeconds(60)));

        Ended ended = signet("--version");

        assertThat(ended.err()).isEmpty();
        assertThat(builds).content().hasLineCount(1);
    }

    @Tag(Tier.LONG)
    @Test
    void twoFirstUsesAtOnce_buildOnce() throws Exception {
        useJavaThatMakesNoArchive();
        Process one = start(List.of(project.resolve("signet").toString(), "--version"));
        Process other = start(List.of(project.resolve("signet").toString(), "--version"));

        assertThat(end(one).exitCode()).isZero();
        assertThat(end(other).exitCode()).isZero();
        assertThat(builds).content().hasLineCount(1);
    }

    @Test
    void failedBuild_showsTheEndOfItsLogAndRunsNothing() throws Exception {
        maven("echo 'BUILD FAILURE: a semicolon'; exit 1");

        Ended ended = signet("--version");

        assertThat(ended.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).contains("BUILD FAILURE: a semicolon").contains("signet: error: the build failed");
    }

    @Test
    void noJava_isSaidClearly() throws Exception {
        ProcessBuilder builder = builder(List.of(project.resolve("signet").toString(), "--version"));
        builder.environment().put("JAVA_HOME", folder.toString());

        Ended ended = end(builder.start());

        assertThat(ended.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(ended.err())
                .startsWith("signet: error: JAVA_HOME: no bin/java in ")
                .contains("JDK 17");
    }

    @Test
    void oldJava_isSaidClearly() throws Exception {
        script(folder.resolve("old/bin/java"), "echo 'openjdk version \"11.0.2\" 2019-01-15' >&2");
        ProcessBuilder builder = builder(List.of(project.resolve("signet").toString(), "--version"));
        builder.environment().put("JAVA_HOME", folder.resolve("old").toString());

        Ended ended = end(builder.start());

        assertThat(ended.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(ended.err()).contains("Java 17 or later is needed").contains("is version 11");
    }

    @Test
    void linkAndOtherFolder_findTheProject() throws Exception {
        useJavaThatMakesNoArchive();
        Path links = Files.createDirectories(folder.resolve("some links"));
        Files.createSymbolicLink(links.resolve("inner"), Path.of("../a project/signet"));
        Files.createSymbolicLink(links.resolve("sig net"), Path.of("inner"));

        Ended ended = end(start(List.of(links.resolve("sig net").toString(), "--version")));

        assertThat(ended.exitCode()).isZero();
        assertThat(ended.out()).startsWith("signet ");
    }

    @Tag(Tier.LONG)
    @Test
    void argumentsAndStreams_passExactly() throws Exception {
        Files.createDirectories(project.resolve("cli/target"));
        Files.copy(JAR, project.resolve("cli/target/signet.jar"));
        signet("identity", "create", "alice", "--dn", "CN=Zoë  von X $HOME *");
        signet("policy", "set", "a", "--quality", "privacy", "--recipient", "alice");
        byte[] payload = {0, 'a', '\r', '\n', (byte) 0xFF, '\n'};
        Files.write(folder.resolve("payload"), payload);
        String script = "'a project/signet' message seal --address a --as alice < payload"
                + " | 'a project/signet' message open --address a --as alice > opened";

        Ended ended = end(start(List.of("sh", "-c", script)));

        assertThat(ended.err()).isEmpty();
        assertThat(folder.resolve("opened")).hasBinaryContent(payload);
        assertThat(signet("identity", "show", "alice").out()).contains("CN=Zoë  von X $HOME *");
        assertThat(signet("identity", "show", "nobody").exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(builds).doesNotExist();
    }

    /** What makes a start slow is not loaded where it is not needed. */
    @Test
    void version_loadsNeitherBrokerNorCryptography() throws Exception {
        useJavaThatMakesNoArchive();
        Files.createDirectories(project.resolve("cli/target"));
        Files.copy(JAR, project.resolve("cli/target/signet.jar"));

        assertThat(sourcesOfClasses("--version"))
                .contains("org.signetmq.cli.Main ")
                .doesNotContain(" org.apache.", " org.bouncycastle.", " io.netty.", " org.eclipse.");
    }

    @Tag(Tier.LONG)
    @Test
    void javaThatMakesNoArchive_isAskedOnce() throws Exception {
        Files.createDirectories(project.resolve("cli/target"));
        Files.copy(JAR, project.resolve("cli/target/signet.jar"));
        useJavaThatMakesNoArchive();

        Ended first = signet("--version");
        Ended second = signet("--version");

        assertThat(first.exitCode()).isZero();
        assertThat(second.exitCode()).isZero();
        assertThat(second.err()).isEmpty();
        assertThat(folder.resolve("attempts")).content().hasLineCount(1);
    }

    @Tag(Tier.LONG)
    @Test
    void archiveOfTheSameMomentAsTheJar_isKept() throws Exception {
        Files.createDirectories(project.resolve("cli/target"));
        Path jar = Files.copy(JAR, project.resolve("cli/target/signet.jar"));
        useJavaThatMakesNoArchive();
        signet("--version");
        try (Stream<Path> made = Files.list(jar.getParent())) {
            Path archive = made.filter(file -> file.toString().endsWith(".jsa"))
                    .findFirst()
                    .orElseThrow();
            Files.setLastModifiedTime(archive, Files.getLastModifiedTime(jar));
        }

        assertThat(signet("--version").err()).isEmpty();
        assertThat(folder.resolve("attempts")).content().hasLineCount(1);
    }

    /** The Java in the path notes each attempt. Most tests use it, because each archive takes seconds. */
    private void useJavaThatMakesNoArchive() throws IOException {
        Path real = Path.of(System.getProperty("java.home"));
        script(
                folder.resolve("bin/java"),
                "case \"$*\" in *ArchiveClassesAtExit*) echo >> '" + folder.resolve("attempts")
                        + "'; exit 1 ;; esac; exec '" + real.resolve("bin/java") + "' \"$@\"");
        script(folder.resolve("bin/javac"), "exec '" + real.resolve("bin/javac") + "' \"$@\"");
        isJavaOfPath = true;
    }

    @Tag(Tier.LONG)
    @Test
    void afterABuild_commandsStartFromAnArchiveOfClasses() throws Exception {
        archiveInFolderWithoutSpaces();

        assertThat(sourcesOfClasses("policy", "--help")).contains("org.signetmq.cli.Main source: shared objects file");
    }

    /**
     * What waits for the compiler when the archive is written is never compiled in those who use it. Sealing hundreds
     * of megabytes is then ten times slower, and this shows it first: it runs so often that the best compiler has to
     * have it.
     */
    @Tag(Tier.LONG)
    @Test
    void largeMessageSealedFromTheArchive_hasItsDigestCompiled() throws Exception {
        archiveInFolderWithoutSpaces();
        signet("identity", "create", "alice", "--dn", "CN=alice");
        signet("policy", "set", "a", "--quality", "privacy", "--recipient", "alice");
        Files.write(folder.resolve("payload"), new byte[96 << 20]);
        ProcessBuilder builder = builder(List.of(
                project.resolve("signet").toString(),
                "message",
                "seal",
                "--address=a",
                "--as=alice",
                "--in=payload",
                "--out=sealed"));
        builder.environment().put("SIGNET_JAVA_OPTS", "-XX:+PrintCompilation");

        Ended ended = end(builder.start());

        assertThat(ended.exitCode()).isZero();
        assertThat(ended.out()).containsPattern(" 4 +sun\\.security\\.provider\\.SHA5::implCompress0 ");
    }

    /** A jar that somebody else put there, older than the archive and newer than the sources. */
    @Tag(Tier.LONG)
    @Test
    void archiveOfAnotherJar_isIgnoredInSilence() throws Exception {
        Path archive = archiveInFolderWithoutSpaces();
        try (Stream<Path> sources = Files.walk(project).filter(file -> !file.equals(archive))) {
            for (Path source : sources.toList()) {
                Files.setLastModifiedTime(source, FileTime.from(Instant.EPOCH));
            }
        }
        Files.setLastModifiedTime(
                project.resolve("cli/target/signet.jar"), FileTime.from(Instant.EPOCH.plusSeconds(1000)));

        assertThat(sourcesOfClasses("policy", "--help")).doesNotContain("org.signetmq.cli.Main source: shared objects");

        assertThat(builds).content().hasLineCount(1);
    }

    @Tag(Tier.LONG)
    @Test
    void brokenArchive_isIgnoredInSilence() throws Exception {
        Path archive = archiveInFolderWithoutSpaces();
        assertThat(archive.toFile().setWritable(true)).isTrue();
        Files.write(archive, new byte[] {1, 2, 3});

        assertThat(sourcesOfClasses("policy", "--help")).doesNotContain("org.signetmq.cli.Main source: shared objects");
    }

    /** Where there is a space in the name of a folder, Java does not find the archived classes. */
    private Path archiveInFolderWithoutSpaces() throws Exception {
        Path place = shared.resolve("project");
        Path made = shared.resolve("made");
        builds = shared.resolve("builds");
        mavenThatBuilds();
        if (Files.notExists(made)) {
            project = Files.move(project, place);
            signet("--version");
            copy(place, made);
        } else {
            FileUtil.deleteDirectory(place.toFile());
            copy(made, place);
            project = place;
        }
        try (Stream<Path> built = Files.list(project.resolve("cli/target"))) {
            return built.filter(file -> file.toString().endsWith(".jsa"))
                    .findAny()
                    .orElseThrow();
        }
    }

    /** Copies a folder with exact times: an archive is for a jar of one time. */
    private void copy(Path from, Path to) throws Exception {
        Ended ended = end(start(List.of("cp", "-a", from.toString(), to.toString())));
        assertThat(ended.exitCode()).as(ended.err()).isZero();
    }

    private String sourcesOfClasses(String... arguments) throws Exception {
        Path loaded = folder.resolve("loaded");
        List<String> command = new ArrayList<>(List.of(project.resolve("signet").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = builder(command);
        builder.environment().put("SIGNET_JAVA_OPTS", "-Xlog:class+load:file=" + loaded);

        Ended ended = end(builder.start());

        assertThat(ended.exitCode()).isZero();
        assertThat(ended.err()).doesNotContain("warning").doesNotContain("rror");
        return Files.readString(loaded);
    }

    private Ended signet(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(project.resolve("signet").toString()));
        command.addAll(List.of(arguments));
        return end(start(command));
    }

    private Process start(List<String> command) throws IOException {
        return builder(command).start();
    }

    private ProcessBuilder builder(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        Map<String, String> environment = builder.environment();
        environment.put("PATH", folder.resolve("bin") + ":" + environment.getOrDefault("PATH", ""));
        environment.put("SIGNET_PASSWORD", "correct horse");
        environment.remove("SIGNET_HOME");
        if (isJavaOfPath) {
            environment.remove("JAVA_HOME");
        }
        return builder;
    }

    private static Ended end(Process process) throws Exception {
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        return new Ended(process.exitValue(), out, err);
    }

    private void mavenThatBuilds() throws IOException {
        maven("sleep 1; cp '" + JAR + "' cli/target/signet.jar");
    }

    private void maven(String body) throws IOException {
        script(folder.resolve("bin/mvn"), "echo \"$@\" >> '" + builds + "'; " + body);
    }

    private static void script(Path file, String body) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + body + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
