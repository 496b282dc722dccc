/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.Ran;
import org.signetmq.perf.micro.MicroRun.RowRunner;
import org.signetmq.perf.result.Result;
import org.signetmq.testkit.Tier;

/** The command with made-up rows. */
final class MicroCommandTest {
    @TempDir
    private Path folder;

    @Tag(Tier.LONG)
    @Test
    void failedRow_isNamed_theOthersAreKept_andTheExitCodeIs1() throws Exception {
        Path json = folder.resolve("micro.json");

        Ran ran = micro(
                MicroCommandTest::measuredButSha512,
                "--quick",
                "--rows",
                "limit\\.(sha512|aes256gcm\\.encrypt)",
                "--json",
                json.toString());

        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.out()).containsPattern("limit\\.aes256gcm\\.encrypt +1 [a-z-]+ +7\\.000");
        assertThat(ran.err()).contains("limit.sha512", "out of luck, see a log");
        JsonNode file = new ObjectMapper().readTree(json.toFile());
        assertThat(file.path("results").findValuesAsText("name")).isNotEmpty().containsOnly("limit.aes256gcm.encrypt");
        assertThat(file.path("failed").path(0).path("name").asText()).startsWith("limit.sha512 ");
        assertThat(file.path("failed").path(0).path("reason").asText()).isEqualTo("out of luck, see a log");
    }

    @Tag(Tier.LONG)
    @Test
    void runnerThatBreaksDown_failsItsRowsAlone() throws Exception {
        Path json = folder.resolve("micro.json");

        Ran ran = micro(
                row -> {
                    if (row.name().equals("limit.sha512")) {
                        throw new IOException("no space left on device");
                    }
                    return measuredButSha512(row);
                },
                "--rows",
                "limit\\.(sha512|aes256gcm\\.encrypt)",
                "--json",
                json.toString());

        assertThat(ran.exitCode()).isEqualTo(1);
        JsonNode file = new ObjectMapper().readTree(json.toFile());
        assertThat(file.path("results")).isNotEmpty();
        assertThat(file.path("failed").findValuesAsText("reason")).containsOnly("no space left on device");
    }

    @Tag(Tier.LONG)
    @Test
    void everythingMeasured_isWritten_withTheCommandThatDidIt() throws Exception {
        Path json = folder.resolve("micro.json");

        Ran ran = micro(
                MicroCommandTest::measuredButSha512,
                "--rows",
                "limit.aes256gcm.encrypt|seal.confidentiality.*p256",
                "--json",
                json.toString(),
                "--plot",
                folder.resolve("charts").toString());

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err()).contains("[1/").contains(" min left");
        JsonNode file = new ObjectMapper().readTree(json.toFile());
        assertThat(file.path("schema").asInt()).isEqualTo(1);
        assertThat(file.path("command").asText())
                .isEqualTo("./signet perf micro --rows 'limit.aes256gcm.encrypt|seal.confidentiality.*p256' --json "
                        + json + " --plot " + folder.resolve("charts"));
        assertThat(file.path("machine").path("memory_mib").asLong())
                .isGreaterThanOrEqualTo(Runtime.getRuntime().maxMemory() >> 20);
        assertThat(file.has("failed")).isFalse();
        JsonNode row = file.path("results").path(0);
        assertThat(row.path("name").asText()).isEqualTo("limit.aes256gcm.encrypt");
        assertThat(row.path("us_per_op").asDouble()).isEqualTo(7);
        assertThat(row.path("bytes_per_op").asDouble()).isEqualTo(100);
        assertThat(row.path("threads").asInt()).isEqualTo(1);
        assertThat(file.path("sizes").findValuesAsText("name")).contains("size.confidentiality.p256");
        JsonNode law = file.path("laws").path(0);
        assertThat(law.path("rows").asText()).isEqualTo("seal.confidentiality.N.p256");
        assertThat(law.path("t_infinity_us").asDouble()).isEqualTo(7);
        assertThat(law.path("k_us").asDouble()).isZero();
        assertThat(folder.resolve("charts/micro-operations.svg")).isNotEmptyFile();
    }

    @Tag(Tier.LONG)
    @Test
    void chartsThatCannotBeDrawn_doNotTakeTheResultsAway() throws Exception {
        Path json = folder.resolve("micro.json");
        Path charts = folder.resolve("charts");
        RowRunner removing = row -> {
            Files.deleteIfExists(charts);
            Files.writeString(charts, "in the way");
            return measuredButSha512(row);
        };

        Ran ran = micro(
                removing, "--rows", "limit.aes256gcm.encrypt", "--json", json.toString(), "--plot", charts.toString());

        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.err()).contains("signet: error: --plot " + charts);
        assertThat(json).content().contains("limit.aes256gcm.encrypt");
    }

    @Test
    void peersWithoutTheirJar_areAnErrorOfTheirOwn() throws Exception {
        Ran ran = micro(MicroCommandTest::measuredButSha512, "--peers", "--rows", "limit.sha512");

        assertThat(ran.exitCode()).isEqualTo(3);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err().lines())
                .containsExactly(
                        "signet: error: --peers: no jar of the peers: signet.peers.jar is not set",
                        "signet: hint: mvn -Ppeers -pl peers -am package makes it;"
                                + " -Dsignet.peers.jar=peers/target/signet-peers.jar names it");
    }

    private static Result measuredButSha512(Row row) throws IOException {
        if (row.name().equals("limit.sha512")) {
            throw new IOException("out of luck, see a log");
        }
        return row.measured(7, 100, 1);
    }

    private static Ran micro(RowRunner runner, String... arguments) throws Exception {
        String[] all = new String[arguments.length + 1];
        all[0] = "micro";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Ran.with("micro", new MicroCommand(runner), all);
    }
}
