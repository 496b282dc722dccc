/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A text that nothing else has: where it is found, a payload lies in clear. Payloads have it in UTF-8 and in both forms
 * of UTF-16.
 *
 * @param text of ASCII characters
 */
public record Marker(String text) {
    /** The least size of a payload, in bytes. */
    public static final int LEAST_SIZE = 256;

    private static final int BUFFER = 1 << 20;
    private static final byte[] ZEROS = new byte[BUFFER];

    /** Checks that a payload has room for the text in all forms. */
    public Marker {
        int all = text.length() * 5;
        if (text.isEmpty() || all >= LEAST_SIZE) {
            throw new IllegalArgumentException("marker: must have 1 to " + LEAST_SIZE / 5 + " characters");
        }
    }

    /** Returns a marker that no earlier run had. */
    public static Marker random() {
        return new Marker("signet-" + UUID.randomUUID());
    }

    /** Returns the bytes that are looked for. */
    List<byte[]> forms() {
        return List.of(
                text.getBytes(StandardCharsets.UTF_8),
                text.getBytes(StandardCharsets.UTF_16LE),
                text.getBytes(StandardCharsets.UTF_16BE));
    }

    /**
     * Returns a payload that has the marker once in each form. The rest cannot be compressed.
     *
     * @param size in bytes, at least {@link #LEAST_SIZE}
     */
    public byte[] payload(int size) {
        byte[] payload = new byte[size];
        new SplittableRandom(text.hashCode()).nextBytes(payload);
        int at = 0;
        for (byte[] form : forms()) {
            System.arraycopy(form, 0, payload, at, form.length);
            at += form.length;
        }
        payload[at] = 1; // one form of UTF-16 before a zero also reads as the other
        return payload;
    }

    /**
     * Returns how often a file has the marker, in any form. For a folder it counts in all files below; a folder that is
     * not there has none.
     */
    public long countIn(Path place) throws IOException {
        if (!Files.exists(place)) {
            return 0;
        }
        List<Path> files;
        try (Stream<Path> below = Files.walk(place)) {
            files = below.filter(Files::isRegularFile).toList();
        }
        long count = 0;
        for (Path file : files) {
            count += countInFile(file);
        }
        return count;
    }

    private long countInFile(Path file) throws IOException {
        MarkerScan scan = new MarkerScan(this);
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = Files.newInputStream(file)) {
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                // nearly all of a disk image is a hole; once the scan has seen enough zeros, more change nothing
                boolean isHole = Arrays.equals(buffer, 0, length, ZEROS, 0, length);
                scan.next(buffer, isHole ? Math.min(length, LEAST_SIZE) : length);
            }
        }
        return scan.found();
    }
}
