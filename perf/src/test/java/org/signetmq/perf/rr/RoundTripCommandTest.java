/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.perf.Ran;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Setting;

/** Wrong options end the command at once: a measurement would run for minutes. */
final class RoundTripCommandTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--size=-1|--size: must not be below zero, found -1",
                "--clients=8,0|--clients: must be above zero, found 0",
                "--queues=0|--queues: must be above zero, found 0",
                "--seconds=-5|--seconds: must be above zero, found -5.0",
                "--rounds=0|--rounds: must be above zero, found 0",
                "--runs=0|--rounds: must be above zero, found 0",
                "--warm-up=-1|--warm-up: must not be below zero, found -1.0",
                "--keys=p256,p257|--keys: must be p256 or rsa2048, found 'p257'",
                "--reuse=32,-3|--reuse: must be a number or 'unlimited', found '-3'",
                "--quality=privacy,secrecy|--quality: must be one of plain, none, integrity, privacy, confidentiality,"
                        + " client.confidentiality, ams.integrity, ams.privacy, ams.confidentiality, found 'secrecy'",
                "--resume|--resume: needs --json FILE, the file to go on with"
            })
    void wrongValue_isNamedWithItsOption(String option, String message) throws Exception {
        assertRefused(Ran.perf("rr", option), message);
    }

    @Test
    void severalWrongValues_theFirstIsNamed() throws Exception {
        Ran ran = Ran.perf("rr", "--rounds=0", "--keys=p257");

        assertThat(ran.err()).startsWith("signet: error: --keys: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--clients 2", "--clients 2 --quick --json FILE", "keys --json FILE"})
    void fileOfAnotherCommand_isNotResumed(String other) throws Exception {
        String command = "./signet perf rr " + other;
        Path json = Files.writeString(folder.resolve("rr.json"), "{\"command\": \"" + command + "\", \"blocks\": []}");

        Ran ran = Ran.perf("rr", "--clients", "2", "--json", json.toString(), "--resume");

        assertRefused(ran, "--resume: --json " + json + ": another command wrote it: " + command);
        assertThat(json).content().startsWith("{\"command\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "", "7"})
    void fileOfNoCommand_isNotResumed(String content) throws Exception {
        Path json = Files.writeString(folder.resolve("rr.json"), content);

        Ran ran = Ran.perf("rr", "--json", json.toString(), "--resume");

        assertRefused(ran, "--resume: --json " + json + ": another command wrote it: none");
    }

    @Test
    void brokenFile_isNotResumed_andNamedInOneLine() throws Exception {
        Path json = Files.writeString(folder.resolve("rr.json"), "{\n  \"command\" : \"./signet perf rr");

        Ran ran = Ran.perf("rr", "--json", json.toString(), "--resume");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err().lines()).hasSize(2);
        assertThat(ran.err()).startsWith("signet: error: --resume: --json " + json + ": ");
    }

    @Test
    void device_cannotBeResumed() throws Exception {
        assertRefused(
                Ran.perf("rr", "--json", "/dev/null", "--resume"),
                "--resume: --json /dev/null: must be an ordinary file");
    }

    /** All its blocks are there, so that not even a process is started. */
    @Test
    void completeFile_givesItsRowsAgain() throws Exception {
        Path json = folder.resolve("rr.json");
        List<String> arguments = List.of(
                "rr", "--quality", "none", "--clients", "2", "--rounds", "1", "--size", "0", "--json", json.toString());
        Files.writeString(json, complete("./signet perf " + String.join(" ", arguments)));

        Ran ran = Ran.perf(
                Stream.concat(arguments.stream(), Stream.of("--resume")).toArray(String[]::new));

        assertThat(ran.err()).doesNotContain("error").doesNotContain("warming up");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out()).containsPattern("(?m)^plain +2 +1 +0 +900 +0\\.900 ");
        assertThat(json).content().contains("\"blocks\"").doesNotContain("\"complete\"");
    }

    private static String complete(String command) throws IOException {
        Blocks blocks = new Blocks();
        var load = Load.of(2, 1, 0);
        var settings = List.of(Setting.NONE, Setting.PLAIN);
        Plan plan = new Plan("", settings, List.of(load), Figured.TIMING);
        Figured.addRound(blocks, plan, 0, 1000, 900, 1000);
        int position = 3;
        for (double pace : Plan.Timing.USUAL_PACES) {
            for (var setting : settings) {
                blocks.add(
                        new Blocks.Name("", setting, load, new Blocks.Place(0, position++, pace)),
                        Figured.figures(1000 * pace));
            }
        }
        return new ObjectMapper().writeValueAsString(Map.of("command", command, "blocks", blocks.list()));
    }

    private static void assertRefused(Ran ran, String message) {
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err().lines())
                .containsExactly("signet: error: " + message, "signet: hint: see signet perf rr --help");
        assertThat(ran.out()).isEmpty();
    }
}
