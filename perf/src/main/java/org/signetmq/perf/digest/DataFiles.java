/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.digest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.activemq.artemis.utils.FileUtil;

/** The files that are read, in a folder that is deleted on close or when the process has to stop. */
final class DataFiles implements AutoCloseable {
    private static final int SAMPLES = 16;
    private static final int PAGE = 4096;

    private final Path folder;
    private final int length;
    private final List<Path> files = new ArrayList<>();
    private final Thread atExit = new Thread(this::delete, "signet-perf-clean-up");

    /** Makes some part of the folder. */
    @FunctionalInterface
    interface Maker<T> {
        T in(Path folder) throws IOException;
    }

    private DataFiles(Path folder, int length) {
        this.folder = folder;
        this.length = length;
    }

    /** Writes this many files of this length to the disk, in a new folder of this parent. */
    static DataFiles create(Path parent, int count, int length) throws IOException {
        DataFiles data = new DataFiles(Files.createTempDirectory(parent, "signet-perf-"), length); // mode 0700
        Runtime.getRuntime().addShutdownHook(data.atExit);
        try {
            byte[] content = new byte[length];
            for (int i = 0; i < count; i++) {
                new SplittableRandom(i).nextBytes(content);
                data.files.add(data.make(folder -> written(folder, content)));
            }
            return data;
        } catch (IOException | RuntimeException e) {
            data.close();
            throw e;
        }
    }

    private static Path written(Path folder, byte[] content) throws IOException {
        Path file = Files.createTempFile(folder, "data", "");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer left = ByteBuffer.wrap(content);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true); // a page that is not on the disk cannot leave the memory
        }
        return file;
    }

    /** Makes a part of the folder. The folder is deleted before or after it, but not meanwhile. */
    synchronized <T> T make(Maker<T> part) throws IOException {
        return part.in(folder);
    }

    /** Returns the first of the files, at most as many as this. */
    List<Path> first(int count) {
        return files.subList(0, Math.min(count, files.size()));
    }

    int length() {
        return length;
    }

    /** Opens a file as the product opens one of this length. */
    static InputStream open(Path file) throws IOException {
        return Channels.newInputStream(FileChannel.open(file));
    }

    /** Drops these files from the page cache of the system; other files stay there. Nothing happens without GNU dd. */
    static void forget(List<Path> files) throws InterruptedException {
        for (Path file : files) {
            try {
                new ProcessBuilder("dd", "if=" + file, "iflag=nocache", "count=0")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor();
            } catch (IOException noSuchProgram) {
                return;
            }
        }
    }

    /** Tells whether files can be dropped from memory here: whether samples of the first one are gone. */
    boolean canBeForgotten() throws IOException, InterruptedException {
        forget(first(1));
        try (FileChannel channel = FileChannel.open(files.get(0))) {
            for (long i = 0; i < SAMPLES; i++) {
                if (channel.map(MapMode.READ_ONLY, i * (length - PAGE) / SAMPLES, PAGE)
                        .isLoaded()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns what the output says of the disk. */
    String fileSystem() throws IOException {
        return Files.getFileStore(folder).type();
    }

    private synchronized void delete() {
        FileUtil.deleteDirectory(folder.toFile());
    }

    @Override
    public void close() {
        delete();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException stopping) {
            // the hook deletes it too
        }
    }
}
