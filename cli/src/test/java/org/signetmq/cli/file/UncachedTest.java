/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.channels.ByteChannel;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On the file system of the build, which is one that lets its cache be passed by. */
final class UncachedTest {
    private static final int BUFFER = 1 << 20;

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void setUp() throws IOException {
        file = Files.createFile(folder.resolve("file"));
    }

    private ByteChannel open(StandardOpenOption access, long expected) throws IOException {
        return Uncached.open(file, options -> FileChannel.open(file, options), access, expected);
    }

    private InputStream input() throws IOException {
        return Uncached.stream(uncached(StandardOpenOption.READ));
    }

    private OutputStream output() throws IOException {
        return Channels.newOutputStream(uncached(StandardOpenOption.WRITE));
    }

    private ByteChannel uncached(StandardOpenOption access) throws IOException {
        ByteChannel channel = open(access, Uncached.WORTHWHILE);
        assertThat(channel).as("direct access to files here").isInstanceOf(Uncached.class);
        return channel;
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(length).nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                1,
                4095,
                4096,
                4097,
                BUFFER - 1,
                BUFFER,
                BUFFER + 1,
                2 * BUFFER,
                3 * BUFFER + 4096,
                5 * BUFFER + 777
            })
    void anyLength_isWrittenAndReadAsItIs(int length) throws IOException {
        byte[] bytes = bytes(length);

        try (OutputStream out = output()) {
            out.write(bytes);
        }

        assertThat(file).hasBinaryContent(bytes);
        try (InputStream in = input()) {
            assertThat(in.readAllBytes()).isEqualTo(bytes);
            assertThat(in.read()).isEqualTo(-1);
            assertThat(in.read(new byte[1])).isEqualTo(-1);
            assertThat(in.read(new byte[0])).isZero();
        }
    }

    @Test
    void piecesOfAnyLength_areWrittenAndReadInOrder() throws IOException {
        byte[] bytes = bytes(3 * BUFFER + 5);
        SplittableRandom random = new SplittableRandom(20);

        try (OutputStream out = output()) {
            for (int position = 0; position < bytes.length; ) {
                out.write(bytes[position++]);
                int length = Math.min(bytes.length - position, random.nextInt(3 * BUFFER / 2));
                out.write(bytes, position, length);
                position += length;
            }
        }
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        try (InputStream in = input()) {
            byte[] piece = new byte[BUFFER + 100];
            for (int single = in.read(); single >= 0; single = in.read()) {
                read.write(single);
                int length = in.read(piece, 50, random.nextInt(1, BUFFER));
                read.write(piece, 50, Math.max(0, length));
            }
        }

        assertThat(read.toByteArray()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100, 4096, BUFFER, BUFFER + 100})
    void fileThatGrowsBehindItsEnd_isReadOn(int length) throws IOException {
        byte[] bytes = bytes(length);
        Files.write(file, bytes);

        try (InputStream in = input()) {
            assertThat(in.readAllBytes()).isEqualTo(bytes);
            Files.write(file, new byte[] {1, 2, 3}, StandardOpenOption.APPEND);

            assertThat(in.readAllBytes()).containsExactly(1, 2, 3);
        }
    }

    @Test
    void streamOfAFile_saysWhatCanBeReadWithoutWaiting() throws IOException {
        Files.write(file, bytes(BUFFER + 100));

        try (InputStream in = input();
                InputStream ordinary = Uncached.stream(open(StandardOpenOption.READ, 0))) {
            assertThat(in.available()).isZero();
            in.read();
            assertThat(in.available()).isEqualTo(BUFFER - 1);
            in.readAllBytes();
            assertThat(in.available()).isZero();
            assertThat(ordinary.available()).isEqualTo(BUFFER + 100);
        }
    }

    @Test
    void closedTwice_leavesTheFileAsItIs() throws IOException {
        OutputStream out = output();
        out.write(7);
        out.close();
        Files.write(file, new byte[] {1, 2, 3});

        out.close();

        assertThat(file).hasBinaryContent(new byte[] {1, 2, 3});
    }

    @Test
    void onlyLargeFiles_passTheCacheBy() throws IOException {
        try (ByteChannel in = open(StandardOpenOption.READ, Files.size(file));
                ByteChannel unknown = open(StandardOpenOption.WRITE, InputOption.UNKNOWN);
                ByteChannel small = open(StandardOpenOption.WRITE, Uncached.WORTHWHILE - 1);
                ByteChannel large = open(StandardOpenOption.WRITE, Uncached.WORTHWHILE)) {
            assertThat(in).isNotInstanceOf(Uncached.class);
            assertThat(unknown).isNotInstanceOf(Uncached.class);
            assertThat(small).isNotInstanceOf(Uncached.class);
            assertThat(large).isInstanceOf(Uncached.class);
        }
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(Uncached.WORTHWHILE);
        }
        try (ByteChannel in = open(StandardOpenOption.READ, Files.size(file))) {
            assertThat(in).isInstanceOf(Uncached.class);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = StandardOpenOption.class,
            names = {"READ", "WRITE"})
    void fileThatIsAbsent_isOpenedInTheOrdinaryWay(StandardOpenOption access) {
        file = folder.resolve("missing");

        assertThatThrownBy(() -> open(access, Uncached.WORTHWHILE)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void largeContentThatFails_changesNothing() throws IOException {
        Files.writeString(file, "mine");

        assertThatThrownBy(() -> OutputOptions.replace(file, Uncached.WORTHWHILE, out -> {
                    out.write(bytes(BUFFER + 1));
                    throw new IOException("broken off");
                }))
                .hasMessageContaining("broken off");

        assertThat(file).hasContent("mine");
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }
}
