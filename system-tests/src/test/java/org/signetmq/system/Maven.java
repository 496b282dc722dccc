/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.signetmq.testkit.Run;

/**
 * Maven with a local repository of its own. It copies the artifacts that it needs from the repository of this build, as
 * from a server, and leaves that unchanged.
 *
 * @param settings that say so
 * @param repository the local repository
 */
record Maven(Path settings, Path repository) {
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
