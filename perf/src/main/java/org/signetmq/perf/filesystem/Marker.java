/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
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
record Marker(String text) {
    /** The least size of a payload, in bytes. */
    static final int LEAST_SIZE = 256;

    private static final int BUFFER = 1 << 20;
    private static final byte[] ZEROS = new byte[BUFFER];
    private static final List<Charset> FORMS =
            List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE);

    /** Returns a marker that no earlier run had. */
    static Marker random() {
        return new Marker("signet-" + UUID.randomUUID());
    }

    /** Returns a payload that has the marker once in each form. The rest cannot be compressed. */
    byte[] payload(int size) {
        byte[] payload = new byte[size];
        new SplittableRandom(text.hashCode()).nextBytes(payload);
        int at = 0;
        for (Charset form : FORMS) {
            byte[] bytes = text.getBytes(form);
            System.arraycopy(bytes, 0, payload, at, bytes.length);
            at += bytes.length;
        }
        payload[at] = 1; // one form of UTF-16 before a zero also reads as the other
        return payload;
    }

    /** Counts the marker in a stream of bytes, whatever the parts in which it comes. For one thread. */
    final class Scan {
        /** The bytes of each form, as characters below 256. */
        private final List<String> forms = FORMS.stream()
                .map(form -> new String(text.getBytes(form), StandardCharsets.ISO_8859_1))
                .toList();

        private String kept = "";
        private long found;

        /** Takes the next bytes, and returns how often all forms together were found so far. */
        long next(byte[] bytes, int length) {
            String window = kept + new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
            for (String form : forms) {
                int first = Math.max(0, kept.length() - form.length() + 1); // what ended before was counted
                for (int at = window.indexOf(form, first); at >= 0; at = window.indexOf(form, at + 1)) {
                    found++;
                }
            }
            kept = window.substring(Math.max(0, window.length() - 2 * text.length() + 1));
            return found;
        }
    }

    /** Returns how often a file, or all files below a folder, have the marker; none if the place is not there. */
    long countIn(Path place) throws IOException {
        if (!Files.exists(place)) {
            return 0;
        }
        List<Path> files;
        try (Stream<Path> below = Files.walk(place)) {
            files = below.filter(Files::isRegularFile).toList();
        }
        long count = 0;
        byte[] buffer = new byte[BUFFER];
        for (Path file : files) {
            Scan scan = new Scan();
            long found = 0;
            try (InputStream in = Files.newInputStream(file)) {
                for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                    // nearly all of a disk image is a hole; once the scan has seen enough zeros, more change nothing
                    boolean isHole = Arrays.equals(buffer, 0, length, ZEROS, 0, length);
                    found = scan.next(buffer, isHole ? Math.min(length, LEAST_SIZE) : length);
                }
            }
            count += found;
        }
        return count;
    }
}
