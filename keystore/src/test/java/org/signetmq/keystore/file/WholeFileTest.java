/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.internal.file.ProcessUser;

/** Files that are read and replaced as a whole. */
final class WholeFileTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temporary;

    private Path home = Path.of("unset");
    private WholeFile file = new WholeFile(home);

    @BeforeEach
    void makeHome() throws IOException {
        home = Files.createDirectory(temporary.resolve("home"));
        file = new WholeFile(home.resolve("a"));
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS));
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(home)) {
            return files.map(entry -> entry.getFileName().toString()).toList();
        }
    }

    @Test
    void writtenFile_isReadAgain_andLeavesNothingBeside() throws IOException {
        file.write("one".getBytes(UTF_8), WholeFile.READABLE);
        file.write("two".getBytes(UTF_8), WholeFile.READABLE);

        assertThat(file.read(3))
                .hasValueSatisfying(bytes -> assertThat(bytes).asString(UTF_8).isEqualTo("two"));
        assertThat(names()).containsExactly("a");
    }

    @Test
    void concurrentReader_neverSeesAPart() throws Exception {
        String one = "1".repeat(10_000);
        String two = "2".repeat(20_000);
        file.write(one.getBytes(UTF_8), WholeFile.READABLE);
        FutureTask<Void> writing = new FutureTask<>(() -> {
            for (int i = 0; i < 100; i++) {
                file.write((i % 2 == 0 ? two : one).getBytes(UTF_8), WholeFile.READABLE);
            }
            return null;
        });
        new Thread(writing).start();

        while (!writing.isDone()) {
            assertThat(file.read(20_000))
                    .hasValueSatisfying(
                            bytes -> assertThat(new String(bytes, UTF_8)).isIn(one, two));
        }
        writing.get();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-------", "rw-r-----", "rw-r--r--", "rw-rw----"})
    void writtenFile_hasTheWantedPermissions(String wanted) throws IOException {
        file.write(new byte[0], PosixFilePermissions.fromString(wanted));

        assertThat(permissions(home.resolve("a"))).isEqualTo(wanted);
        assertThat(file.permissionsOr(WholeFile.PRIVATE)).isEqualTo(PosixFilePermissions.fromString(wanted));
        assertThat(new WholeFile(home.resolve("b")).permissionsOr(WholeFile.PRIVATE))
                .isEqualTo(WholeFile.PRIVATE);
    }

    @Test
    void replacedFile_keepsItsOwnerAndGroup_ifRootReplacesIt() throws IOException {
        assumeTrue(ProcessUser.current().isRoot(), "only root gives files away");
        file.write(new byte[0], WholeFile.READABLE);
        Files.setAttribute(file.path(), "unix:uid", 1234567);
        Files.setAttribute(file.path(), "unix:gid", 2345678);

        file.write(new byte[1], PosixFilePermissions.fromString("rw-r-----"));

        assertThat(Files.readAttributes(file.path(), "unix:uid,gid,size"))
                .containsEntry("uid", 1234567)
                .containsEntry("gid", 2345678)
                .containsEntry("size", 1L);
        assertThat(permissions(file.path())).isEqualTo("rw-r-----");
    }

    @Test
    void unfinishedFile_isItsOwnersAlone_andGoesWhenItIsClosed() throws IOException {
        try (StagedFile draft = file.draft()) {
            draft.write("secret".getBytes(UTF_8));

            assertThat(names())
                    .singleElement()
                    .satisfies(
                            name -> assertThat(permissions(home.resolve(name))).isEqualTo("rw-------"));
        }
        assertThat(names()).isEmpty();
    }

    @Test
    void absentFile_isEmpty_andDeletingItDoesNothing() throws IOException {
        assertThat(file.read(1)).isEmpty();
        file.delete();
        assertThat(file.isLocked()).isFalse();
        assertThat(names()).isEmpty();
    }

    @Test
    void fileLongerThanTheLimit_isNotRead() throws IOException {
        Files.writeString(file.path(), "1234");

        assertThat(file.read(4)).isPresent();
        assertThatIOException().isThrownBy(() -> file.read(3)).withMessage(file.path() + ": larger than 3 bytes");
    }

    @Test
    void link_isNeitherReadNorReplacedNorLocked() throws IOException {
        Path target = Files.writeString(temporary.resolve("target"), "kept");
        Files.createSymbolicLink(file.path(), target);
        String message = ": a link, which is not followed";

        assertThatIOException().isThrownBy(() -> file.read(9)).withMessageContaining(message);
        assertThatIOException()
                .isThrownBy(() -> file.write(new byte[1], WholeFile.PRIVATE))
                .withMessageContaining(message);
        assertThatIOException().isThrownBy(file::lock).withMessageContaining(message);
        assertThatIOException().isThrownBy(file::openPipe).withMessageContaining(message);
        assertThat(target).hasContent("kept");
        assertThat(names()).containsExactly("a");

        file.delete();

        assertThat(names()).isEmpty();
        assertThat(target).hasContent("kept");
    }

    @Test
    void folderInPlaceOfAFile_isRejected() throws IOException {
        Files.createDirectory(file.path());

        assertThatIOException().isThrownBy(() -> file.read(1)).withMessage(file.path() + ": not a file");
        assertThatIOException()
                .isThrownBy(() -> file.write(new byte[1], WholeFile.PRIVATE))
                .withMessage(file.path() + ": not a file");
        assertThat(names()).containsExactly("a");
    }

    @Test
    void missingFolder_isMadeWithThoseAboveIt() throws IOException {
        Path deep = home.resolve("one").resolve("two");

        WholeFile.makeFolder(deep);
        WholeFile.makeFolder(deep);

        assertThat(permissions(deep)).matches("rwx[r-]-[x-][r-]-[x-]");
        assertThat(permissions(home.resolve("one"))).matches("rwx[r-]-[x-][r-]-[x-]");
    }

    @Test
    void lock_isHeldUntilItsChannelCloses() throws IOException {
        FileChannel held = file.lock();
        assertThat(permissions(file.path())).isEqualTo("rw-------");
        assertThat(file.isLocked()).isTrue();

        assertThatThrownBy(file::lock).isInstanceOf(OverlappingFileLockException.class);
        held.close();

        try (FileChannel again = file.lock()) {
            assertThat(again.isOpen()).isTrue();
        }
        assertThat(file.isLocked()).isFalse();
        assertThat(names()).containsExactly("a");
    }

    @Test
    void pipe_isWrittenTo() throws Exception {
        Process made = new ProcessBuilder("mkfifo", file.path().toString()).start();
        assertThat(made.waitFor()).isZero();
        CompletableFuture<String> reader = CompletableFuture.supplyAsync(() -> {
            try {
                return Files.readString(file.path());
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });

        try (var out = file.openPipe()) {
            out.write("through".getBytes(UTF_8));
        }

        assertThat(reader).succeedsWithin(Duration.ofMinutes(3)).isEqualTo("through");
    }
}
