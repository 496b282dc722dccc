/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.io.IOException;
import java.util.List;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.keystore.home.Home;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code signet identity show}. */
@Command(
        name = "show",
        description = "Shows an identity or recipient with its certificate chain. Needs no password.",
        footer = {"  signet identity show alice", "  signet identity show alice --json"})
public final class IdentityShow extends ReportingCommand {
    @Parameters(paramLabel = "NAME", description = "As in signet identity list.")
    private String name = "";

    private record Answer(String name, boolean privateKey, List<CertificateFacts> chain) {}

    @Override
    public Integer call() throws IOException {
        Home home = context.existingHome();
        KnownIdentity identity = KnownIdentity.named(name, home);
        List<CertificateFacts> chain =
                identity.chain(home).stream().map(CertificateFacts::of).toList();
        report(new Answer(name, identity.hasPrivateKey(), chain), () -> lines(identity, chain));
        return ExitCode.OK;
    }

    private static List<String> lines(KnownIdentity identity, List<CertificateFacts> chain) {
        LabelledLines lines = new LabelledLines(16).add("name", identity.name()).add("held", identity.held());
        for (CertificateFacts facts : chain) {
            lines.addAll(List.of(facts.equals(chain.get(0)) ? "certificate" : "issued by"))
                    .add("  dn", facts.dn())
                    .add("  issuer", facts.issuer())
                    .add("  serial number", facts.serialNumber())
                    .add("  key algorithm", facts.keyAlgorithm())
                    .add("  key id", facts.keyId())
                    .add("  not before", facts.notBefore())
                    .add("  not after", facts.notAfter());
        }
        return lines.lines();
    }
}
