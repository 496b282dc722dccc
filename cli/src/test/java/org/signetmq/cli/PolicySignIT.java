/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.keystore.home.Pem;
import org.signetmq.testkit.Openssl;

/** An officer signs policies in files, homes and brokers. */
final class PolicySignIT {
    @TempDir
    private Path folder;

    private CliRun signet;

    @BeforeEach
    void setUp() {
        signet = new CliRun(folder);
    }

    private void tellOfficer(String home) throws Exception {
        Files.copy(folder.resolve("desk/recipients/officer.pem"), folder.resolve(home + "/officer.pem"));
    }

    private void makeOfficer() {
        signet.ok("identity create officer --dn CN=officer --home desk");
    }

    @Test
    void signedFile_isReadByAllCommands_andEditsLeadToTheOfficer() throws Exception {
        makeOfficer();
        signet.ok("policy set orders --quality integrity");
        signet.ok("policy export --out clear.json");

        signet.ok("policy sign clear.json --as officer --home desk --out signed.pem");
        assertThat(Files.readString(folder.resolve("signed.pem"))).startsWith("-----BEGIN CMS-----");
        assertThat(signet.run("policy diff signed.pem").exitCode()).isZero();
        assertThat(signet.ok("policy import signed.pem --dry-run").out()).contains("policies 1 -> 2 (not written)");
        tellOfficer("signet-home");
        Result unsigned = signet.run("policy set prices --quality integrity");
        assertThat(unsigned.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(unsigned.err()).contains("an officer signs these policies", "signet policy sign");
        assertThat(signet.run("policy import clear.json").err()).doesNotContain("Exception");

        assertThat(signet.ok("policy import signed.pem").out()).contains("policies 1 -> 2");
        assertThat(Files.readString(folder.resolve("signet-home/policies.json")))
                .isEqualTo(Files.readString(folder.resolve("signed.pem")));
        assertThat(signet.ok("policy list").out()).contains("orders");
        assertThat(signet.ok("policy explain orders").out()).contains("integrity");
        assertThat(signet.run("policy remove orders").err()).contains("an officer signs these policies");
        assertThat(signet.run("policy import signed.pem").err()).contains("2 is not greater than 2");

        signet.ok("policy sign signed.pem --as officer --policy-version 9 --home desk --out later.pem");
        assertThat(signet.ok("policy import later.pem").out()).contains("policies 2 -> 9");
        signet.ok("identity create other --dn CN=other --home desk");
        signet.ok("policy sign signed.pem --as other --policy-version 10 --home desk --out forged.pem");
        assertThat(signet.run("policy import forged.pem").err()).contains("not a key of officer.pem");
        Files.writeString(
                folder.resolve("altered.pem"),
                Files.readString(folder.resolve("later.pem")).replaceFirst("\nM", "\nN"));
        Result altered = signet.run("policy import altered.pem");
        assertThat(altered.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(altered.err()).contains("cannot be used, nothing was changed", "its signature is wrong");
    }

    @Test
    void bundle_isNoPolicies_andSignedPoliciesAreNoBundle() throws Exception {
        signet.ok("identity create officer --dn CN=officer");
        signet.ok("policy set orders --quality integrity");
        signet.ok("bundle export --address orders --as officer --out a.bundle");
        Files.writeString(folder.resolve("a.pem"), Pem.block("CMS", Files.readAllBytes(folder.resolve("a.bundle"))));

        assertThat(signet.run("policy import a.pem").err()).contains("cannot be used", "signet-bundle");
        signet.ok("policy sign --as officer --out signed.pem");
        Result imported = signet.run("bundle import signed.pem");
        assertThat(imported.exitCode()).isEqualTo(ExitCode.FAILURE);
        new Openssl(folder).line("cms -cmsout -inform PEM -in signed.pem -outform DER -out s.der");
        assertThat(signet.run("bundle import s.der --signed-by signet-home/trust/officer.pem")
                        .err())
                .contains("not a bundle");
    }

    @Test
    void brokerWithOfficer_isChangedBySigning_andEditsLeadThere() throws Exception {
        makeOfficer();
        try (GuardedBroker broker = GuardedBroker.keepingPolicies(folder)) {
            tellOfficer("signet-home");
            Awaitility.await()
                    .untilAsserted(() ->
                            assertThat(broker.status(GuardedBroker.ADMIN).out()).contains("not signed"));
            Result signed = broker.as(
                    GuardedBroker.ADMIN,
                    "policy",
                    "sign",
                    "--as",
                    "officer",
                    "--home",
                    "desk",
                    "--broker",
                    broker.url());
            assertThat(signed.err()).isEmpty();
            assertThat(signed.out()).isEqualToIgnoringNewLines("signed by officer, policies 1 -> 2");
            assertThat(broker.status(GuardedBroker.ADMIN).exitCode()).isZero();

            Result edit = broker.as(
                    GuardedBroker.ADMIN, "policy", "set", "prices", "--quality", "integrity", "--broker", broker.url());
            assertThat(edit.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(edit.err()).contains("rejected, nothing was changed", "signet policy sign");
            broker.as(GuardedBroker.ADMIN, "policy", "export", "--broker", broker.url(), "--out", "now.json");
            Files.writeString(
                    folder.resolve("now.json"),
                    Files.readString(folder.resolve("now.json")).replace("orders.#", "orders.eu.#"));
            signet.ok("policy sign now.json --as officer --home desk --out next.pem");
            Result loaded = broker.as(GuardedBroker.ADMIN, "policy", "import", "next.pem", "--broker", broker.url());
            assertThat(loaded.err()).isEmpty();
            assertThat(loaded.out()).contains("policies 2 -> 3");
            Result back = broker.as(GuardedBroker.ADMIN, "policy", "rollback", "2", "--broker", broker.url());
            assertThat(back.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(back.err()).contains("not signed", "signet policy sign");
        }
    }
}
