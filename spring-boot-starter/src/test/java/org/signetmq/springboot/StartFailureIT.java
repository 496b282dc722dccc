/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Applications that do not start, and the line that they print. No broker runs: none is needed to find the mistake. */
@ExtendWith(OutputCaptureExtension.class)
final class StartFailureIT {
    @TempDir
    private Path folder;

    private Path home;

    @BeforeEach
    void create() throws IOException {
        home = Homes.in(folder).application();
    }

    /** Returns the properties of the home, without those of these names, and others. */
    private String[] properties(List<String> without, String... others) {
        List<String> properties = new ArrayList<>(TestBroker.signet(home));
        properties.removeIf(property -> without.stream().anyMatch(name -> property.startsWith(name + "=")));
        properties.add("spring.main.banner-mode=off");
        properties.add("spring.artemis.mode=native");
        properties.add("spring.artemis.embedded.enabled=false");
        properties.addAll(Arrays.asList(others));
        return properties.toArray(String[]::new);
    }

    /** Starts an application, and checks that it fails with one line and one remedy. */
    private static void assertDoesNotStart(
            CapturedOutput output, String line, String remedy, Class<?> application, String... properties) {
        Throwable failure = catchThrowable(() -> new SpringApplicationBuilder(application)
                .properties(properties)
                .run()
                .close());

        assertThat(failure).isNotNull();
        assertThat(output.getAll().lines()).containsOnlyOnce("Signet: " + line).anyMatch(text -> text.contains(remedy));
        assertThat(output.getAll()).contains("APPLICATION FAILED TO START").doesNotContain("\tat ", Homes.PASSWORD);
    }

    private void assertDoesNotStart(CapturedOutput output, String line, String remedy, String... properties) {
        assertDoesNotStart(output, line, remedy, TestApplication.class, properties);
    }

    @Test
    void withoutAHome(CapturedOutput output) {
        assertDoesNotStart(
                output, "signet.home is not set", "signet identity create", properties(List.of("signet.home")));
    }

    @Test
    void withoutAHome_whereBeansAreMadeLate(CapturedOutput output) {
        assertDoesNotStart(
                output,
                "signet.home is not set",
                "signet identity create",
                properties(List.of("signet.home"), "spring.main.lazy-initialization=true"));
    }

    @Test
    void withAHomeThatIsNotThere(CapturedOutput output) {
        Path absent = folder.resolve("absent");
        assertDoesNotStart(
                output,
                "identity 'alice': not in " + absent.resolve("identities") + " (there are none)",
                "signet doctor",
                properties(List.of("signet.home"), "signet.home=" + absent));
    }

    @Test
    void withoutAnIdentity(CapturedOutput output) {
        assertDoesNotStart(
                output, "signet.identity is not set", "signet identity list", properties(List.of("signet.identity")));
    }

    @Test
    void withAnUnknownIdentity(CapturedOutput output) {
        assertDoesNotStart(
                output,
                "identity 'nobody': not in " + home.resolve("identities") + " (nearest: 'alice')",
                "signet doctor",
                properties(List.of("signet.identity"), "signet.identity=nobody"));
    }

    @Test
    void withoutAPassword(CapturedOutput output) {
        assertDoesNotStart(
                output,
                "signet.password-file is not set",
                "SIGNET_PASSWORD",
                properties(List.of("signet.password-file")));
    }

    @Test
    void withAPasswordAndAFile(CapturedOutput output) {
        assertDoesNotStart(
                output,
                "signet.password and signet.password-file are both set",
                "Set one of them",
                properties(List.of(), "signet.password=" + Homes.PASSWORD));
    }

    @Test
    void withAWrongPassword(CapturedOutput output) {
        assertDoesNotStart(
                output,
                home.resolve("identities/alice.p12") + ": wrong password",
                "signet doctor",
                properties(List.of("signet.password-file"), "signet.password=a wrong one"));
        assertThat(output.getAll()).doesNotContain("a wrong one");
    }

    @Test
    void withAWrongPasswordInTheFile(CapturedOutput output) throws IOException {
        Path file = Homes.secret(home.resolve("password"), "a wrong one");
        assertDoesNotStart(
                output,
                home.resolve("identities/alice.p12") + ": wrong password, the first line of " + file,
                "signet doctor",
                properties(List.of()));
        assertThat(output.getAll()).doesNotContain("a wrong one");
    }

    @Test
    void withAPasswordFileThatOthersRead(CapturedOutput output) throws IOException {
        Path file = home.resolve("password");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertDoesNotStart(
                output,
                file + ": other users than its owner may read or change this secret; run: chmod 600 " + file,
                "signet doctor",
                properties(List.of()));
    }

    @Test
    void withAPolicyForAnUnknownIdentity(CapturedOutput output) throws IOException {
        Homes.writePolicies(home, "nobody");
        assertDoesNotStart(
                output,
                "policy 'sealed.#', whose messages the application seals: no certificate named 'nobody' in recipients/"
                        + " (nearest: 'alice')",
                "signet.require-recipients=false",
                properties(List.of()));
    }

    @Test
    void withPoliciesThatCannotWork(CapturedOutput output) throws IOException {
        Files.writeString(home.resolve("policies.json"), "{}");
        assertDoesNotStart(
                output,
                "schema: missing; write \"schema\": 1; version: missing; write a whole number that grows with each change;"
                        + " policies: missing; write a list of policies, [] for none",
                "signet bundle import",
                properties(List.of()));
    }

    @Test
    void withoutPolicies(CapturedOutput output) throws IOException {
        Files.delete(home.resolve("policies.json"));
        assertDoesNotStart(
                output,
                "policies: none are known: " + home.resolve("policies.json")
                        + " is missing; copy the broker's there, or make"
                        + " the connection factory withPoliciesOfBroker()",
                "signet.policies=broker",
                properties(List.of()));
    }

    @Test
    void withAPatternAmongTheDeadLetterAddresses(CapturedOutput output) {
        assertDoesNotStart(
                output,
                "dead letters: must be a single address without wildcards and queue part, found 'dead.#'",
                "signet.dead-letter-addresses",
                properties(List.of("signet.dead-letter-addresses"), "signet.dead-letter-addresses=dead.#"));
    }
}
