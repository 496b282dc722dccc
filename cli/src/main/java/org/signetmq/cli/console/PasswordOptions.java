/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.IdentityKeys;
import org.signetmq.keystore.home.Password;
import picocli.CommandLine.Option;

/** The sources of the key-store password. It never comes from an option's value. */
public final class PasswordOptions {
    public static final String VARIABLE = "SIGNET_PASSWORD";

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "The first line is the key-store password; else $SIGNET_PASSWORD, else a prompt.")
    private @Nullable Path file;

    /** Returns the password of keys that exist. */
    public Password existing(CommandContext context) {
        Password given = given(context);
        return given != null ? given : Password.takeOwnershipOf(ask(context, "Key-store password: "));
    }

    /** Loads an identity of the home by its password. */
    public Identity load(CommandContext context, String name) {
        try (Password password = existing(context)) {
            return context.existingHome().identityStore().load(name, password);
        }
    }

    /** Loads all keys of an identity, to open messages. It warns of former keys that cannot be used. */
    public List<Identity> loadAll(CommandContext context, String name) {
        try (Password password = existing(context)) {
            IdentityKeys keys = context.existingHome().identityStore().loadAll(name, password);
            keys.findings().forEach(finding -> context.warn(Failures.oneLine(finding.toString())));
            return keys.all();
        }
    }

    /** Returns the password for a new key; a user at a terminal types it twice. */
    public Password fresh(CommandContext context) {
        Password given = given(context);
        if (given != null) {
            return given;
        }
        char[] first = ask(context, "Key-store password: ");
        char[] second = ask(context, "The same again: ");
        boolean same = Arrays.equals(first, second);
        Arrays.fill(second, '\0');
        if (!same) {
            Arrays.fill(first, '\0');
            throw CliException.configuration("password: the two are not the same");
        }
        return Password.takeOwnershipOf(first);
    }

    private @Nullable Password given(CommandContext context) {
        if (file != null) {
            return Password.fromFile(context.resolve(file));
        }
        String variable = context.environment(VARIABLE);
        return variable.isEmpty() ? null : Password.takeOwnershipOf(variable.toCharArray());
    }

    private static char[] ask(CommandContext context, String prompt) {
        Shell.Terminal terminal = context.shell().streams().terminal();
        if (terminal == null) {
            throw CliException.configuration(
                    "password: none given and no terminal to ask at; use --password-file FILE or " + VARIABLE);
        }
        char[] typed = terminal.askPassword(prompt);
        if (typed == null || typed.length == 0) {
            throw CliException.configuration("password: none typed");
        }
        return typed;
    }
}
