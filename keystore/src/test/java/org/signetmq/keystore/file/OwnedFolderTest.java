/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One user alone. What root does in folders of others is tested by the commands that it runs. */
final class OwnedFolderTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temporary;

    private Path home = Path.of("unset");

    @BeforeEach
    void makeHome() throws IOException {
        home = Files.createDirectory(temporary.resolve("home"));
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void writtenFile_isReadAgain_andLeavesNothingBeside() throws IOException {
        try (OwnedFolder folder = OwnedFolder.open(home)) {
            folder.write("a", "one".getBytes(UTF_8), OwnedFolder.READABLE);
            folder.write("a", "two".getBytes(UTF_8), OwnedFolder.READABLE);

            assertThat(folder.read("a", 3))
                    .hasValueSatisfying(
                            bytes -> assertThat(bytes).asString(UTF_8).isEqualTo("two"));
            assertThat(folder.names()).containsExactly("a");
            assertThat(folder.path()).isEqualTo(home);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-------", "rw-r-----", "rw-r--r--"})
    void writtenFile_hasTheWantedPermissions(String wanted) throws IOException {
        try (OwnedFolder folder = OwnedFolder.open(home)) {
            folder.write("a", new byte[0], PosixFilePermissions.fromString(wanted));

            assertThat(permissions(home.resolve("a"))).isEqualTo(wanted);
            assertThat(folder.permissions("a")).contains(PosixFilePermissions.fromString(wanted));
            assertThat(folder.permissions("b")).isEmpty();
        }
    }

    @Test
    void writtenFile_isNeverOpenToOtherWriters() throws IOException {
        try (OwnedFolder folder = OwnedFolder.open(home)) {
            folder.write("a", new byte[0], PosixFilePermissions.fromString("rw-rw-rw-"));

            assertThat(permissions(home.resolve("a"))).isEqualTo("rw-r--r--");
        }
    }

    @Test
    void unfinishedFile_isItsOwnersAlone_andGoesWhenItIsClosed() throws IOException {
        try (OwnedFolder folder = OwnedFolder.open(home)) {
            try (StagedFile draft = folder.draft()) {
                draft.write("secret".getBytes(UTF_8));

                assertThat(folder.names())
                        .singleElement()
                        .satisfies(name ->
                                assertThat(permissions(home.resolve(name))).isEqualTo("rw-------"));
            }
            assertThat(folder.names()).isEmpty();
        }
    }

    @Test
    void absentFile_isEmpty_andDeletingItDoesNothing() throws IOException {
        try (OwnedFolder folder = OwnedFolder.open(home)) {
            assertThat(folder.read("a", 1)).isEmpty();
            folder.delete("a");
            assertThat(folder.names()).isEmpty();
        }
    }

    @Test
    void fileLongerThanTheLimit_isNotRead() throws IOException {
        Files.writeString(home.resolve("a"), "1234");
        try (OwnedFolder folder = OwnedFolder.open(home)) {
            assertThat(folder.read("a", 4)).isPresent();
            assertThatIOException()
                    .isThrownBy(() -> folder.read("a", 3))
                    .withMessage(home.resolve("a") + ": larger than 3 bytes");
        }
    }

    @Test
    void link_isNeitherReadNorReplacedNorLocked() throws IOException {
        Path target = Files.writeString(temporary.resolve("target"), "kept");
        Files.createSymbolicLink(home.resolve("a"), target);
        try (OwnedFolder folder = OwnedFolder.open(home)) {
            assertThatThrownBy(() -> folder.read("a", 9)).isInstanceOf(LinkRejectedException.class);
            assertThatThrownBy(() -> folder.write("a", new byte[1], OwnedFolder.PRIVATE))
                    .isInstanceOf(LinkRejectedException.class);
            assertThatThrownBy(() -> folder.lock("a")).isInstanceOf(LinkRejectedException.class);
            assertThatThrownBy(() -> folder.openPipe("a")).isInstanceOf(LinkRejectedException.class);

            assertThat(target).hasContent("kept");
            assertThat(folder.names()).containsExactly("a");
        }
    }

    @Test
    void deletedLink_leavesItsTarget() throws IOException {
        Path target = Files.writeString(temporary.resolve("target"), "kept");
        Files.createSymbolicLink(home.resolve("a"), target);
        try (OwnedFolder folder = OwnedFolder.open(home)) {
            folder.delete("a");

            assertThat(folder.names()).isEmpty();
        }
        assertThat(target).hasContent("kept");
    }

    @Test
    void emptyFolder_isDeleted_othersStay() throws IOException {
        Files.createDirectory(home.resolve("empty"));
        Path full = Files.createDirectory(home.resolve("full"));
        Files.createFile(full.resolve("a"));
        Path target = Files.createDirectory(temporary.resolve("target"));
        Files.createSymbolicLink(home.resolve("link"), target);
        try (OwnedFolder folder = OwnedFolder.open(home)) {
            folder.deleteEmptyFolder("empty");
            folder.deleteEmptyFolder("full");
            folder.deleteEmptyFolder("absent");

            assertThat(folder.names()).containsExactlyInAnyOrder("full", "link");
            assertThatThrownBy(() -> folder.deleteEmptyFolder("link")).isInstanceOf(IOException.class);
            assertThat(target).exists();
        }
    }

    @Test
    void folderInPlaceOfAFile_isRejected() throws IOException {
        Files.createDirectory(home.resolve("a"));
        try (OwnedFolder folder = OwnedFolder.open(home)) {
            assertThatIOException()
                    .isThrownBy(() -> folder.read("a", 1))
                    .withMessage(home.resolve("a") + ": not a file");
            assertThatIOException()
                    .isThrownBy(() -> folder.write("a", new byte[1], OwnedFolder.PRIVATE))
                    .withMessage(home.resolve("a") + ": not a file");
            assertThat(folder.names()).containsExactly("a");
        }
    }

    @Test
    void openFolder_staysTheSameWhenItsPathIsReplaced() throws IOException {
        try (OwnedFolder folder = OwnedFolder.open(home)) {
            Path moved = temporary.resolve("moved");
            Files.move(home, moved);
            Path decoy = Files.createDirectory(temporary.resolve("decoy"));
            Files.createSymbolicLink(home, decoy);

            try (StagedFile draft = folder.draft()) {
                draft.write(new byte[1]);
                draft.replace("a", OwnedFolder.PRIVATE);
            }

            assertThat(moved.resolve("a")).exists();
            assertThat(decoy).isEmptyDirectory();
        }
    }

    @Test
    void missingFolder_isNotOpened_andMadeWithThoseAboveIt() throws IOException {
        Path deep = home.resolve("one").resolve("two");

        assertThatThrownBy(() -> OwnedFolder.open(deep)).isInstanceOf(NoSuchFileException.class);
        try (OwnedFolder made = OwnedFolder.openOrMake(deep)) {
            assertThat(made.names()).isEmpty();
        }
        try (OwnedFolder again = OwnedFolder.openOrMake(deep)) {
            assertThat(again.path()).isEqualTo(deep);
        }

        assertThat(permissions(deep)).matches("rwx[r-]-[x-][r-]-[x-]");
        assertThat(permissions(home.resolve("one"))).matches("rwx[r-]-[x-][r-]-[x-]");
    }

    @Test
    void lock_isHeldUntilItsChannelCloses() throws IOException {
        try (OwnedFolder folder = OwnedFolder.open(home);
                OwnedFolder other = OwnedFolder.open(home)) {
            FileChannel held = folder.lock("lock");
            assertThat(permissions(home.resolve("lock"))).isEqualTo("rw-------");

            assertThatThrownBy(() -> other.lock("lock")).isInstanceOf(OverlappingFileLockException.class);
            held.close();

            try (FileChannel again = folder.lock("lock")) {
                assertThat(again.isOpen()).isTrue();
            }
            assertThat(folder.names()).containsExactly("lock");
        }
    }

    @Test
    void pipe_isWrittenTo() throws Exception {
        Path pipe = home.resolve("pipe");
        Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
        assertThat(made.waitFor()).isZero();
        CompletableFuture<String> reader = CompletableFuture.supplyAsync(() -> {
            try {
                return Files.readString(pipe);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });

        try (OwnedFolder folder = OwnedFolder.open(home);
                var out = folder.openPipe("pipe")) {
            out.write("through".getBytes(UTF_8));
        }

        assertThat(reader).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("through");
    }
}
