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
import java.util.LongSummaryStatistics;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.cli.demo.Demo.Lane;
import org.signetmq.cli.demo.Demo.Payloads;

final class PayloadsTest {
    private static final Lane LANE = Lane.all().get(13);

    private final Payloads payloads = new Payloads();

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
            file.write(payloads.payload(LANE, message).getBytes(encoding));
        }
        Files.createDirectories(folder.resolve("a/b"));
        Files.write(folder.resolve("a/b/file"), file.toByteArray());

        LongSummaryStatistics searched = payloads.search(folder);

        assertThat(payloads.found(LANE)).isEqualTo(3);
        assertThat(payloads.found(Lane.all().get(0))).isZero();
        assertThat(searched.getCount()).isEqualTo(1);
        assertThat(searched.getSum()).isEqualTo(file.size());
    }

    @Test
    void samePayloadTwice_countsOnce() {
        byte[] payload = payloads.payload(LANE, 1).getBytes(StandardCharsets.UTF_8);

        payloads.searchBytes(payload);
        payloads.searchBytes(payload);

        assertThat(payloads.found(LANE)).isEqualTo(1);
    }

    @Test
    void otherRunAndCutMarker_areNotFound() {
        byte[] whole = payloads.payload(LANE, 1).getBytes(StandardCharsets.UTF_8);
        int end = new String(whole, StandardCharsets.UTF_8).indexOf("0000001") + 6;

        payloads.searchBytes(new Payloads().payload(LANE, 1).getBytes(StandardCharsets.UTF_8));
        payloads.searchBytes(Arrays.copyOf(whole, end));

        assertThat(payloads.found(LANE)).isZero();
    }
}
