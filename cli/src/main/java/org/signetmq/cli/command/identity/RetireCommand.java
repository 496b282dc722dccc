/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.nio.file.Path;
import java.util.List;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Home;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code signet identity retire}. */
@Command(
        name = "retire",
        description =
                "Removes a former key and its certificates. Messages for it open no more. An encrypted copy of the "
                        + "key stays in identities/retired/. Needs no password.",
        footer = {"  signet identity retire alice --key 5f1d0c2ab3947e68"})
final class RetireCommand extends Subcommand {
    private static final String PREFIX = "ski:";

    @Parameters(paramLabel = "NAME", description = "An identity of the home.")
    private String name = "";

    @Option(
            names = "--key",
            required = true,
            paramLabel = "ID",
            description = "At least the first 16 hex digits of its key id, as in signet identity show.")
    private String key = "";

    private final KeyNeeds needs;

    RetireCommand() {
        this(KeyNeeds.UNKNOWN);
    }

    /**
     * Makes the command.
     *
     * @param needs finds the messages that need the key
     */
    RetireCommand(KeyNeeds needs) {
        this.needs = needs;
    }

    @Override
    public Integer call() {
        Home home = context.existingHome();
        if (!home.identityStore().names().contains(name)) {
            throw CliException.failure("identity '" + name + "': not in " + home.identities())
                    .hint("signet identity list shows those with a key");
        }
        String keyId = key.startsWith(PREFIX) ? key.substring(PREFIX.length()) : key;
        List<String> needed = needs.of(name, keyId);
        if (!needed.isEmpty()) {
            throw CliException.failure(
                            "key " + keyId + " of '" + name + "': messages need it: " + String.join("; ", needed))
                    .hint("retire it when these messages are gone");
        }
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
}
