/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.PasswordOptions;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.cli.file.OutputOptions;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Pem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code signet identity export}. */
@Command(
        name = "export",
        description = "Writes the certificate chain as PEM, with --private-key the unencrypted key before it.",
        footer = {
            "  signet identity export alice > alice.pem",
            "  signet identity export alice --private-key --out alice-key.pem",
        })
public final class IdentityExport extends Subcommand {
    @Parameters(paramLabel = "NAME", description = "As in signet identity list.")
    private String name = "";

    @Option(names = "--private-key", description = "Also the private key, unencrypted (PKCS#8); needs the password.")
    private boolean privateKey;

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Mixin
    private final PasswordOptions passwords = new PasswordOptions();

    @Override
    public Integer call() throws IOException {
        output.check(context);
        byte[] pem = (privateKey ? withPrivateKey() : certificates()).getBytes(StandardCharsets.US_ASCII);
        output.write(context, pem.length, out -> out.write(pem));
        return ExitCode.OK;
    }

    private String withPrivateKey() {
        Identity identity = passwords.load(context, name);
        context.warn("the private key of " + name + " leaves the home unencrypted");
        return Pem.privateKeyPem(identity) + Pem.certificatePem(identity);
    }

    private String certificates() throws IOException {
        Home home = context.existingHome();
        KnownIdentity identity = KnownIdentity.named(name, home);
        if (identity.certificate() == null) {
            throw CliException.configuration("identity '" + name + "': no certificate in " + home.recipients())
                    .hint("--private-key reads it from the key store");
        }
        return identity.chain(home).stream().map(Pem::certificatePem).collect(Collectors.joining());
    }
}
