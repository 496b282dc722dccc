/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.cli.console.TextTable;
import picocli.CommandLine.Command;

/** The command {@code signet identity list}. */
@Command(
        name = "list",
        description = "Lists the identities and recipients of the home. Needs no password.",
        footer = {"  signet identity list", "  signet identity list --json"})
public final class IdentityList extends ReportingCommand {
    private record Answer(List<Row> identities) {}

    private record Row(
            String name, boolean privateKey, @Nullable CertificateFacts certificate) {}

    @Override
    public Integer call() {
        List<KnownIdentity> known = KnownIdentity.all(context.existingHome());
        if (known.isEmpty() && !json) {
            context.say(context.existingHome().root() + " has no identities");
            return ExitCode.OK;
        }
        List<Row> rows = known.stream()
                .map(identity -> new Row(identity.name(), identity.hasPrivateKey(), identity.facts()))
                .toList();
        report(new Answer(rows), () -> table(known).lines());
        return ExitCode.OK;
    }

    private static TextTable table(List<KnownIdentity> known) {
        TextTable table = TextTable.of("NAME", "DN", "KEY ALGORITHM", "NOT AFTER", "KEY ID", "HELD");
        for (KnownIdentity identity : known) {
            CertificateFacts facts = identity.facts();
            table.row(
                    identity.name(),
                    facts == null ? "" : facts.dn(),
                    facts == null ? "" : facts.keyAlgorithm(),
                    facts == null ? "" : facts.notAfter(),
                    facts == null ? "" : facts.keyId(),
                    identity.held());
        }
        return table;
    }
}
