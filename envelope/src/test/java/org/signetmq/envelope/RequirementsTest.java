/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Finds the requirements of {@code docs/format.md}, and for each the row with its tests. A requirement is a sentence
 * with MUST, an item of a list that such a sentence introduces, or a row of a table whose head has the word.
 */
final class RequirementsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String HEADING = "## Requirements and their tests\n";
    private static final String MUST = "MUST";
    private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");

    @Test
    void requirement_hasARowWithItsTests_andTheTestsExist() throws IOException {
        String document = Files.readString(ROOT.resolve("docs/format.md"));
        int table = document.indexOf(HEADING);
        Map<String, String> rows = rows(document.substring(table + HEADING.length()));
        List<String> requirements = requirements(document.substring(document.indexOf("## Glossary"), table));
        assertThat(requirements).hasSizeGreaterThan(40);

        for (String requirement : requirements) {
            assertThat(rows.keySet().stream().filter(requirement::startsWith))
                    .as("rows of the table in docs/format.md that begin as: " + requirement)
                    .hasSize(1);
        }
        for (Map.Entry<String, String> row : rows.entrySet()) {
            assertThat(requirements.stream().filter(requirement -> requirement.startsWith(row.getKey())))
                    .as("requirements of docs/format.md that begin as the row: " + row.getKey())
                    .hasSize(1);
            assertTestsExist(row.getKey(), row.getValue());
        }
    }

    private static void assertTestsExist(String requirement, String tests) throws IOException {
        Matcher test = TEST.matcher(tests);
        int found = 0;
        while (test.find()) {
            assertThat(source(test.group(1)))
                    .as(requirement + ": " + test.group())
                    .containsPattern("void " + test.group(2) + "\\(");
            found++;
        }
        assertThat(found).as("tests of: " + requirement).isPositive();
    }

    private static String source(String type) throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path tests : modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(tests)) {
                    List<Path> sources =
                            files.filter(file -> file.endsWith(type + ".java")).toList();
                    if (!sources.isEmpty()) {
                        return Files.readString(sources.get(0));
                    }
                }
            }
        }
        return "";
    }

    /** Returns the beginnings of requirements with their tests, up to the next section. */
    private static Map<String, String> rows(String section) {
        Map<String, String> rows = new LinkedHashMap<>();
        section.lines()
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("| "))
                .skip(1)
                .forEach(line -> {
                    String[] cells = line.substring(2).split(" \\| ", -1);
                    assertThat(rows.put(cells[0].replaceAll("\\.\\.\\.$", "").strip(), cells[1]))
                            .as(line)
                            .isNull();
                });
        return rows;
    }

    private static List<String> requirements(String document) {
        List<String> requirements = new ArrayList<>();
        boolean introduced = false;
        for (String block : document.replaceAll("(?s)```.*?```", "").split("\n\\s*\n", -1)) {
            if (block.startsWith("- ")) {
                boolean all = introduced;
                Arrays.stream(block.substring(2).split("\n- "))
                        .map(RequirementsTest::plain)
                        .filter(item -> all || item.contains(MUST))
                        .forEach(requirements::add);
            } else if (block.startsWith("|")) {
                List<String> lines = block.lines().toList();
                if (lines.get(0).contains(MUST)) {
                    lines.stream().skip(2).map(row -> plain(row.substring(2))).forEach(requirements::add);
                }
            } else if (!block.startsWith("    ")) {
                List<String> sentences = List.of(plain(block).split("(?<=[.:]) "));
                String last = sentences.get(sentences.size() - 1);
                introduced = last.contains(MUST) && !last.endsWith(".");
                sentences.stream()
                        .filter(sentence -> sentence.contains(MUST) && sentence.endsWith("."))
                        .forEach(requirements::add);
            }
        }
        return requirements;
    }

    private static String plain(String text) {
        return text.replaceAll("\\s+", " ")
                .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                .strip();
    }
}
