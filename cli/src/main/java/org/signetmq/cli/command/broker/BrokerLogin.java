/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.Shell;
import org.signetmq.keystore.home.PermissionCheck;
import picocli.CommandLine.Option;

/** The user and password for a broker. The password never comes from an option's value. */
public final class BrokerLogin {
    private static final String VARIABLE = "SIGNET_BROKER_PASSWORD";

    @Option(names = "--user", paramLabel = "U", description = "Whom to log in as at the broker; default nobody.")
    private @Nullable String user;

    @Option(
            names = "--broker-password-file",
            paramLabel = "FILE",
            description = "The first line is the password of --user; else $SIGNET_BROKER_PASSWORD, else a prompt.")
    private @Nullable Path file;

    @Nullable
    String user() {
        return user;
    }

    /** Returns the password; null without a user. */
    @Nullable
    String password(CommandContext context) throws IOException {
        if (user == null) {
            return null;
        }
        if (file != null) {
            Path named = context.resolve(file);
            PermissionCheck.forOwnerOf(named).secret(named).requireNoFinding();
            return Files.readString(named).lines().findFirst().orElse("");
        }
        String variable = context.environment(VARIABLE);
        if (!variable.isEmpty()) {
            return variable;
        }
        Shell.Terminal terminal = context.shell().streams().terminal();
        char[] typed = terminal == null ? null : terminal.askPassword("Password of " + user + " at the broker: ");
        if (typed == null) {
            throw CliException.configuration("broker password: none given and no terminal to ask at; use "
                    + "--broker-password-file FILE or " + VARIABLE);
        }
        return new String(typed);
    }
}
