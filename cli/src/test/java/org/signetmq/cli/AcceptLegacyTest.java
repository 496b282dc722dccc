/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.testkit.Openssl;

/** What stock openssl encrypts opens on the command line where a policy or an option says so. */
final class AcceptLegacyTest {
    private static final String ENTITY = """
            Message-ID: <00112233445566778899aabbccddeeff>\r
            Signet-Version: 1\r
            Signet-Address: partner\r
            Signet-Body: bytes\r
            \r
            hello""";

    @TempDir
    private Path folder;

    @Test
    void option_countsWhereNoPolicyIs_andThePolicyForItsAddresses() throws Exception {
        CliRun signet = new CliRun(folder).given(CliRun.ALICE_AND_BOB);
        encryptByOpenssl();

        Result rejected = open(signet);
        assertThat(rejected.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(rejected.out()).isEmpty();
        assertThat(rejected.err()).contains("--accept-legacy").contains("PKCS#1");
        assertThat(open(signet, "--accept-legacy").out()).isEqualTo("hello");

        signet.ok("policy set partner --quality confidentiality --recipient bob");
        assertThat(signet.out("policy show partner")).containsPattern("accept-legacy +false\\R");
        for (Result still : new Result[] {open(signet), open(signet, "--accept-legacy")}) {
            assertThat(still.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(still.err()).contains("policy 'partner' has no accept-legacy");
        }

        signet.ok("policy set partner --quality confidentiality --recipient bob --accept-legacy");
        assertThat(open(signet).out()).isEqualTo("hello");
        assertThat(signet.out("policy explain partner")).containsPattern("accept-legacy +true\\R");
        JsonNode policy = signet.json("policy show partner --json");
        assertThat(policy.findValue("accept-legacy").asBoolean()).isTrue();
    }

    private static Result open(CliRun signet, String... more) {
        String[] arguments = {"message", "open", "--address", "partner", "--as", "bob", "--in", "sealed"};
        String[] all = Arrays.copyOf(arguments, arguments.length + more.length);
        System.arraycopy(more, 0, all, arguments.length, more.length);
        return signet.run(all);
    }

    private void encryptByOpenssl() throws Exception {
        Files.write(folder.resolve("entity"), ENTITY.getBytes(UTF_8));
        new Openssl(folder)
                .line("cms -encrypt -aes-256-gcm -binary -keyid -in entity -outform DER -out sealed"
                        + " -recip signet-home/recipients/bob.pem");
    }
}
