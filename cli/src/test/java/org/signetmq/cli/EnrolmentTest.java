/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.testkit.Openssl;

/** Certificates on request, beside what the transcript {@code enrolment} shows. */
final class EnrolmentTest {
    @TempDir
    private Path folder;

    private CliRun signet;
    private Openssl openssl;

    @BeforeEach
    void setUp() {
        signet = new CliRun(folder);
        openssl = new Openssl(folder);
    }

    @Test
    void issuedCertificates_areListedWithSerialNumberAndKey() throws Exception {
        signet.ok("identity create root --dn CN=root --ca");
        signet.ok("identity sign --issuer root --in", request("bob.csr", "/CN=bob"));
        signet.ok("identity create alice --dn CN=alice --issuer root --separate-keys");
        signet.ok("identity renew alice --same-key");
        signet.ok("identity renew alice --later");
        signet.ok("identity renew alice --dry-run");
        signet.ok("identity create carol --dn CN=carol");

        JsonNode issued = signet.json("certificate list --issued --json").path("issued");

        assertThat(issued.findValuesAsText("dn"))
                .containsExactly("CN=alice", "CN=alice", "CN=alice", "CN=alice", "CN=bob");
        assertThat(issued.findValuesAsText("issuer")).containsOnly("CN=root");
        String root =
                signet.json("identity show root --json").findValue("key-id").asText();
        assertThat(issued.findValuesAsText("issuer-key-id")).containsOnly(root);
        assertThat(issued.findValuesAsText("serial-number"))
                .doesNotHaveDuplicates()
                .allMatch(serial -> serial.length() == 32);
        assertThat(issued.findValuesAsText("has-ended")).containsOnly("false");
        assertThat(signet.out("certificate list --issued"))
                .startsWith("SERIAL NUMBER ")
                .containsPattern("[0-9a-f]{32} +CN=bob +CN=root +" + root + " +[0-9a-f]{40} +20\\S+Z +no");
        try (Stream<Path> files = Files.list(folder.resolve("signet-home/issued"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".pem"))).hasSize(2);
        }
    }

    @Test
    void nameThatSteersTheTerminal_isNotCreated_andIsShownWithoutIt() throws Exception {
        String steering = "CN=a\u001b[31mb";

        Result created = signet.run("identity create steering --dn", steering);
        openssl.line("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1"
                + " -nodes -keyout k.pem -out steering.pem -subj /" + steering);
        signet.ok("identity create bob --dn CN=bob");
        Files.copy(folder.resolve("steering.pem"), folder.resolve("signet-home/recipients/steering.pem"));

        assertThat(created.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(created.err())
                .contains("invisible or ambiguous character U+001B; write")
                .doesNotContain("\u001b");
        assertThat(signet.out("identity list")).contains("CN=a\\1B[31mb").doesNotContain("\u001b");
        assertThat(signet.out("identity show steering")).doesNotContain("\u001b");
    }

    @Test
    void nextSigningKey_isListedAsNext_untilItSigns() {
        signet.ok("identity create root --dn CN=root --ca");
        signet.ok("identity create alice --dn CN=alice --issuer root --separate-keys");

        Result prepared = signet.ok("identity renew alice --later");

        String next = prepared.err().replaceAll("(?s).*--use ([0-9a-f]{16}).*", "$1");
        assertThat(signet.out("identity list"))
                .containsPattern("alice .* receiving key, certificate\\R"
                        + "alice .* signing key, certificate\\R"
                        + "alice .* " + next
                        + ".* (next|former) key, certificate"); // dates have no fractions of seconds
        signet.ok("identity renew alice --use", next);
        assertThat(signet.out("identity list"))
                .containsPattern("alice .* receiving key, certificate\\R"
                        + "alice .* " + next + ".* signing key, certificate\\R"
                        + "alice .* former key, certificate");
    }

    @Test
    void forgedRequest_isRefused() throws Exception {
        signet.ok("identity create root --dn CN=root --ca");
        request("good.csr", "/CN=eve");
        openssl.line("req -in good.csr -outform DER -out good.der");
        byte[] der = Files.readAllBytes(folder.resolve("good.der"));
        assertThat(signet.out("identity sign --issuer root --in good.der")).contains("BEGIN CERTIFICATE");
        der[new String(der, ISO_8859_1).indexOf("eve")] = 'E';
        Files.write(folder.resolve("forged.der"), der);

        assertThat(signet.fails(ExitCode.CONFIGURATION, "identity sign --issuer root --in forged.der"))
                .contains("did not prove to have the private key");
    }

    private String request(String file, String subject) throws Exception {
        openssl.line("req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout " + file + ".key -subj "
                + subject + " -out " + file);
        return file;
    }
}
