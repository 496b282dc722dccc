/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.RandomAccessFile;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MarkerTest {
    private static final long SEED = new Random().nextLong();

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "UTF-16LE", "UTF-16BE"})
    void scan_findsEachForm_howeverTheStreamIsCut(String charset) {
        Marker marker = new Marker("aab-aab-aac");
        byte[] form = marker.text().getBytes(Charset.forName(charset));
        Random random = new Random(SEED);
        byte[] stream = new byte[10_000];
        for (int i = 0; i < stream.length; i++) {
            stream[i] = (byte) "ab-c\0".charAt(random.nextInt(5)); // much that is nearly the marker
        }
        for (int at : new int[] {0, 500, 500 + form.length, 4_000, stream.length - form.length}) {
            System.arraycopy(form, 0, stream, at, form.length);
        }

        MarkerScan scan = new MarkerScan(marker);
        for (int at = 0; at < stream.length; ) {
            int length = Math.min(1 + random.nextInt(40), stream.length - at);
            byte[] part = new byte[length];
            System.arraycopy(stream, at, part, 0, length);
            scan.next(part, length);
            at += length;
        }

        assertThat(scan.found()).as("seed " + SEED).isEqualTo(naive(marker, stream));
        assertThat(scan.found()).isGreaterThanOrEqualTo(5);
    }

    private static long naive(Marker marker, byte[] stream) {
        String text = new String(stream, StandardCharsets.ISO_8859_1);
        return marker.forms().stream()
                .map(form -> new String(form, StandardCharsets.ISO_8859_1))
                .mapToLong(form -> {
                    long count = 0;
                    for (int at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
                        count++;
                    }
                    return count;
                })
                .sum();
    }

    @Test
    void payload_hasTheMarkerOnceInEachForm() throws Exception {
        Marker marker = Marker.random();
        byte[] payload = marker.payload(Marker.LEAST_SIZE);

        assertThat(marker.countIn(Files.write(folder.resolve("payload"), payload)))
                .isEqualTo(3);
        assertThat(Marker.random().countIn(folder.resolve("payload"))).isZero();
    }

    @Test
    void folder_countsAllFilesBelow_andAMissingOneNone() throws Exception {
        Marker marker = Marker.random();
        Path deep = Files.createDirectories(folder.resolve("a/b"));
        Files.write(deep.resolve("one"), marker.payload(5_000));
        Files.write(folder.resolve("two"), marker.payload(5_000));

        assertThat(marker.countIn(folder)).isEqualTo(6);
        assertThat(marker.countIn(folder.resolve("missing"))).isZero();
    }

    /** The parts that the search reads are 1 MiB; a form may begin or end in a hole, because of its zeros. */
    @ParameterizedTest
    @ValueSource(longs = {-300, -222, -215, -43, -1, 0, 1})
    void fileWithHoles_isSearchedBesideThem(long beforeHole) throws Exception {
        Marker marker = Marker.random();
        Path file = folder.resolve("image");
        try (RandomAccessFile image = new RandomAccessFile(file.toFile(), "rw")) {
            image.setLength(8 << 20);
            image.seek((3 << 20) + beforeHole);
            for (byte[] form : marker.forms()) {
                image.write(form);
            }
            image.write(1); // one form of UTF-16 before a zero also reads as the other
        }

        assertThat(marker.countIn(file)).isEqualTo(3);
    }

    @Test
    void textThatDoesNotFit_isRejected() {
        assertThatThrownBy(() -> new Marker("")).hasMessage("marker: must have 1 to 51 characters");
        assertThatThrownBy(() -> new Marker("x".repeat(52))).hasMessage("marker: must have 1 to 51 characters");
    }
}
