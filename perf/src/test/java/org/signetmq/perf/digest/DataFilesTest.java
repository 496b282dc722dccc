/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.digest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataFilesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path parent;

    @Test
    void files_haveTheirLength_andContentsOfTheirOwn() throws Exception {
        try (DataFiles data = DataFiles.create(parent, 2, 10_001)) {
            assertThat(data.first(2))
                    .hasSize(2)
                    .allSatisfy(file -> assertThat(file).hasSize(10_001));
            assertThat(data.first(1)).containsExactly(data.first(2).get(0));
            assertThat(Files.mismatch(data.first(2).get(0), data.first(2).get(1)))
                    .isNotEqualTo(-1);
            try (InputStream in = DataFiles.open(data.first(2).get(0))) {
                assertThat(in.readAllBytes()).hasSize(10_001);
            }
            assertThat(data.fileSystem()).isNotEmpty();
        }
    }

    @Test
    void close_deletesTheFolder_twiceIsOnce() throws Exception {
        DataFiles data = DataFiles.create(parent, 1, 1);
        data.make(folder -> Files.writeString(
                Files.createDirectories(folder.resolve("home")).resolve("key"), "k"));

        data.close();
        data.close();

        assertThat(parent).isEmptyDirectory();
    }

    /** Whether the system can do it is its own matter. */
    @Test
    void forgottenFile_hasItsContentStill() throws Exception {
        try (DataFiles data = DataFiles.create(parent, 1, 100_000)) {
            boolean unused = data.canBeForgotten();
            byte[] before = Files.readAllBytes(data.first(2).get(0));
            DataFiles.forget(data.first(2));

            assertThat(data.first(2).get(0)).hasBinaryContent(before);
        }
    }

    @Test
    void folderThatCannotBeWritten_leavesNothing() {
        assertThatThrownBy(() -> DataFiles.create(parent.resolve("none"), 1, 1)).isInstanceOf(IOException.class);

        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void blockStream_readsOneBlockAtMost_andOnlyWhatIsThere() throws Exception {
        byte[] bytes = new byte[10];
        InputStream in = new BlockStream(new ByteArrayInputStream(new byte[] {1, -2, 3, 4, 5}), 3, read -> {});

        assertThat(in.read()).isEqualTo(1);
        assertThat(in.read()).isEqualTo(254);
        assertThat(in.read(bytes)).isEqualTo(3);
        assertThat(in.read(bytes)).isEqualTo(-1);
        assertThat(in.read()).isEqualTo(-1);
    }

    @Test
    void streamInMemory_hasItsLength_andLeavesArraysAsTheyAre() throws Exception {
        byte[] bytes = {7, 7, 7};
        InputStream in = BlockStream.inMemory(4);

        assertThat(in.read(bytes)).isEqualTo(3);
        assertThat(in.read()).isZero();
        assertThat(in.read()).isEqualTo(-1);
        assertThat(in.read(bytes)).isEqualTo(-1);
        assertThat(Stream.of(bytes)).containsExactly(new byte[] {7, 7, 7});
    }
}
