/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A Maven project that is made of docs/clients.md: its dependencies are those that the guide shows, its sources the
 * code.
 *
 * @param folder of the project
 * @param guide the text of the guide
 */
record GuideProject(Path folder, String guide) {
    /** The parts that the guide's code uses, and a class to call the code by. */
    private static final String SNIPPET = """
            %s
            class Snippet%d {
                jakarta.jms.ConnectionFactory provider;
                java.nio.file.Path home;
                java.nio.file.Path passwordFile;
                org.signetmq.client.SignetConnectionFactory factory;
                org.signetmq.envelope.Opener opener;
                jakarta.transaction.TransactionManager transactions;
                String topic;
                byte[] payload;

                Object run() throws Exception {
                    %s
                }
            }
            """;

    private static final String MAIN = """
            import java.nio.file.Files;
            import java.nio.file.Path;
            import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
            import org.signetmq.envelope.Opener;

            class Main {
                public static void main(String[] arguments) throws Exception {
                    Snippet%1$d receiving = new Snippet%1$d();
                    receiving.provider = new ActiveMQConnectionFactory(arguments[0], arguments[1], arguments[2]);
                    receiving.home = Path.of(arguments[3]);
                    receiving.passwordFile = Path.of(arguments[4]);
                    System.out.println("received: " + receiving.run());
                    Snippet%2$d making = new Snippet%2$d();
                    making.home = receiving.home;
                    making.passwordFile = receiving.passwordFile;
                    try (Opener opener = (Opener) making.run()) {
                        Snippet%3$d opening = new Snippet%3$d();
                        opening.opener = opener;
                        opening.topic = arguments[5];
                        opening.payload = Files.readAllBytes(Path.of(arguments[6]));
                        System.out.println("opened: " + opening.run());
                    }
                }
            }
            """;

    private static final String POM = """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <modelVersion>4.0.0</modelVersion>
              <groupId>com.example</groupId>
              <artifactId>consumer</artifactId>
              <version>1</version>
              <properties>
                <maven.compiler.release>17</maven.compiler.release>
                <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
              </properties>
              <dependencies>
            %s
              </dependencies>
              <build>
                <pluginManagement>
                  <plugins>
            %s
                  </plugins>
                </pluginManagement>
              </build>
            </project>
            """;

    /** The commands that the guide has its reader type. */
    List<String> commands() {
        return blocks("sh").stream().map(String::strip).toList();
    }

    /** Writes the project. Its plugins have the versions that they have in this pom. */
    void write(String pom) throws IOException {
        Path sources = Files.createDirectories(folder.resolve("src/main/java"));
        List<String> plugins = List.of("maven-resources-plugin", "maven-compiler-plugin", "maven-dependency-plugin");
        Files.writeString(
                folder.resolve("pom.xml"),
                POM.formatted(
                        String.join("", blocks("xml")),
                        plugins.stream().map(plugin -> plugin(plugin, pom)).collect(Collectors.joining("\n"))));
        List<String> code = blocks("java");
        for (int i = 0; i < code.size(); i++) {
            Files.writeString(
                    sources.resolve("Snippet" + i + ".java"),
                    SNIPPET.formatted(lines(code.get(i), true), i, lines(code.get(i), false)));
        }
        Files.writeString(
                sources.resolve("Main.java"),
                MAIN.formatted(
                        with("SignetConnectionFactory.open(", code),
                        with("Opener.create(", code),
                        with("opener.open(", code)));
    }

    private List<String> blocks(String language) {
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(guide)
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    private static String lines(String code, boolean imports) {
        return code.lines()
                .filter(line -> line.startsWith("import ") == imports)
                .collect(Collectors.joining("\n"));
    }

    private static int with(String call, List<String> code) {
        for (int i = 0; i < code.size(); i++) {
            if (code.get(i).contains(call)) {
                return i;
            }
        }
        throw new AssertionError("the guide has no code with " + call);
    }

    private static String plugin(String name, String pom) {
        Matcher version = Pattern.compile("<artifactId>" + name + "</artifactId>\\s*<version>([^<]+)</version>")
                .matcher(pom);
        if (!version.find()) {
            throw new AssertionError(name + ": no version in the pom");
        }
        return "<plugin><artifactId>" + name + "</artifactId><version>" + version.group(1) + "</version></plugin>";
    }
}
