/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.signetmq.cli.command.keys.HomeKeys;
import org.signetmq.cli.command.keys.KeyUses;
import org.signetmq.cli.connection.BrokerAccess;
import org.signetmq.cli.connection.BrokerUrl;
import org.signetmq.cli.connection.LoginOptions.ManagementOptions;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.KeyStoreOptions.NoTokenOption;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.Policy.RequiredKeys;
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
            check.reasons(KeyUses.at(broker, management, check.wanted(), check.home(), context))
                    .forEach(reason -> reasons.add(broker.name() + ": " + reason));
        }
        return reasons;
    }

    /**
     * Finds the reasons why a key must stay: messages on a broker that need it, or that the broker cannot judge.
     *
     * @param party the identity
     * @param keyId at least 16 hex digits of the key id
     * @param names the names that envelopes have for the key, by the certificates of the home; empty if it has none
     * @param around the names of the keys of the companion: an envelope for one of them may have another one inside,
     *     whose recipients the broker does not see
     * @param home the keys that the home knows
     */
    record RetirementCheck(String party, String keyId, Set<String> names, Set<String> around, HomeKeys home) {
        /** The greatest number of queues that are named. */
        private static final int MOST_QUEUES = 20;

        private static final String KEY_IDENTIFIER = "ski:";

        RetirementCheck {
            names = Set.copyOf(names);
            around = Set.copyOf(around);
        }

        static RetirementCheck of(String party, String keyId, HomeKeys home) {
            return new RetirementCheck(
                    party, keyId, home.namesOf(party, keyId), home.namesOf(RequiredKeys.companionOf(party), ""), home);
        }

        /** The names that a broker must count by themselves. */
        Set<String> wanted() {
            Set<String> all = new HashSet<>(names);
            all.addAll(around);
            return all;
        }

        private boolean isMeant(String name) {
            return names.contains(name) || name.startsWith(KEY_IDENTIFIER + keyId);
        }

        /** Tells whether a name may be one of the key, because it is that of no other key that the home knows. */
        private boolean mayBeMeant(String name) {
            return home.named(name).stream().allMatch(known -> known.keyId().startsWith(keyId));
        }

        /** Returns one line for each reason; empty if no message needs the key. */
        List<String> reasons(KeyUses uses) {
            List<String> reasons = new ArrayList<>();
            int queues = 0;
            for (KeyUses.Key key : uses.keys()) {
                boolean isAround = key.opens() && around.contains(key.key());
                if (isMeant(key.key()) || isAround) {
                    String why = isAround
                            ? " encrypted for " + RequiredKeys.companionOf(party) + ", perhaps with it inside"
                            : " " + key.use() + " it";
                    for (KeyUses.Row row : key.queues()) {
                        if (++queues <= MOST_QUEUES) {
                            reasons.add("address " + row.address() + ", queue " + row.queue() + ": "
                                    + count(row.count().messages()) + why + oldest(row.count()));
                        }
                    }
                    if (key.elsewhere() > 0) {
                        reasons.add("other queues: " + count(key.elsewhere()) + why);
                    }
                }
            }
            if (queues > MOST_QUEUES) {
                reasons.add((queues - MOST_QUEUES) + " further queues");
            }
            addUnknown(uses, reasons);
            return reasons;
        }

        private void addUnknown(KeyUses uses, List<String> reasons) {
            KeyUses.Totals totals = uses.totals();
            if (!uses.complete() || totals.notUnderstood() > 0) {
                reasons.add("not proven for "
                        + count(totals.notLookedAt() + totals.unreadable() + totals.notUnderstood())
                        + ": " + totals.notLookedAt() + " not looked at, " + totals.unreadable() + " unreadable, "
                        + totals.notUnderstood() + " not understood; signet doctor keys names their queues");
            }
            if (names.isEmpty()) { // then the home does not know the names of the key
                addNameless(uses, reasons);
            }
        }

        private void addNameless(KeyUses uses, List<String> reasons) {
            long unknown = uses.keys().stream()
                    .filter(key -> key.opens() && !isMeant(key.key()) && mayBeMeant(key.key()))
                    .mapToLong(key -> key.all().messages())
                    .sum();
            if (unknown > 0) {
                reasons.add("not proven for " + count(unknown)
                        + " encrypted for keys that the home does not know: it has no certificate of the key, so any of"
                        + " them may be its own");
            }
            if (uses.others().messages() > 0) {
                reasons.add("not proven for " + count(uses.others().messages())
                        + " with keys beyond the limit: the home has no certificate of the key");
            }
        }

        private static String oldest(KeyUses.Count messages) {
            return messages.oldest() == null ? "" : ", the oldest of " + messages.oldest();
        }

        private static String count(long messages) {
            return messages + (messages == 1 ? " message" : " messages");
        }
    }
}
