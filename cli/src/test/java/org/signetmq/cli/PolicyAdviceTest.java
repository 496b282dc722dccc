/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;

/** What {@code signet policy set} says of names and values that are probably not what is meant. */
final class PolicyAdviceTest {
    @TempDir
    private Path folder;

    private CliRun cli;

    @BeforeEach
    void prepare() {
        cli = new CliRun(folder);
        cli.given("identity create alice --dn CN=alice");
    }

    private Result set(String address, String... more) {
        return cli.run(Stream.concat(
                        Stream.of("policy", "set", address, "--quality"),
                        more.length == 0 ? Stream.of("integrity") : Stream.of(more))
                .toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({
        "iot/temp, iot.temp",
        "iot/+/temp, iot.*.temp",
        "iot/#, iot.#",
        "/iot/temp, iot.temp",
        "iot/v1.2, iot.v1\\.2",
        "queue://orders, orders",
        "topic://news.eu, news.eu",
        "jms.queue.orders, orders",
        "jms.topic.news.>, news.#",
        "/queue/orders, orders",
        "temp-topic://a, a",
        "+.>, *.#",
        "orders.>, orders.#",
        "orders.+.eu, orders.*.eu"
    })
    void nameOfAnotherProtocol_isSetWithAWarningThatNamesTheAddress(String written, String meant) {
        Result result = set(written);

        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).startsWith(written + ": integrity");
        assertThat(result.err())
                .startsWith("signet: warning: ")
                .contains("'" + meant + "'", "signet policy remove '" + written + "'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "orders",
                "orders.#",
                "orders.*.eu",
                "#",
                "queue.orders",
                "a-b_c",
                "orders.v1\\.2",
                "*.eu",
                "a>b",
                "topic"
            })
    void addressOfArtemis_isSetWithoutAWarning(String address) {
        assertThat(set(address).err()).isEmpty();
    }

    @Test
    void wildcardsOfAnotherSyntax_areCompared_withThoseOfTheHome() {
        cli.ok("policy", "wildcards", "--delimiter", "/", "--any-words", "#", "--single-word", "+");

        assertThat(set("iot/+/temp").err()).isEmpty();
        assertThat(set("iot/*/temp").err()).contains("'iot/+/temp'");
    }

    @Test
    void blankAroundAnAddress_isRejected() {
        Result result = set(" orders ");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err()).contains("spaces around it", "write the address alone");
    }

    @Test
    void endOfTolerationInThePast_isRejected() {
        Result result = set("orders", "integrity", "--tolerate-until", "2020-01-01");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err()).contains("--tolerate-until: in the past, found 2020-01-01T00:00:00Z");
        assertThat(cli.ok("policy", "list").out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"--recipient, privacy", "--signer, integrity", "--vouching-broker, integrity"})
    void namesWithCommas_areRejectedWithTheOptionRepeated(String option, String quality) {
        Result result = set("orders", quality, option, "alice,bob");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err()).contains("repeat the option: " + option + " alice " + option + " bob");
    }

    static Stream<Arguments> wrongCombinations() {
        return Stream.of(
                Arguments.of(
                        new String[] {"integrity", "--recipient", "alice"},
                        "leave --recipient out, or say --quality privacy or --quality confidentiality"),
                Arguments.of(
                        new String[] {"privacy", "--recipient", "alice", "--key-reuse", "5"},
                        "leave --key-reuse out, or say --quality confidentiality"),
                Arguments.of(
                        new String[] {"confidentiality", "--recipient", "alice", "--signer", "alice"}, "--quality"),
                Arguments.of(new String[] {"privacy"}, "name at least one"));
    }

    @ParameterizedTest
    @MethodSource("wrongCombinations")
    void advice_isInOptions_andNotInJson(String[] options, String advice) {
        Result result = set("orders", options);

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err()).contains(advice).doesNotContain("\": ", "[\"", "{");
    }

    @Test
    void misspeltOption_isToldInPlaceOfTheOneThatIsMissing() {
        Result result = cli.run("policy", "set", "orders", "--qualty", "privacy", "--recipient", "alice");

        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("--qualty", "did you mean --quality").doesNotContain("Missing");
    }

    @Test
    void missingOption_isToldWhenNoneIsMisspelt() {
        Result result = cli.run("policy", "set", "orders", "--recipient", "alice");

        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("Missing required option: '--quality");
    }
}
