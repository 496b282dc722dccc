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
import org.jspecify.annotations.Nullable;

/** Looks for payloads in clear in every byte of every file of a broker. */
final class DiskSearch {
    private final byte[] run;
    private final Map<Integer, BitSet> found = new HashMap<>();
    private long files;
    private long bytes;

    DiskSearch(Marker marker) {
        this.run = marker.run().getBytes(StandardCharsets.US_ASCII);
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
        for (int start = 0; start < content.length; start++) {
            if (content[start] == run[0]) {
                matchAt(content, start, 1);
                matchAt(content, start, 2);
            }
        }
    }

    private void matchAt(byte[] content, int start, int stride) {
        int end = start + (run.length + Marker.DIGITS - 1) * stride;
        if (end >= content.length) {
            return;
        }
        for (int i = 0; i < run.length; i++) {
            if (content[start + i * stride] != run[i]) {
                return;
            }
        }
        StringBuilder digits = new StringBuilder();
        for (int i = run.length; i < run.length + Marker.DIGITS; i++) {
            char digit = (char) content[start + i * stride];
            if (digit < '0' || digit > '9') {
                return; // the rest of an overwritten record
            }
            digits.append(digit);
        }
        found.computeIfAbsent(Marker.laneOf(digits.toString()), lane -> new BitSet())
                .set(Marker.messageOf(digits.toString()));
    }
}
