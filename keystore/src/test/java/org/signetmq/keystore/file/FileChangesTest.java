/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Writes files together, also in a zip file, which has no links. */
final class FileChangesTest {
    enum Place {
        WITH_LINKS,
        WITHOUT_LINKS
    }

    @TempDir
    private Path folder;

    private FileSystem zip;

    @BeforeEach
    void openZip() throws IOException {
        zip = FileSystems.newFileSystem(folder.resolve("files.zip"), Map.of("create", "true"));
    }

    @AfterEach
    void closeZip() throws IOException {
        zip.close();
    }

    private Path in(Place place) throws IOException {
        return Files.createDirectories(place == Place.WITH_LINKS ? folder.resolve("home") : zip.getPath("/home"));
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static void add(Path home, String... names) throws IOException {
        try (FileChanges files = new FileChanges()) {
            for (String name : names) {
                files.add(home.resolve(name), WholeFile.READABLE, name.getBytes(UTF_8));
            }
            files.apply(() -> {});
        }
    }

    @Test
    void zip_hasNoLinks() throws IOException {
        Path home = in(Place.WITHOUT_LINKS);
        Path file = Files.writeString(home.resolve("a"), "a");

        assertThatThrownBy(() -> Files.createLink(home.resolve("b"), file))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @ParameterizedTest
    @EnumSource
    void addedFiles_areAllInPlace_andLeaveNothingElse(Place place) throws IOException {
        Path home = in(place);

        add(home, "a", "b");

        assertThat(names(home)).containsExactly("a", "b");
        assertThat(Files.readString(home.resolve("b"))).isEqualTo("b");
    }

    @ParameterizedTest
    @EnumSource
    void addedFiles_whereOneIsThere_replaceNothing_andGoAgain(Place place) throws IOException {
        Path home = in(place);
        Files.writeString(home.resolve("b"), "somebody else's");

        assertThatThrownBy(() -> add(home, "a", "b", "c")).isInstanceOf(FileAlreadyExistsException.class);

        assertThat(names(home)).containsExactly("b");
        assertThat(Files.readString(home.resolve("b"))).isEqualTo("somebody else's");
    }

    @ParameterizedTest
    @EnumSource
    void changesThatAreNotMade_leaveNothing(Place place) throws IOException {
        Path home = in(place);

        try (FileChanges files = new FileChanges()) {
            files.add(home.resolve("a"), WholeFile.READABLE, new byte[1]);
        }

        assertThat(names(home)).isEmpty();
    }
}
