/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.Callable;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.JsonOption;
import org.signetmq.keystore.Home;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code signet identity show}. */
@Command(
        name = "show",
        description = "Shows an identity or recipient with its certificate chain. Needs no password.",
        footerHeading = "%nExamples:%n",
        footer = {"  signet identity show alice", "  signet identity show alice --json"})
public final class IdentityShow implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(paramLabel = "NAME", description = "As in signet identity list.")
    private String name = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    public IdentityShow(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        Home home = context.existingHome();
        KnownIdentity identity = KnownIdentity.named(name, home);
        CertificateFacts facts = identity.facts();
        List<X509Certificate> chain = facts == null ? List.of() : CertificateChain.of(facts.certificate(), home);
        if (json.wanted) {
            Json.print(answer(identity, chain), context.out());
        } else {
            print(identity, chain);
        }
        return ExitCode.OK;
    }

    private void print(KnownIdentity identity, List<X509Certificate> chain) {
        line("name", identity.name());
        line("held", identity.held());
        for (int i = 0; i < chain.size(); i++) {
            CertificateFacts facts = new CertificateFacts(chain.get(i));
            context.out().println(i == 0 ? "certificate" : "issued by");
            line("  dn", facts.subject());
            line("  issuer", facts.issuer());
            line("  serial number", facts.serialNumber());
            line("  key algorithm", facts.keyAlgorithm());
            line("  key id", facts.keyIdentifier());
            line("  not before", facts.notBefore());
            line("  not after", facts.notAfter());
        }
    }

    private void line(String label, String value) {
        context.out().printf("%-16s %s%n", label, value);
    }

    private static ObjectNode answer(KnownIdentity identity, List<X509Certificate> chain) {
        ObjectNode answer = Json.answer();
        answer.put("name", identity.name()).put("private-key", identity.hasPrivateKey());
        ArrayNode certificates = answer.putArray("chain");
        chain.forEach(certificate -> certificates.add(new CertificateFacts(certificate).json()));
        return answer;
    }
}
