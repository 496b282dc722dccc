/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.perf.micro.Row.Crypto;
import org.signetmq.perf.micro.Row.Depth;
import org.signetmq.perf.result.Parts;

final class JmhRunnerTest {
    @TempDir
    private Path folder;

    @Test
    void jarThatDoesNotRun_failsTheRow_andNamesItsLog() throws Exception {
        Path jar = jar("org/signetmq/peers/rows.txt", "peer.aws.seal.32\n");
        JmhRunner runner = new JmhRunner(jar);
        List<Row> rows = Row.peers(runner.peerRows(), false);

        assertThat(rows).hasSize(1);
        IOException thrown = catchThrowableOfType(IOException.class, () -> runner.measure(rows.get(0)));
        String failure = Parts.reason(thrown);
        assertThat(failure).startsWith("status 1, see ");
        Path log = Path.of(failure.substring("status 1, see ".length()));
        assertThat(log).content().contains("jarfile");
        Files.delete(log);
    }

    @Test
    void jarWithoutRows_isRejected() throws Exception {
        assertWithoutRows(jar("something/else.txt", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"peers.jar", "peers.txt"})
    void fileThatIsNoJar_isRejected(String name) throws Exception {
        assertWithoutRows(Files.writeString(folder.resolve(name), "no jar"));
    }

    private static void assertWithoutRows(Path file) {
        assertThatIOException()
                .isThrownBy(() -> new JmhRunner(file).peerRows())
                .withMessage("peers: no rows.txt in " + file);
    }

    @Test
    void arguments_haveTheDigitsOfJmh_inEachLocale() {
        Row row = new Row(Row.parameters("limit.aes256gcm.encrypt.256"), 2, Crypto.JAVA_ONLY, Depth.FULL);
        List<String> usual = JmhRunner.arguments(row, Path.of("scores.json"));
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));

            assertThat(JmhRunner.arguments(row, Path.of("scores.json"))).isEqualTo(usual);
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void ownRow_isMeasuredAsItsDepthAndParametersSay() {
        Row row = new Row(Row.parameters("limit.aes256gcm.encrypt.256"), 2, Crypto.JAVA_ONLY, Depth.FULL);

        assertThat(JmhRunner.arguments(row, Path.of("scores.json")))
                .containsSubsequence("-bm", "avgt", "-tu", "us", "-t", "2", "-f", "3", "-wi", "15", "-i", "5")
                .containsSubsequence(
                        "-w", "1000ms", "-r", "1000ms", "-prof", "gc", "-rf", "json", "-rff", "scores.json")
                .containsSubsequence("-jvmArgsAppend", "-Xms1g -Xmx1g -Dsignet.crypto.java-only=true")
                .endsWith("-p", "operation=limit.aes256gcm.encrypt", "-p", "size=256", "MicroBenchmark");
    }

    @Test
    void rowOfAPeer_isNamedToItsBenchmark() {
        Row row = Row.peers(List.of("peer.aws.seal.32"), true).get(0);

        assertThat(JmhRunner.arguments(row, Path.of("scores.json")))
                .containsSubsequence("-t", "1", "-f", "1", "-wi", "3", "-i", "3", "-w", "600ms", "-r", "600ms")
                .endsWith("-p", "row=peer.aws.seal.32", "PeerBenchmark");
    }

    private Path jar(String entry, String content) throws IOException {
        Path jar = folder.resolve("peers.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry(entry));
            zip.write(content.getBytes(StandardCharsets.US_ASCII));
            zip.closeEntry();
        }
        return jar;
    }
}
