/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the table of limits in {@code docs/format.md} with {@link Limits}. */
final class LimitsDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "format.md");

    private static final Set<String> CLASSES = Stream.of("policy", "envelope", "keystore", "client", "interceptor")
            .flatMap(module -> javaFiles(Path.of("..", module, "src")))
            .map(file -> String.valueOf(file.getFileName()))
            .collect(Collectors.toSet());

    static Stream<Field> limits() {
        return Arrays.stream(Limits.class.getDeclaredFields())
                .filter(field -> Modifier.isStatic(field.getModifiers()) && field.getType() == int.class);
    }

    @ParameterizedTest
    @MethodSource("limits")
    void eachLimit_standsInTheTable(Field limit) throws Exception {
        String number = String.format(Locale.ROOT, "%,d", limit.getInt(null));

        assertThat(rows()).as(limit.getName()).anyMatch(row -> row.contains("| " + number + " |"));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void eachRow_namesAClassThatExists(String row) {
        int end = row.lastIndexOf("` |");
        String name = row.substring(row.lastIndexOf('`', end - 1) + 1, end);

        assertThat(CLASSES).contains(name + ".java");
    }

    private static Stream<Path> javaFiles(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> rows() throws Exception {
        String document = Files.readString(DOCUMENT);
        int start = document.indexOf("## Limits\n");
        String section = document.substring(start, document.indexOf("\n## ", start + 1));
        return section.lines()
                .filter(line -> line.startsWith("| "))
                .filter(line -> !line.startsWith("| What |"))
                .toList();
    }
}
