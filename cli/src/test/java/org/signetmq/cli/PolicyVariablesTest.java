/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;

/** Policies whose recipients depend on the address, and the end of a tenant's key. */
final class PolicyVariablesTest {
    @TempDir
    private Path folder;

    private CliRun signet;

    @BeforeEach
    void setUp() {
        signet = new CliRun(folder);
        signet.given(
                "identity create alice --dn CN=alice",
                "identity create acme-archive --dn CN=acme",
                "policy set tenant.{t}.# --quality privacy --recipient {t}-archive");
    }

    @Test
    void explain_showsTheRecipientsOfTheAddress() {
        assertThat(signet.ok("policy", "explain", "tenant.acme.orders").out())
                .containsPattern("pattern +tenant\\.\\{t}\\.#\\R")
                .containsPattern("recipients +acme-archive\\R");
        assertThat(Json.parse(signet.ok("policy", "explain", "tenant.other.x", "--json")
                                .out())
                        .path("recipients")
                        .path(0)
                        .asText())
                .isEqualTo("other-archive");
        assertThat(signet.ok("policy", "show", "tenant.{t}.#").out()).containsPattern("recipients +\\{t}-archive\\R");
        assertThat(signet.ok("doctor", "home").out()).isEmpty();
    }

    @Test
    void variableThatThePatternLacks_isRejected() {
        Result result = signet.run("policy", "set", "tenant.*.#", "--quality", "privacy", "--recipient", "{t}-archive");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err()).contains("--recipient: the variable {t} is no word of the pattern");
    }

    @Test
    void messageOfATenantWithoutACertificate_isNotSealed() {
        Result result =
                signet.input(new byte[10]).run("message", "seal", "--address", "tenant.other.orders", "--as", "alice");

        assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(result.err()).contains("other-archive");
        assertThat(result.bytes()).isEmpty();
    }

    @Test
    void bundle_isForATenant_onlyWhereItsAddressesName() {
        signet.ok("policy", "add-signer", "tenant.{t}.#", "{t}-archive", "alice");
        String[] export = {"bundle", "export", "--as", "alice", "--recipient", "acme-archive", "--out", "b", "--address"
        };

        Result other = signet.run(
                Stream.concat(Stream.of(export), Stream.of("tenant.other.#")).toArray(String[]::new));
        Result all = signet.run(
                Stream.concat(Stream.of(export), Stream.of("tenant.#")).toArray(String[]::new));
        Result withoutRecipient =
                signet.run("bundle", "export", "--as", "alice", "--out", "b", "--address", "tenant.#");
        signet.ok(Stream.concat(Stream.of(export), Stream.of("tenant.acme.#")).toArray(String[]::new));

        assertThat(other.err()).contains("tenant.{t}.#: 'acme-archive' is not among its recipients");
        assertThat(all.err()).contains("tenant.{t}.#: 'acme-archive' is not among its recipients");
        assertThat(withoutRecipient.err()).contains("its signer '{t}-archive' depends on the address");
        assertThat(signet.ok("bundle", "show", "b").out()).contains("recipients/acme-archive.pem");
    }

    /** Without the private key the message stays closed, and with it only that of this tenant opens. */
    @Test
    void privateKeyOfATenantIsDestroyed_itsMessagesStayClosed_andThoseOfOthersOpen() throws IOException {
        signet.ok("identity", "create", "other-archive", "--dn", "CN=other");
        byte[] acme = sealed("tenant.acme.orders");
        byte[] other = sealed("tenant.other.orders");
        assertThat(open(acme, "tenant.acme.orders", "acme-archive").bytes()).isEqualTo("secret".getBytes(UTF_8));

        Files.delete(folder.resolve("signet-home/identities/acme-archive.p12"));

        for (String reader : new String[] {"acme-archive", "other-archive", "alice"}) {
            assertThat(open(acme, "tenant.acme.orders", reader).exitCode())
                    .isIn(ExitCode.FAILURE, ExitCode.CONFIGURATION);
        }
        assertThat(open(other, "tenant.other.orders", "other-archive").bytes()).isEqualTo("secret".getBytes(UTF_8));
    }

    private byte[] sealed(String address) {
        return signet.input("secret".getBytes(UTF_8))
                .ok("message", "seal", "--address", address, "--as", "alice")
                .bytes();
    }

    private Result open(byte[] sealed, String address, String reader) {
        return signet.input(sealed).run("message", "open", "--address", address, "--as", reader);
    }
}
