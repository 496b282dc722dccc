/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.connection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.Shell;
import org.signetmq.keystore.home.PermissionCheck;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the login at a broker. The password never comes from an option's value. */
public final class LoginOptions {
    private static final String VARIABLE = "SIGNET_BROKER_PASSWORD";

    private static final String USER_VARIABLE = "SIGNET_BROKER_USER";

    @Option(
            names = "--user",
            paramLabel = "U",
            description = "Whom to log in as at the broker; default $SIGNET_BROKER_USER, else nobody.")
    private @Nullable String user;

    @Option(
            names = "--broker-password-file",
            paramLabel = "FILE",
            description = "The first line is the password of --user; else $SIGNET_BROKER_PASSWORD, else a prompt.")
    private @Nullable Path file;

    @Mixin
    private final TlsOptions tls = new TlsOptions();

    /** Returns the access to the broker of an option, else of {@code $SIGNET_BROKER}. It may ask for the password. */
    public BrokerAccess to(@Nullable String url, CommandContext context) throws IOException {
        String named = BrokerUrl.one(BrokerUrl.named(url == null ? List.of() : List.of(url), context));
        return new BrokerAccess(named, credentials(context));
    }

    /** Whether an option is given. They mean nothing without a broker. */
    public boolean isGiven() {
        return user != null || file != null || tls.isGiven();
    }

    /** Returns the credentials that options or the environment name. It may ask for the password. */
    public Credentials credentials(CommandContext context) throws IOException {
        String variable = context.environment(USER_VARIABLE);
        String login = user == null && !variable.isEmpty() ? variable : user;
        return new Credentials(login, login == null ? null : password(login, context), tls.parameters(context));
    }

    private String password(String login, CommandContext context) throws IOException {
        if (file != null) {
            return firstLine(file, context);
        }
        String variable = context.environment(VARIABLE);
        if (!variable.isEmpty()) {
            return variable;
        }
        Shell.Terminal terminal = context.shell().streams().terminal();
        char[] typed = terminal == null ? null : terminal.askPassword("Password of " + login + " at the broker: ");
        if (typed == null) {
            throw CliException.configuration("broker password: none given and no terminal to ask at; use "
                    + "--broker-password-file FILE or " + VARIABLE);
        }
        return new String(typed);
    }

    /** Returns the first line of a file that other users must not read. */
    static String firstLine(Path file, CommandContext context) throws IOException {
        Path named = context.resolve(file);
        PermissionCheck.forThisUser().secret(named).requireNoFinding();
        return Files.readString(named).lines().findFirst().orElse("");
    }
}
