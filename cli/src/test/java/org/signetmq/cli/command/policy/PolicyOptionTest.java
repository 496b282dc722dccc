/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.command.policy.PolicySetCommand.PolicyOption;
import org.signetmq.policy.PolicyProblem;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

final class PolicyOptionTest {
    @Test
    void qualityAlone_isTheOnlyFieldBesideThePattern() {
        assertThat(PolicyOption.fields("a.#", parsed())).isEqualTo(Map.of("pattern", "a.#", "quality", "privacy"));
    }

    @Test
    void repeatedOptions_areLists() {
        assertThat(fields(
                        "--recipient",
                        "a",
                        "--recipient",
                        "b",
                        "--signer",
                        "c",
                        "--vouching-broker",
                        "d",
                        "--vouching-broker",
                        "e"))
                .containsEntry("recipients", List.of("a", "b"))
                .containsEntry("signers", List.of("c"))
                .containsEntry("brokers", List.of("d", "e"));
    }

    @Test
    void numbers_areNumbers_otherTextsStayForTheReader() {
        assertThat(fields("--key-reuse", "64", "--max-bytes-per-key", "512MiB"))
                .containsEntry("key-reuse", 64L)
                .containsEntry("max-bytes-per-key", "512MiB");
        assertThat(fields("--key-reuse=-1", "--max-bytes-per-key", "1048576"))
                .containsEntry("key-reuse", -1L)
                .containsEntry("max-bytes-per-key", 1048576L);
        assertThat(fields("--key-reuse", "unlimited")).containsEntry("key-reuse", "unlimited");
        assertThat(fields("--key-reuse", "9".repeat(19))).containsEntry("key-reuse", "9".repeat(19));
    }

    @Test
    void everyOtherOption_isTheFieldOfItsName() {
        Map<String, Object> fields = fields(
                "--max-key-age=30m",
                "--signature-algorithm=SHA-512",
                "--encryption-algorithm=AES-256",
                "--certificate=referenced",
                "--where=broker",
                "--verify=structure",
                "--bind-user=certificate",
                "--extra-recipients=allow",
                "--replay-window=10m",
                "--hide=region",
                "--hide=amount",
                "--on-failure=skip",
                "--quarantine=bad",
                "--accept-legacy");

        assertThat(fields)
                .containsEntry("max-key-age", "30m")
                .containsEntry("signature-algorithm", "SHA-512")
                .containsEntry("encryption-algorithm", "AES-256")
                .containsEntry("certificate", "referenced")
                .containsEntry("where", "broker")
                .containsEntry("verify", "structure")
                .containsEntry("bind-user", "certificate")
                .containsEntry("extra-recipients", "allow")
                .containsEntry("replay-window", "10m")
                .containsEntry("hide", List.of("region", "amount"))
                .containsEntry("on-failure", "skip")
                .containsEntry("quarantine", "bad")
                .containsEntry("accept-legacy", true);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-12-31, 2026-12-31T00:00:00Z",
        "2026-12-31T18:00:00Z, 2026-12-31T18:00:00Z",
        "tomorrow, tomorrow",
    })
    void toleration_dateAlone_endsAtItsFirstInstant(String given, String until) {
        assertThat(fields("--tolerate-until", given)).containsEntry("toleration", Map.of("until", until));
    }

    @ParameterizedTest
    @CsvSource({
        "pattern, ADDRESS",
        "recipients[3], --recipient",
        "signers, --signer",
        "brokers[0], --vouching-broker",
        "toleration.until, --tolerate-until",
        "key-reuse, --key-reuse",
    })
    void path_hasItsOption(String path, String option) {
        assertThat(PolicyOption.at(path)).isEqualTo(option);
    }

    @Test
    void problem_saysOptionsInPlaceOfKeys() {
        assertThat(inWords("certificate", "wrong; write \"certificate\": \"included\" or \"referenced\""))
                .isEqualTo("--certificate: wrong; say --certificate included or --certificate referenced");
        assertThat(inWords("quality", "wrong; write \"quality\": \"none\""))
                .isEqualTo("--quality: wrong; say --quality none");
        assertThat(inWords("recipients", "none; write [\"alice\"]")).isEqualTo("--recipient: none; repeat --recipient");
        assertThat(inWords("key-reuse", "no use; remove it, or ask"))
                .isEqualTo("--key-reuse: no use; leave --key-reuse out, or ask");
    }

    @Test
    void namesInOneValue_problemShowsTheOptionForEach() {
        PolicyProblem problem = new PolicyProblem("recipients[1]", "unknown");

        assertThat(PolicySetCommand.inWords(problem, fields("--recipient", "z", "--recipient", "a, b,")))
                .isEqualTo("--recipient: unknown; repeat the option: --recipient a --recipient b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"CN=a,O=b", "alice"})
    void distinguishedNameOrOneName_isNoList(String value) {
        PolicyProblem problem = new PolicyProblem("signers[0]", "unknown");

        assertThat(PolicySetCommand.inWords(problem, fields("--signer", value))).isEqualTo("--signer: unknown");
    }

    private static String inWords(String path, String message) {
        return PolicySetCommand.inWords(new PolicyProblem(path, message), fields());
    }

    private static Map<String, Object> fields(String... arguments) {
        return PolicyOption.fields("x", parsed(arguments));
    }

    private static CommandSpec parsed(String... arguments) {
        CommandSpec options = PolicyOption.all();
        String[] all = new String[arguments.length + 1];
        all[0] = "--quality=privacy";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        new CommandLine(options).parseArgs(all);
        return options;
    }
}
