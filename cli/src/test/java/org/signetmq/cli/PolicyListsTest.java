/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;

/** Commands that edit lists of a policy, and that carry all policies of a home away and back. */
final class PolicyListsTest {
    @TempDir
    private Path folder;

    private CliRun signet;

    @BeforeEach
    void setUp() {
        signet = new CliRun(folder);
        signet.given(
                "identity create alice --dn CN=alice",
                "identity create bob --dn CN=bob",
                "policy set orders.# --quality privacy --recipient alice --where broker");
    }

    private Path file() {
        return folder.resolve("signet-home/policies.json");
    }

    @Test
    void names_areAddedAndRemoved_theRestOfThePolicyStays() {
        Result added = signet.ok("policy", "add-recipient", "orders.#", "bob", "CN=bob", "bob");
        Result again = signet.ok("policy", "add-recipient", "orders.#", "bob");
        Result removed = signet.ok("policy", "remove-recipient", "orders.#", "alice", "bob");
        Result signers = signet.ok("policy", "add-signer", "orders.#", "alice", "bob");
        Result signer = signet.ok("policy", "remove-signer", "orders.#", "bob");

        assertThat(added.out())
                .isEqualToIgnoringNewLines("orders.#: recipients added: bob; CN=bob; bob, policies 1 -> 2");
        assertThat(again.out()).isEqualToIgnoringNewLines("orders.#: these are recipients already, nothing to do");
        assertThat(removed.out())
                .isEqualToIgnoringNewLines("orders.#: recipients removed: alice; bob, policies 2 -> 3");
        assertThat(signers.out()).isEqualToIgnoringNewLines("orders.#: signers added: alice; bob, policies 3 -> 4");
        assertThat(signer.out()).isEqualToIgnoringNewLines("orders.#: signers removed: bob, policies 4 -> 5");
        assertThat(signet.ok("policy", "show", "orders.#").out())
                .containsPattern("recipients +CN=bob\\R")
                .containsPattern("signers +alice\\R")
                .containsPattern("where +broker");
    }

    @Test
    void namesThatCannotBe_areAllTold_andNothingIsChanged() throws IOException {
        byte[] before = Files.readAllBytes(file());

        Result unknown = signet.run("policy", "add-recipient", "orders.#", "bob", "carol", "dave");
        Result absent = signet.run("policy", "remove-recipient", "orders.#", "bob", "carol");
        Result last = signet.run("policy", "remove-recipient", "orders.#", "alice");
        Result pattern = signet.run("policy", "add-recipient", "orders", "bob");

        assertThat(unknown.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(unknown.err())
                .startsWith("signet: error: policy for 'orders.#': rejected, nothing was changed")
                .contains("recipients: no certificate named 'carol'", "recipients: no certificate named 'dave'");
        assertThat(absent.err()).contains("'bob' is not on this list, which has alice", "'carol' is not on");
        assertThat(last.err()).contains("recipients: none, but privacy encrypts");
        assertThat(pattern.err()).contains("policy for 'orders': none is set");
        assertThat(file()).hasBinaryContent(before);
    }

    @Test
    void lastSigner_isNotRemoved_becauseEverySignerWouldBeAccepted() {
        signet.ok("policy", "add-signer", "orders.#", "alice");

        Result result = signet.run("policy", "remove-signer", "orders.#", "alice");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err()).contains("every trusted signer is accepted", "signet policy set without --signer");
        assertThat(signet.ok("policy", "show", "orders.#").out()).containsPattern("signers +alice");
    }

    @Test
    void recipientThatNoLongerWorks_keepsNoOtherFromComing_andIsWarnedOf() throws IOException {
        Files.delete(folder.resolve("signet-home/recipients/alice.pem"));

        Result added = signet.ok("policy", "add-recipient", "orders.#", "bob");
        Result removed = signet.ok("policy", "remove-recipient", "orders.#", "alice");

        assertThat(added.err()).contains("signet: warning: ", "'alice'");
        assertThat(removed.err()).isEmpty();
    }

    @Test
    void dryRun_changesNothing() throws IOException {
        signet.ok("policy", "export", "--out", "all.json");
        signet.ok("policy", "set", "a", "--quality", "none");
        byte[] before = Files.readAllBytes(file());

        assertThat(signet.ok("policy", "add-recipient", "orders.#", "bob", "--dry-run")
                        .out())
                .isEqualToIgnoringNewLines("orders.#: recipients added: bob, policies 2 -> 3 (not written)");
        assertThat(signet.ok("policy", "remove", "orders.#", "--dry-run").out())
                .isEqualToIgnoringNewLines("orders.#: removed, policies 2 -> 3 (not written)");
        assertThat(signet.ok("policy", "import", "all.json", "--dry-run").out())
                .isEqualToIgnoringNewLines("- a: none" + "all.json: 1 policy, policies 2 -> 3 (not written)");
        assertThat(signet.run("policy", "remove", "none", "--dry-run").exitCode())
                .isEqualTo(ExitCode.FAILURE);
        assertThat(file()).hasBinaryContent(before);
    }

    @Test
    void exported_isTheFile_andImportedAgainChangesNothing() throws IOException {
        byte[] before = Files.readAllBytes(file());

        byte[] exported = signet.ok("policy", "export").bytes();
        Result same = signet.input(exported).ok("policy", "import", "-");

        assertThat(exported).isEqualTo(before);
        assertThat(same.out()).isEqualToIgnoringNewLines("-: 1 policy, nothing to do");
        assertThat(file()).hasBinaryContent(before);
    }

    @Test
    void imported_isInPlaceOfAll_withTheNextVersion() {
        byte[] exported = signet.ok("policy", "export").bytes();
        signet.ok("policy", "set", "a", "--quality", "none");
        signet.ok("policy", "default", "reject");

        Result imported = signet.input(exported).ok("policy", "import", "-");

        assertThat(imported.out()).isEqualToIgnoringNewLines("-: 1 policy, policies 3 -> 4");
        assertThat(signet.ok("policy", "export").out())
                .isEqualTo(new String(exported, StandardCharsets.UTF_8).replace("\"version\" : 1", "\"version\" : 4"));
    }

    @Test
    void importWithUnknownNames_isRejectedWithAll() throws IOException {
        byte[] before = Files.readAllBytes(file());
        String bad = Files.readString(file()).replace("\"alice\"", "\"carol\", \"dave\"");

        Result result = signet.input(bad.getBytes(StandardCharsets.UTF_8)).run("policy", "import", "-");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err())
                .startsWith("signet: error: import of -: rejected, nothing was changed")
                .contains("policies[0].recipients[0]: ", "policies[0].recipients[1]: ");
        assertThat(file()).hasBinaryContent(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{\"schema\":1}", "\ufffd"})
    void fileThatIsNoDocument_isRejected(String text) throws IOException {
        byte[] bytes = text.equals("\ufffd") ? new byte[] {(byte) 0xc3, '('} : text.getBytes(StandardCharsets.UTF_8);
        Files.write(folder.resolve("bad.json"), bytes);

        Result result = signet.run("policy", "import", "bad.json");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err()).startsWith("signet: error: bad.json: ");
    }

    @Test
    void existingFile_isNotReplacedByAnExport() throws IOException {
        Files.writeString(folder.resolve("there"), "kept");

        assertThat(signet.run("policy", "export", "--output", "there").err()).contains("exists already");
        assertThat(folder.resolve("there")).hasContent("kept");
    }

    @Test
    void optionsOfAConnection_needABroker() {
        Result result = signet.run("policy", "list", "--user", "admin");

        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("--broker: missing");
    }
}
