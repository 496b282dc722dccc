/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Looks for payloads in clear in every byte of every file of a broker. */
final class DiskSearch {
    private final Pattern marker;
    private final Map<Integer, BitSet> found = new HashMap<>();
    private long files;
    private long bytes;

    DiskSearch(Marker marker) {
        this.marker = marker.pattern();
    }

    /** Searches all files below a folder, and keeps earlier findings. */
    void search(Path folder) throws IOException {
        files = 0;
        bytes = 0;
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                searchFile(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                return gone(failure);
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                return failure == null ? FileVisitResult.CONTINUE : gone(failure);
            }
        });
    }

    /** Returns the number of different messages of a lane that were found. */
    int found(Lane lane) {
        return found.getOrDefault(lane.number(), new BitSet()).cardinality();
    }

    long files() {
        return files;
    }

    long bytes() {
        return bytes;
    }

    /** Goes on if a running broker has deleted a file; any other failure would leave a part unsearched. */
    private static FileVisitResult gone(IOException failure) throws IOException {
        if (failure instanceof NoSuchFileException) {
            return FileVisitResult.CONTINUE;
        }
        throw failure;
    }

    private void searchFile(Path file) throws IOException {
        try {
            byte[] content = Files.readAllBytes(file);
            files++;
            bytes += content.length;
            searchBytes(content);
        } catch (NoSuchFileException e) {
            gone(e);
        }
    }

    /** UTF-8 has the characters side by side; UTF-16 of either byte order a zero between them. */
    void searchBytes(byte[] content) {
        searchCharacters(content);
        searchCharacters(everySecond(content, 0));
        searchCharacters(everySecond(content, 1));
    }

    private static byte[] everySecond(byte[] content, int first) {
        byte[] taken = new byte[(content.length + 1 - first) / 2];
        for (int i = 0; i < taken.length; i++) {
            taken[i] = content[first + 2 * i];
        }
        return taken;
    }

    private void searchCharacters(byte[] content) {
        Matcher matcher = marker.matcher(new String(content, StandardCharsets.ISO_8859_1));
        while (matcher.find()) {
            found.computeIfAbsent(Integer.valueOf(matcher.group(1)), lane -> new BitSet())
                    .set(Integer.parseInt(matcher.group(2)));
        }
    }
}
