/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;

/** The commands {@code signet certificate} at a broker that keeps certificates with its policies. */
final class CertificateStoreIT {
    @TempDir
    private Path folder;

    private GuardedBroker broker;
    private CliRun signet;

    @BeforeEach
    void start() throws Exception {
        signet = new CliRun(folder);
        broker = GuardedBroker.keepingPolicies(folder, configuration -> {});
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private Result run(String user, String... command) {
        return broker.as(
                user,
                Stream.of(Stream.of(command), Stream.of("--broker", broker.url()))
                        .flatMap(words -> words)
                        .toArray(String[]::new));
    }

    private Result certificate(String... command) {
        return run(
                GuardedBroker.ADMIN,
                Stream.concat(Stream.of("certificate"), Stream.of(command)).toArray(String[]::new));
    }

    private Result policy(String... command) {
        return run(
                GuardedBroker.ADMIN,
                Stream.concat(Stream.of("policy"), Stream.of(command)).toArray(String[]::new));
    }

    /** Makes an identity elsewhere, and writes its certificate to a file that the broker's home trusts. */
    private String made(String home, String name) {
        signet.ok("identity", "create", name, "--dn", "CN=" + name, "--home", home);
        String file = home + ".pem";
        signet.ok("identity", "export", name, "--home", home, "--out", file);
        signet.ok("trust", "add", home, "--in", file, "--home", "signet-home");
        return file;
    }

    @Test
    void certificate_isAdded_named_listed_renewed_andRemoved_andHistoryBringsItBack() throws Exception {
        String carol = made("of-carol", "carol");
        String other = made("of-other-carol", "carol");

        Result dry = certificate("add", "carol", "--in", carol, "--dry-run");
        Result added = certificate("add", "carol", "--in", carol);
        Result again = certificate("add", "carol", "--in", carol);
        Result set = policy("set", "prices", "--quality", "privacy", "--recipient", "carol");
        Result list = certificate("list");
        JsonNode json = Json.parse(certificate("list", "--json").out());

        assertThat(dry.out()).contains("carol: certificate added, policies 1 -> 2 (not written)", "touches no address");
        assertThat(added.err()).isEmpty();
        assertThat(added.out())
                .containsPattern("dn +CN=carol")
                .containsPattern("key id +[0-9a-f]{40}")
                .contains("carol: certificate added, policies 1 -> 2");
        assertThat(again.out()).contains("nothing to do");
        assertThat(set.out()).as(set.err()).contains("policies 2 -> 3");
        assertThat(list.out())
                .containsPattern("NAME +SOURCE +DN +NOT AFTER +FORMER +KEY ID")
                .containsPattern("alice +home +CN=alice")
                .containsPattern("carol +policies +CN=carol +20\\S+Z +0 +[0-9a-f]{40}");
        assertThat(json.path("parties").findValuesAsText("name")).contains("alice", "carol");

        Result otherKey = certificate("add", "carol", "--in", other);
        Result replaced = certificate("add", "carol", "--in", other, "--replace");
        Result needed = certificate("remove", "carol");
        policy("remove", "prices");
        Result removed = certificate("remove", "carol");
        Result gone = certificate("remove", "carol");

        assertThat(otherKey.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(otherKey.err()).contains("the broker keeps one for another key, ski:", "--replace");
        assertThat(replaced.out()).as(replaced.err()).contains("carol: certificate renewed, policies 3 -> 4");
        assertThat(certificate("list").out()).doesNotContainPattern("carol +policies");
        assertThat(needed.err())
                .contains(
                        "certificate 'carol': rejected, nothing was changed",
                        "certificates.carol: the policy 'prices' needs it: ");
        assertThat(removed.out()).isEqualToIgnoringNewLines("carol: certificate removed, policies 5 -> 6");
        assertThat(gone.err()).contains("not one that the broker keeps", "certificate list --broker");

        Result back = policy("rollback", "4");
        assertThat(back.out())
                .containsPattern("~ certificates.carol: none -> ski:[0-9a-f]{40}")
                .contains("policies 6 -> 7");
        assertThat(back.out().length()).isLessThan(400);
        assertThat(certificate("list").out()).containsPattern("carol +policies +CN=carol +20\\S+Z +1 ");
        policy("export", "--out", "exported.json");
        assertThat(policy("import", "exported.json").out()).contains("nothing to do");
        assertThat(policy("show", "prices", "--json").out()).doesNotContain("certificates");
    }

    @Test
    void whatDoesNotFit_isRefusedInOneLine_andNothingChanges() throws Exception {
        String carol = made("of-carol", "carol");
        Files.writeString(folder.resolve("garbage.pem"), "no certificate");

        assertThat(certificate("add", "carol", "--in", "garbage.pem").exitCode())
                .isEqualTo(ExitCode.CONFIGURATION);
        assertThat(certificate("add", "../carol", "--in", carol).err()).contains("name: must be 1 to 64 letters");
        assertThat(certificate("add", "alice", "--in", carol).err())
                .contains("certificates.alice: the name is that of another key in the home of the broker");
        assertThat(certificate("add", "carol", "--in", carol, "--untrusted").exitCode())
                .isEqualTo(ExitCode.USAGE);
        assertThat(certificate("remove", "alice").err()).contains("not one that the broker keeps");
        assertThat(certificate("remove", "alice", "--force").exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(certificate("list", "--issued").exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(signet.run("certificate", "add", "carol", "--in", carol, "--replace")
                        .exitCode())
                .isEqualTo(ExitCode.USAGE);
        assertThat(signet.run("certificate", "remove", "carol", "--dry-run").exitCode())
                .isEqualTo(ExitCode.USAGE);
        Result viewer = run(GuardedBroker.VIEWER, "certificate", "add", "carol", "--in", carol);
        assertThat(viewer.err()).contains("does not have permission");
        assertThat(run(GuardedBroker.VIEWER, "certificate", "list").out()).contains("alice");
        assertThat(policy("list").err()).contains("version 1");
    }
}
