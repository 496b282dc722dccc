/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.signetmq.testkit.Run;

/**
 * Maven with a local repository of its own. It copies the artifacts that it needs from the repository of this build, as
 * from a server, and leaves that unchanged.
 *
 * @param settings that say so
 * @param repository the local repository
 */
record Maven(Path settings, Path repository) {
    private static final Pattern VERSION =
            Pattern.compile("<artifactId>signet-parent</artifactId>\\s*<version>([^<]+)</version>");
    private static final String SETTINGS = """
            <settings>
              <profiles>
                <profile>
                  <id>build</id>
                  <repositories>
                    <repository><id>build</id><url>%1$s</url></repository>
                  </repositories>
                  <pluginRepositories>
                    <pluginRepository><id>build</id><url>%1$s</url></pluginRepository>
                  </pluginRepositories>
                </profile>
              </profiles>
              <activeProfiles>
                <activeProfile>build</activeProfile>
              </activeProfiles>
            </settings>
            """;

    /** The local repository of this build; the settings name one only where a user has set it. */
    static Path repositoryOfBuild() {
        return Path.of(
                System.getProperty("signet.maven.repository", System.getProperty("user.home") + "/.m2/repository"));
    }

    static Maven in(Path folder) throws IOException {
        return new Maven(
                Files.writeString(
                        folder.resolve("settings.xml"),
                        SETTINGS.formatted(repositoryOfBuild().toUri())),
                folder.resolve("repository"));
    }

    /**
     * Takes the jars of modules of this build, and the parent of their poms, as if they were installed.
     *
     * @param top the folder of this build
     */
    void take(Path top, String... modules) throws IOException {
        Matcher version = VERSION.matcher(Files.readString(top.resolve("pom.xml")));
        if (!version.find()) {
            throw new AssertionError("no version in the pom");
        }
        take(top.resolve("pom.xml"), "signet-parent", version.group(1), "pom");
        for (String module : modules) {
            String name = "signet-" + module;
            Path built = top.resolve(module);
            take(built.resolve("pom.xml"), name, version.group(1), "pom");
            take(built.resolve("target/" + name + "-" + version.group(1) + ".jar"), name, version.group(1), "jar");
        }
    }

    private void take(Path file, String name, String version, String kind) throws IOException {
        Path to = Files.createDirectories(
                repository.resolve("org/signetmq").resolve(name).resolve(version));
        Files.copy(file, to.resolve(name + "-" + version + "." + kind));
    }

    /** Runs a command that begins with {@code mvn}. */
    Run run(Path folder, String command) throws IOException {
        List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
        if (!words.remove(0).equals("mvn")) {
            throw new AssertionError("not a command of Maven: " + command);
        }
        words.addAll(
                0,
                List.of(
                        System.getProperty("signet.maven", "mvn"),
                        "-B",
                        "-ntp",
                        "-gs",
                        settings.toString(),
                        "-Dmaven.repo.local=" + repository));
        return Run.of(folder, words, Map.of("MAVEN_OPTS", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"));
    }
}
