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
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.result.Parts;

final class JmhRunnerTest {
    @TempDir
    private Path folder;

    @Test
    void jarThatDoesNotRun_failsTheRow_andNamesItsLog() throws Exception {
        Path jar = jar("org/signetmq/peers/rows.txt", "peer.aws.seal.32\n");
        JmhRunner runner = new JmhRunner(jar);
        List<Row> rows = Rows.peers(runner.peerRows(), false);

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
        Path jar = jar("something/else.txt", "");

        assertThatIOException().isThrownBy(() -> new JmhRunner(jar).peerRows()).withMessageContaining("rows.txt");
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
