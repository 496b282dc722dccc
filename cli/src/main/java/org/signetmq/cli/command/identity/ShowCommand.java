/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.cli.console.TokenAccess;
import org.signetmq.cli.console.TokenOption;
import org.signetmq.keystore.home.Home;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code signet identity show}. */
@Command(
        name = "show",
        description =
                "Shows an identity or recipient with its certificate chain and its former keys. Needs no password. With "
                        + "--key-store it shows the keys in the token, and needs the PIN.",
        footer = {
            "  signet identity show alice",
            "  signet identity show alice --json",
            "  signet identity show alice --key-store URI",
        })
final class ShowCommand extends ReportingCommand {
    @Parameters(paramLabel = "NAME", description = IdentityCommands.LISTED)
    private String name = "";

    @Mixin
    private final TokenOption keyStore = new TokenOption();

    private record Answer(
            String name, boolean privateKey, List<Map<String, String>> chain, List<FormerKey.Row> former) {}

    @Override
    public Integer call() throws IOException {
        Home home = context.existingHome();
        Optional<TokenAccess> token = keyStore.token();
        if (token.isPresent()) {
            TokenIdentity inToken = TokenIdentity.of(token.get().loadAll(context, name), home);
            report(inToken, inToken::lines);
            return ExitCode.OK;
        }
        KnownIdentity identity = KnownIdentity.named(name, home);
        List<Map<String, String>> chain =
                identity.chain(home).stream().map(KnownIdentity::facts).toList();
        report(
                new Answer(name, identity.hasPrivateKey(), chain, FormerKey.Row.of(identity)),
                () -> lines(identity, chain));
        return ExitCode.OK;
    }

    private static List<String> lines(KnownIdentity identity, List<Map<String, String>> chain) {
        LabelledLines lines = new LabelledLines(16).add("name", identity.name()).add("held", identity.held());
        chain.stream().limit(1).forEach(own -> KnownIdentity.addFacts(lines, "certificate", own));
        chain.stream().skip(1).forEach(issuer -> KnownIdentity.addFacts(lines, "issued by", issuer));
        identity.former().forEach(former -> KnownIdentity.addFacts(lines, former.held(), former.facts()));
        return lines.lines();
    }
}
