/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class DiskSearchTest {
    private static final Lane LANE = Lane.all().get(13);

    private final Marker marker = Marker.fresh();
    private final DiskSearch search = new DiskSearch(marker);

    @TempDir
    private Path folder;

    static Stream<Charset> encodings() {
        return Stream.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE);
    }

    @ParameterizedTest
    @MethodSource("encodings")
    void payloads_areFoundInEveryEncodingAtAnyPlace(Charset encoding) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        for (int message = 0; message < 3; message++) {
            file.write(new byte[] {'C', 0, 7}); // odd and even offsets, and false starts
            file.write(marker.payload(LANE, message).getBytes(encoding));
        }
        Files.createDirectories(folder.resolve("a/b"));
        Files.write(folder.resolve("a/b/file"), file.toByteArray());

        search.search(folder);

        assertThat(search.found(LANE)).isEqualTo(3);
        assertThat(search.found(Lane.all().get(0))).isZero();
        assertThat(search.files()).isEqualTo(1);
        assertThat(search.bytes()).isEqualTo(file.size());
    }

    @Test
    void samePayloadTwice_countsOnce() {
        byte[] payload = marker.payload(LANE, 1).getBytes(StandardCharsets.UTF_8);

        search.searchBytes(payload);
        search.searchBytes(payload);

        assertThat(search.found(LANE)).isEqualTo(1);
    }

    @Test
    void otherRunAndCutMarker_areNotFound() {
        byte[] whole = marker.payload(LANE, 1).getBytes(StandardCharsets.UTF_8);
        int end = new String(whole, StandardCharsets.UTF_8).indexOf(marker.run())
                + marker.run().length()
                + 4;

        search.searchBytes(Marker.fresh().payload(LANE, 1).getBytes(StandardCharsets.UTF_8));
        search.searchBytes(Arrays.copyOf(whole, end));

        assertThat(search.found(LANE)).isZero();
    }
}
