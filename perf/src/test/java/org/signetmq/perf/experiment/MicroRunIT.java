/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.experiment.MicroExperiment.MicroRun;
import org.signetmq.perf.process.Runner;
import org.signetmq.perf.result.Row;
import org.signetmq.testkit.Tier;

final class MicroRunIT {
    @TempDir
    private Path folder;

    @Test
    void operations_areTheCombinationsOfTheTable_withNamesOfTheirOwn() {
        List<String> names = Operation.own(false).stream().map(Operation::name).toList();

        assertThat(names)
                .doesNotHaveDuplicates()
                .contains(
                        "limit.sha512",
                        "limit.aes256gcm.encrypt.256",
                        "seal.confidentiality.32.p256",
                        "seal.confidentiality.32.rsa2048.r50",
                        "seal.privacy.0.hybrid",
                        "check.integrity.warm.pq",
                        "open.privacy.cold.rsa2048");
        assertThat(Operation.own(true)).hasSizeBetween(20, 40);
        assertThat(MicroRun.arguments(Operation.ofPeer("peer.a"), 1, true, Path.of("s")))
                .contains("row=peer.a", "PeerBenchmark");
    }

    @Test
    @Tag(Tier.LONG)
    void operation_isMeasuredByJmh() throws Exception {
        Runner runner = new Runner(true, folder, line -> {});

        new MicroRun("", "seal\\.confidentiality\\.32\\.p256").measure(runner);

        assertThat(runner.failures()).isEmpty();
        Row one = runner.rows().get(0);
        assertThat(one.number("us")).isPositive();
        assertThat(one.number("bytes_allocated")).isPositive();
        assertThat(runner.rows().get(1).text("clients")).isEqualTo("2");
        assertThat(runner.rows())
                .filteredOn(row -> row.text("setting").equals("confidentiality.32.p256"))
                .singleElement()
                .satisfies(row -> assertThat(row.number("bytes_added")).isBetween(400.0, 550.0));
    }

    @Test
    void patternWithoutOperation_andJarWithoutRows_areReported() throws Exception {
        Runner runner = new Runner(true, folder, line -> {});
        Path file = Files.writeString(folder.resolve("peers.jar"), "no jar");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MicroRun("", "nothing").measure(runner))
                .withMessage("--rows nothing: matches no operation");
        assertThatIOException()
                .isThrownBy(() -> new MicroRun(file.toString(), ".*").measure(runner))
                .withMessage("peers: no rows.txt in " + file);
    }
}
