/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.signetmq.testkit.Distribution;

/** The versions that documents promise are those that the tests run. */
final class CompatibilityDocumentTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern VERSION = Pattern.compile("[0-9]+(?:[.][0-9]+)+");

    private static String read(String file) throws IOException {
        return Files.readString(ROOT.resolve(file));
    }

    /** Returns the versions in the row of docs/compatibility.md that begins so. */
    private static List<String> row(String begin) throws IOException {
        return versions(read("docs/compatibility.md")
                .lines()
                .filter(line -> line.startsWith("| " + begin))
                .findFirst()
                .orElseThrow());
    }

    private static List<String> versions(String text) {
        return VERSION.matcher(text).results().map(MatchResult::group).toList();
    }

    private static String property(String pom, String name) throws IOException {
        return read(pom)
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("<" + name + ">"))
                .map(line -> line.substring(name.length() + 2, line.indexOf("</")))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void documents_nameTheBrokersThatTheTestsRun() throws IOException {
        List<String> tested = Stream.of(Distribution.values())
                .map(Distribution::version)
                .sorted()
                .toList();

        assertThat(row("Artemis, the broker")).isEqualTo(tested);
        String words = String.join(" and ", tested);
        assertThat(read("docs/operations.md")).contains("distributions of Artemis " + words + ".");
        assertThat(read("SECURITY.md")).contains("that the tests run: " + words + ".");
    }

    @Test
    void documents_nameTheClientsThatTheTestsRun() throws IOException {
        String root = "pom.xml";
        String javax = "client-javax/pom.xml";

        assertThat(row("`artemis-jakarta-client`")).containsExactly(property(root, "artemis.version"));
        assertThat(row("`artemis-jms-client`")).containsExactly(property(javax, "artemis-jms-client.version"));
        assertThat(row("`qpid-jms-client`"))
                .containsExactly(property(root, "qpid-jms.version"), property(javax, "qpid-jms.version"));
        assertThat(row("`activemq-client`"))
                .containsExactly(property(root, "activemq-jakarta.version"), property(root, "activemq.version"));
        String guide = read("docs/clients.md");
        assertThat(guide)
                .contains("`artemis-jakarta-client` " + property(root, "artemis.version"))
                .contains("`artemis-jms-client` " + property(javax, "artemis-jms-client.version"));
    }
}
