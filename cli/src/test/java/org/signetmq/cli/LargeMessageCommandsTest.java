/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.envelope.SegmentSealer;
import org.signetmq.testkit.Tier;

/** Messages of more than one segment, through files and through streams. */
final class LargeMessageCommandsTest {
    private static final int SEGMENT = SegmentSealer.SEGMENT_LENGTH;

    @TempDir
    private Path folder;

    private CliRun signet;

    @BeforeEach
    void setUp() {
        signet = new CliRun(folder);
        signet.given(CliRun.ALICE_AND_BOB);
    }

    private static byte[] payload(int length) {
        byte[] payload = new byte[length];
        new SplittableRandom(length).nextBytes(payload);
        return payload;
    }

    private byte[] seal(String address, byte[] payload) {
        return signet.input(payload)
                .ok("message seal --address", address, "--as", "alice")
                .bytes();
    }

    private Result open(byte[] sealed, String... more) {
        String[] arguments = {"message", "open", "--address", "privacy", "--as", "bob"};
        String[] all = Arrays.copyOf(arguments, arguments.length + more.length);
        System.arraycopy(more, 0, all, arguments.length, more.length);
        return signet.input(sealed).run(all);
    }

    static Stream<Arguments> payloads() {
        return Tier.cases(
                5,
                Arguments.of("integrity", 2 * SEGMENT),
                Arguments.of("privacy", SEGMENT + 1),
                Arguments.of("privacy", 3_500_000),
                Arguments.of("confidentiality", SEGMENT + 1),
                Arguments.of("none", 3_500_000),
                Arguments.of("confidentiality", 8 * SEGMENT),
                Arguments.of("privacy", 64 * SEGMENT + 1));
    }

    @ParameterizedTest
    @MethodSource("payloads")
    void sealedInSegments_opensToExactlyItsPayload(String address, int length) throws IOException {
        byte[] payload = payload(length);
        Files.write(folder.resolve("in"), payload);

        signet.ok("message seal --address", address, "--as", "alice", "--in", "in", "--out", "sealed");
        signet.ok("message open --address", address, "--as", "bob", "--in", "sealed", "--out", "out");
        Result streamed = signet.input(seal(address, payload)).run("message open --address", address, "--as", "bob");

        assertThat(Files.readAllBytes(folder.resolve("out"))).isEqualTo(payload);
        assertThat(streamed.exitCode()).isZero();
        assertThat(streamed.bytes()).isEqualTo(payload);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, SEGMENT})
    void upToOneSegment_isOneEnvelopeWithoutAPlace(int length) {
        byte[] sealed = seal("privacy", payload(length));

        Result entity = open(sealed, "--entity");

        assertThat(new String(Arrays.copyOf(entity.bytes(), 300), StandardCharsets.ISO_8859_1))
                .doesNotContain("Signet-Segment")
                .contains("Signet-Address: privacy");
        assertThat(entity.bytes()).endsWith(payload(length));
    }

    @Test
    void entity_isTheHeaderOfTheFirstSegmentAndThePayloadOfAll() {
        byte[] payload = payload(2 * SEGMENT + 3);

        Result entity = open(seal("privacy", payload), "--entity");

        assertThat(new String(Arrays.copyOf(entity.bytes(), 300), StandardCharsets.ISO_8859_1))
                .contains("\r\nSignet-Segment: 1\r\n");
        assertThat(entity.bytes()).endsWith(payload);
    }

    @Test
    void laterSegmentChanged_streamEndsBeforeItWithAFailure() {
        byte[] payload = payload(3 * SEGMENT);
        byte[] sealed = seal("privacy", payload);
        sealed[sealed.length - SEGMENT / 2] ^= 1;

        Result result = open(sealed);

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.bytes()).isEqualTo(Arrays.copyOf(payload, 2 * SEGMENT));
        assertThat(result.err())
                .startsWith("signet: error: message not opened: ")
                .contains("signet: hint: ")
                .contains("2097152 bytes");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, SEGMENT / 2, SEGMENT + 2000})
    void cut_fails(int missing) {
        byte[] sealed = seal("privacy", payload(2 * SEGMENT));

        Result result = open(Arrays.copyOf(sealed, sealed.length - missing));

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.bytes()).hasSizeLessThan(2 * SEGMENT);
    }

    @Test
    void laterSegmentChanged_fileIsNotWritten() throws IOException {
        byte[] sealed = seal("privacy", payload(3 * SEGMENT));
        sealed[sealed.length - 100] ^= 1;
        Files.writeString(folder.resolve("out"), "mine");

        Result result = open(sealed, "--out", "out", "--force");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(folder.resolve("out")).hasContent("mine");
        try (var files = Files.list(folder)) {
            assertThat(files).hasSize(2); // the home is the other one
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3 * SEGMENT})
    @EnabledOnOs(OS.LINUX) // it has a device that is always full
    void deviceFull_saysWhichAndWhat(int length) {

        assertThat(signet.input(payload(length))
                        .fails(ExitCode.FAILURE, "message seal --address privacy --as alice --out /dev/full"))
                .isEqualTo("signet: error: /dev/full: No space left on device\n");
    }

    @Test
    void inspect_countsSegments_andShowsTheDigestOfAll() throws Exception {
        byte[] sealed = seal("privacy", payload(3 * SEGMENT + 1));

        Result text = signet.input(sealed).ok("message inspect");
        JsonNode json = signet.input(sealed).json("message inspect --json");

        assertThat(text.out())
                .containsPattern("segments +4\\R")
                .containsPattern("length +" + sealed.length + " bytes\\R")
                .containsPattern("recipient +bob, ");
        assertThat(json.path("segments").asInt()).isEqualTo(4);
        assertThat(json.path("length").asInt()).isEqualTo(sealed.length);
        assertThat(json.path("sha256").textValue())
                .isEqualTo(HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(sealed)));
    }

    @Test
    void inspect_somethingBehind_fails() {
        byte[] sealed = seal("privacy", payload(SEGMENT + 1));

        Result result = signet.input(Arrays.copyOf(sealed, sealed.length + 1)).run("message inspect");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.out()).isEmpty();
    }
}
