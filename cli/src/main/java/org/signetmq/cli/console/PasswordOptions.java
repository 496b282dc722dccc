/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Password;
import picocli.CommandLine.Option;

/** Where the key-store password comes from; never from an option's value. */
public final class PasswordOptions {
    public static final String VARIABLE = "SIGNET_PASSWORD";

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "The first line is the key-store password; else $SIGNET_PASSWORD, else a prompt.")
    private @Nullable Path file;

    /** The password of keys that exist. */
    public Password existing(CommandContext context) {
        Password given = given(context);
        return given != null ? given : Password.takeOwnershipOf(ask(context, "Key-store password: "));
    }

    /** The password for a key that is about to be made; a person types it twice. */
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
        String variable = context.shell().environment().getOrDefault(VARIABLE, "");
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
