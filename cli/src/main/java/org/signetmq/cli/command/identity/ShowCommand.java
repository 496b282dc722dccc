/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.KeyStoreOptions.TokenAccess;
import org.signetmq.cli.console.KeyStoreOptions.TokenOption;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore.IdentityKeys;
import org.signetmq.keystore.home.Pem;
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
            String name,
            boolean privateKey,
            List<Map<String, String>> chain,
            List<KnownIdentity.FormerKey.Row> former) {}

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
                new Answer(name, identity.hasPrivateKey(), chain, KnownIdentity.FormerKey.Row.of(identity)),
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

    /**
     * The keys of an identity in a token.
     *
     * @param name the name of the identity
     * @param keys the current key first
     */
    private record TokenIdentity(String name, List<Key> keys) {
        /**
         * A key.
         *
         * @param state {@code current} or {@code former}
         * @param chain the facts of its certificate, then those of its issuers
         * @param recipients the place of the certificate in the home's file of this name in {@code recipients/}
         */
        record Key(State state, List<Map<String, String>> chain, EntryPosition recipients) {}

        /** The use of a key. */
        enum State {
            @JsonProperty("current")
            CURRENT("current"),
            @JsonProperty("former")
            FORMER("former");

            private final String label;

            State(String label) {
                this.label = label;
            }
        }

        /** The place of a certificate in a file. */
        enum EntryPosition {
            @JsonProperty("first")
            FIRST("has it first"),
            @JsonProperty("behind")
            BEHIND("has it behind another"),
            @JsonProperty("absent")
            ABSENT("does not have it");

            private final String inWords;

            EntryPosition(String inWords) {
                this.inWords = inWords;
            }

            private static EntryPosition of(int index) {
                return index < 0 ? ABSENT : index == 0 ? FIRST : BEHIND;
            }
        }

        static TokenIdentity of(IdentityKeys keys, Home home) throws IOException {
            String name = keys.current().name();
            Path file = home.recipients().resolve(name + ".pem");
            List<X509Certificate> there = Files.exists(file) ? Pem.readCertificates(file) : List.of();
            List<Key> rows = new ArrayList<>();
            for (Identity key : keys.all()) {
                rows.add(new Key(
                        key.equals(keys.current()) ? State.CURRENT : State.FORMER,
                        chain(key, home).stream().map(KnownIdentity::facts).toList(),
                        EntryPosition.of(there.indexOf(key.certificate()))));
            }
            return new TokenIdentity(name, List.copyOf(rows));
        }

        /** Returns the certificate, then its issuers as far as the token or the home have them. */
        private static List<X509Certificate> chain(Identity key, Home home) throws IOException {
            List<X509Certificate> ofHome =
                    new KnownIdentity(key.name(), key.certificate(), false, List.of()).chain(home);
            return ofHome.size() > key.chain().size() ? ofHome : key.chain();
        }

        List<String> lines() {
            LabelledLines lines = new LabelledLines(16).add("name", name).add("held", "key in a token");
            String file = "recipients/" + name + ".pem ";
            for (Key key : keys) {
                KnownIdentity.addFacts(
                        lines,
                        key.state().label + " key, certificate",
                        key.chain().get(0));
                lines.add("  recipients", file + key.recipients().inWords);
                key.chain().stream().skip(1).forEach(issuer -> KnownIdentity.addFacts(lines, "issued by", issuer));
            }
            return lines.lines();
        }
    }
}
