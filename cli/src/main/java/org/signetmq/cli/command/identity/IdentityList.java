/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.concurrent.Callable;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.JsonOption;
import org.signetmq.cli.console.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code signet identity list}. */
@Command(
        name = "list",
        description = "Lists the identities and recipients of the home. Needs no password.",
        footerHeading = "%nExamples:%n",
        footer = {"  signet identity list", "  signet identity list --json"})
public final class IdentityList implements Callable<Integer> {
    private final CommandContext context;

    @Mixin
    private final JsonOption json = new JsonOption();

    public IdentityList(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        List<KnownIdentity> known = KnownIdentity.all(context.existingHome());
        if (json.wanted) {
            Json.print(answer(known), context.out());
        } else if (known.isEmpty()) {
            context.say(context.existingHome().root() + " has no identities");
        } else {
            table(known).lines().forEach(context.out()::println);
        }
        return ExitCode.OK;
    }

    private static TextTable table(List<KnownIdentity> known) {
        TextTable table = TextTable.of("NAME", "DN", "KEY ALGORITHM", "NOT AFTER", "KEY ID", "HELD");
        for (KnownIdentity identity : known) {
            CertificateFacts facts = identity.facts();
            if (facts == null) {
                table.row(identity.name(), "", "", "", "", identity.held());
            } else {
                table.row(
                        identity.name(),
                        facts.subject(),
                        facts.keyAlgorithm(),
                        facts.notAfter(),
                        facts.keyIdentifier(),
                        identity.held());
            }
        }
        return table;
    }

    private static ObjectNode answer(List<KnownIdentity> known) {
        ObjectNode answer = Json.answer();
        ArrayNode identities = answer.putArray("identities");
        for (KnownIdentity identity : known) {
            ObjectNode node = identities.addObject();
            node.put("name", identity.name()).put("private-key", identity.hasPrivateKey());
            CertificateFacts facts = identity.facts();
            if (facts == null) {
                node.putNull("certificate");
            } else {
                node.set("certificate", facts.json());
            }
        }
        return answer;
    }
}
