/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;

final class MessageCommandsTest {
    private static final byte[] PAYLOAD = "a\r\nb\0\u00e4\n".getBytes(UTF_8);

    @TempDir
    private Path folder;

    private CliRun signet;

    @BeforeEach
    void setUp() {
        signet = new CliRun(folder);
        signet.given(CliRun.ALICE_AND_BOB);
    }

    @ParameterizedTest
    @ValueSource(strings = {"integrity", "privacy", "confidentiality"})
    void sealedMessage_opensToExactlyItsPayload(String quality) {
        byte[] envelope = seal(quality);

        Result opened = signet.input(envelope).run("message open --address", quality, "--as", "bob");

        assertThat(opened.exitCode()).isZero();
        assertThat(opened.bytes()).isEqualTo(PAYLOAD);
        assertThat(opened.err()).isEmpty();
    }

    @Test
    void folderThatTakesNoFile_isNamed_andNoRandomName() {

        assertThat(signet.input(PAYLOAD)
                        .fails(ExitCode.FAILURE, "message seal --address privacy --as alice --out /proc/sealed"))
                .contains("/proc: ")
                .doesNotContain(".new");
    }

    @Test
    void dashForAFile_isTheStandardStream() {
        byte[] envelope = signet.input(PAYLOAD)
                .run("message seal --address privacy --as alice --in - --out -")
                .bytes();

        Result opened = signet.input(envelope).run("message open --address privacy --as bob --in - --out -");

        assertThat(opened.bytes()).isEqualTo(PAYLOAD);
        assertThat(folder.resolve("-")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"integrity", "privacy", "confidentiality"})
    void entity_isHeaderBlankLineAndPayload(String quality) {
        byte[] envelope = seal(quality);

        Result opened = signet.input(envelope).run("message open --address", quality, "--as", "bob", "--entity");

        assertThat(opened.exitCode()).isZero();
        assertThat(opened.out())
                .startsWith("Signet-Version: 1\r\nContent-Transfer-Encoding: binary\r\n")
                .contains("\r\nSignet-Address: " + quality + "\r\n")
                .endsWith("\r\n\r\n" + new String(PAYLOAD, UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"integrity", "privacy", "confidentiality"})
    void open_changedEnvelope_writesNothingAndOneLine(String quality) {
        byte[] envelope = seal(quality);
        envelope[envelope.length - 20] ^= 1;

        Result result = signet.input(envelope).run("message open --address", quality, "--as", "bob");

        assertRejected(result);
    }

    @Test
    void inspect_namesTheSenderOfAuthenticity_andBothSigners() {
        signet.ok("policy set agreed --quality authenticity --recipient alice");
        signet.ok("identity create alice.pq --dn CN=alice --key-algorithm ml-dsa-65");
        signet.ok("policy set both --quality integrity --require both --signer alice");

        assertThat(signet.input(seal("agreed")).ok("message inspect").out())
                .contains("quality      authenticity\n")
                .containsPattern("\nsigner       alice, ski:[0-9a-f]{40}\nsignature    none: the key agrees\n");
        byte[] both = seal("both");
        assertThat(signet.input(both).ok("message inspect").out()).containsPattern("""
                        signer       alice, ski:[0-9a-f]{40}
                        signer       alice.pq, ski:[0-9a-f]{40}
                        signature    ECDSA-SHA-512 and ML-DSA-65
                        """);
        JsonNode json = signet.input(both).json("message inspect --json");
        assertThat(json.path("signer").path("name").asText()).isEqualTo("alice");
        assertThat(json.path("second-signer").path("name").asText()).isEqualTo("alice.pq");
    }

    @Test
    void open_toleratedPlaintext_isWrittenWithAWarning() {
        signet.ok("policy set soon --quality integrity --tolerate-until 2999-01-01");

        Result result = signet.input("hello".getBytes(UTF_8)).run("message open --address soon --as bob");

        assertThat(result.out()).isEqualTo("hello");
        assertThat(result.err()).startsWith("signet: warning: the message was not protected");
    }

    @Test
    void open_rejected_leavesNoFile() throws IOException {
        byte[] envelope = seal("privacy");
        envelope[envelope.length / 2] ^= 1;

        Result result = signet.input(envelope).run("message open --address privacy --as bob --out payload");

        assertRejected(result);
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(folder.resolve("signet-home"));
        }
    }

    @Test
    void files_areReadAndWrittenWholeAndForTheOwnerAlone() throws IOException {
        Files.write(folder.resolve("in"), PAYLOAD);

        signet.ok("message seal --address privacy --as alice --in in --out sealed");
        signet.ok("message open --address privacy --as bob --in sealed --out out");

        assertThat(folder.resolve("out")).hasBinaryContent(PAYLOAD);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("out"))))
                .isEqualTo("rw-------");
    }

    @Test
    void seal_fileExists_isNotOverwrittenUnlessForced() throws IOException {
        Files.writeString(folder.resolve("out"), "mine");
        signet.input(PAYLOAD);

        Result rejected = signet.run("message seal --address privacy --as alice --out out");
        String kept = Files.readString(folder.resolve("out"));
        Result forced = signet.run("message seal --address privacy --as alice --out out --force");

        assertThat(rejected.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(kept).isEqualTo("mine");
        assertThat(forced.exitCode()).isZero();
        assertThat(folder.resolve("out")).binaryContent().startsWith(0x30);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--force"})
    void out_pipe_isWrittenIntoAndStays(String option) throws Exception {
        byte[] envelope = seal("privacy");
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        CompletableFuture<byte[]> read = new CompletableFuture<>();
        Thread reader = new Thread(() -> read.complete(bytesOf(pipe)));
        reader.setDaemon(true);
        reader.start();

        Result opened = signet.input(envelope)
                .run(Stream.of("message", "open", "--address", "privacy", "--as", "bob", "--out", "pipe", option)
                        .filter(argument -> !argument.isEmpty())
                        .toArray(String[]::new));

        assertThat(opened.err()).isEmpty();
        assertThat(read.get(3, TimeUnit.MINUTES)).isEqualTo(PAYLOAD);
        assertThat(Files.readAttributes(pipe, BasicFileAttributes.class).isOther())
                .isTrue();
    }

    @Test
    void out_link_isNotFollowed() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "mine");
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        byte[] envelope = seal("privacy");

        assertThat(signet.input(envelope)
                        .fails(ExitCode.FAILURE, "message open --address privacy --as bob --out link --force"))
                .contains("link: a link, which is not followed");
        assertThat(link).isSymbolicLink();
        assertThat(file).hasContent("mine");
    }

    private static byte[] bytesOf(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] seal(String address) {
        return signet.input(PAYLOAD)
                .ok("message seal --address", address, "--as", "alice")
                .bytes();
    }

    private static void assertRejected(Result result) {
        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.bytes()).isEmpty();
        assertThat(result.err().lines())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("signet: error: message not opened: ");
    }
}
