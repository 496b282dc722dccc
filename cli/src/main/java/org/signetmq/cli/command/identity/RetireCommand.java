/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.signetmq.cli.command.keys.HomeKeys;
import org.signetmq.cli.command.keys.KeyUseQuery;
import org.signetmq.cli.connection.BrokerAccess;
import org.signetmq.cli.connection.BrokerUrl;
import org.signetmq.cli.connection.ManagementOptions;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.NoTokenOption;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Home;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code signet identity retire}. */
@Command(
        name = "retire",
        description = {
            "Removes a former key and its certificates. Messages for it open no more. An encrypted copy of the key stays in "
                    + "identities/retired/. Needs no password of the key.",
            "Refuses while messages on a broker of --broker need the key, or if a broker cannot look at all messages. The "
                    + "former key of an issuing identity needs --force: no broker knows which certificates are in use."
        },
        footer = {"  signet identity retire alice --key 5f1d0c2ab3947e68 --broker tcp://a:61616"})
final class RetireCommand extends Subcommand {
    private static final String PREFIX = "ski:";

    @Parameters(paramLabel = "NAME", description = "An identity of the home.")
    private String name = "";

    @Option(
            names = "--key",
            required = true,
            paramLabel = "ID",
            description =
                    "The former key: at least the first 16 hex digits of its key id, as signet identity show prints it.")
    private String key = "";

    @Option(
            names = "--broker",
            paramLabel = "URL[,URL...]",
            description =
                    "Look at the messages of these running brokers, such as tcp://localhost:61616: all brokers with "
                            + "messages for the identity. Default $SIGNET_BROKER.")
    private List<String> brokers = List.of();

    @Mixin
    private final ManagementOptions management = new ManagementOptions();

    @Option(
            names = "--force",
            description = "Retire the key even if messages need it, or without a look at any broker.")
    private boolean force;

    @Mixin
    private final NoTokenOption token = new NoTokenOption();

    @Override
    public Integer call() throws IOException {
        token.refuse("delete a key in a token by its own program, once signet doctor keys shows no message for it");
        Home home = context.existingHome();
        IdentityCommands.requireKey(name, home);
        String keyId = (key.startsWith(PREFIX) ? key.substring(PREFIX.length()) : key).toLowerCase(Locale.ROOT);
        List<String> urls = urls();
        requireFormer(keyId, home);
        requireNoIssuer(home);
        requireUnneeded(keyId, home, urls);
        try {
            Path retired = home.identityStore().retire(name, keyId);
            context.print(name + ": former key retired");
            context.say("its encrypted copy is " + retired + "; move it to " + home.formerKeys()
                    + " if a message needs it after all");
            return ExitCode.OK;
        } catch (KeystoreUnusableException e) {
            throw CliException.failure(String.valueOf(e.getMessage())).causedBy(e);
        }
    }

    private void requireFormer(String keyId, Home home) {
        try {
            home.identityStore().requireFormer(name, keyId);
        } catch (KeystoreUnusableException e) {
            throw CliException.failure(String.valueOf(e.getMessage())).causedBy(e);
        }
    }

    /** No message needs the key of an issuer, and no broker knows which of its certificates are in use. */
    private void requireNoIssuer(Home home) {
        X509Certificate current = KnownIdentity.named(name, home).certificate();
        if (current != null && current.getBasicConstraints() >= 0 && !force) {
            throw CliException.failure("'" + name + "': not retired: the identity issues certificates, and no broker"
                            + " knows which of them are in use")
                    .hint("signet certificate list --issued shows them with the key ids of their issuers; when none of"
                            + " this key is in use: --force");
        }
    }

    private List<String> urls() {
        List<String> urls = BrokerUrl.named(brokers, context);
        if (urls.isEmpty() && management.isGiven()) {
            throw usage("--broker: missing, and the options for a connection need it");
        }
        return urls;
    }

    private void requireUnneeded(String keyId, Home home, List<String> urls) throws IOException {
        if (urls.isEmpty() && !force) {
            throw CliException.failure(
                            "key " + keyId + " of '" + name + "': no broker is named, so nothing was looked at")
                    .hint("name each broker that may have messages for it: --broker URL; or retire it unseen: --force");
        }
        List<String> reasons = needs(keyId, home, urls);
        if (!reasons.isEmpty() && !force) {
            throw CliException.failure(
                            "key " + keyId + " of '" + name + "': not retired, messages need it or may need it")
                    .details(reasons)
                    .hint("have these messages consumed first; --force retires the key nevertheless");
        }
        reasons.forEach(context::warn);
    }

    private List<String> needs(String keyId, Home home, List<String> urls) throws IOException {
        List<String> reasons = new ArrayList<>();
        if (urls.isEmpty()) {
            return reasons;
        }
        RetirementCheck check = RetirementCheck.of(name, keyId, HomeKeys.of(home));
        if (brokers.isEmpty()) {
            context.say("looks only at the brokers that SIGNET_BROKER names");
        }
        BrokerAccess first = management.to(urls.get(0), context); // which may ask for the password, once
        for (String url : urls) {
            BrokerAccess broker = new BrokerAccess(url, first.credentials());
            check.reasons(KeyUseQuery.at(broker, management, check.names(), context))
                    .forEach(reason -> reasons.add(broker.name() + ": " + reason));
        }
        return reasons;
    }
}
