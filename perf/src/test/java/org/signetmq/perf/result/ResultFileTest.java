/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultFileTest {
    private static final Map<String, Object> FRAME = Map.of("schema", 1);

    @TempDir
    private Path folder;

    @Test
    void newFile_isWrittenWithTheModeOfAnyNewFile() throws IOException {
        Path file = folder.resolve("results.json");
        Path any = Files.writeString(folder.resolve("any"), "");

        new ResultFile(file).write(FRAME);

        assertThat(file).content().contains("\"schema\" : 1");
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(any);
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(mode);
        assertThat(files()).containsExactlyInAnyOrder("results.json", "any");
    }

    @Test
    void check_leavesEverythingAsItIs() throws IOException {
        Path there = Files.writeString(folder.resolve("there.json"), "old");

        new ResultFile(there).check();
        new ResultFile(folder.resolve("new.json")).check();

        assertThat(files()).containsExactly("there.json");
        assertThat(there).hasContent("old");
    }

    @Test
    void fileWithoutFolder_isRejected() {
        assertThatIOException()
                .isThrownBy(new ResultFile(folder.resolve("no/such/results.json"))::check)
                .withMessage("its folder does not exist");
    }

    @Test
    void folder_isRejected() {
        assertThatIOException().isThrownBy(new ResultFile(folder)::check).withMessage("is a folder");
    }

    @Test
    void fileBelowAFile_isRejected() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");

        assertThatIOException().isThrownBy(new ResultFile(file.resolve("results.json"))::check);
    }

    @Test
    void folderThatTakesNoFiles_isRejected() {
        // also for root
        assertThatIOException()
                .isThrownBy(new ResultFile(Path.of("/sys/signet-results.json"))::check)
                .withMessageContaining("cannot be written");
    }

    @Test
    void writingThatFails_leavesNoDraft() throws IOException {
        Path occupied = folder.resolve("results.json");
        Files.createDirectories(occupied.resolve("full"));

        assertThatIOException().isThrownBy(() -> new ResultFile(occupied).write(FRAME));

        assertThat(files()).containsExactly("results.json");
        assertThat(occupied).isDirectory();
    }

    @Test
    void link_staysALink() throws IOException {
        Path file = Files.writeString(folder.resolve("results.json"), "old");
        Path link = Files.createSymbolicLink(folder.resolve("link"), file.getFileName());

        new ResultFile(link).write(FRAME);

        assertThat(link).isSymbolicLink();
        assertThat(file).content().contains("schema");
        assertThat(files()).containsExactlyInAnyOrder("results.json", "link");
    }

    @Test
    void pipe_isWrittenTo() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        CompletableFuture<String> read = CompletableFuture.supplyAsync(() -> {
            try {
                return Files.readString(pipe);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });

        new ResultFile(pipe).check();
        new ResultFile(pipe).write(FRAME);

        assertThat(read.get(3, TimeUnit.MINUTES)).contains("schema");
        assertThat(files()).containsExactly("pipe");
    }

    @Test
    void deviceThatTakesEverything_isWrittenTo_andStaysADevice() throws IOException {
        Path device = Path.of("/dev/null");

        new ResultFile(device).check();
        new ResultFile(device).write(FRAME);

        assertThat(Files.isRegularFile(device)).isFalse();
    }

    @Test
    void deviceThatTakesNothing_fails() {
        assertThatIOException().isThrownBy(() -> new ResultFile(Path.of("/dev/full")).write(FRAME));
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
