/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.IdentityStore.IdentityKeys;
import org.signetmq.keystore.home.Password;
import picocli.CommandLine.Option;

/** The sources of the key-store password. It never comes from an option's value. */
public final class PasswordOptions {
    public static final String VARIABLE = "SIGNET_PASSWORD";

    private static final String PROMPT = "Key-store password: ";

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "The first line is the key-store password; else $SIGNET_PASSWORD, else a prompt.")
    private @Nullable Path file;

    /** Returns the password of keys that exist. */
    public Password existing(CommandContext context) {
        return source().existing(context, PROMPT);
    }

    private PasswordSource source() {
        return new PasswordSource(file, VARIABLE, "--password-file");
    }

    /** Loads an identity of the home by its password, with its companion. */
    public Identity load(CommandContext context, String name) {
        try (Password password = existing(context)) {
            return context.existingHome().identityStore().loadSigner(name, password);
        }
    }

    /**
     * Loads all keys of an identity and its companion, to open messages. It warns of former keys that cannot be used.
     */
    public List<Identity> loadAll(CommandContext context, String name) {
        try (Password password = existing(context)) {
            IdentityKeys keys = context.existingHome().identityStore().loadParty(name, password);
            keys.findings().forEach(finding -> context.warn(Failures.oneLine(finding.toString())));
            return keys.all();
        }
    }

    /** Returns the password for a new key; a user at a terminal types it twice. */
    public Password fresh(CommandContext context) {
        return source().fresh(context, PROMPT);
    }

    /**
     * The sources of one password: the first line of a file, else a variable of the environment, else a prompt. It
     * never comes from an option's value.
     *
     * @param file the file, or null
     * @param variable the name of the variable
     * @param option the option that names the file
     */
    public record PasswordSource(@Nullable Path file, String variable, String option) {
        /** Returns the password of keys that exist. */
        public Password existing(CommandContext context, String prompt) {
            Password given = given(context);
            return given != null ? given : Password.takeOwnershipOf(ask(context, prompt));
        }

        /** Returns the password for new keys; a user at a terminal types it twice. */
        public Password fresh(CommandContext context, String prompt) {
            Password given = given(context);
            if (given != null) {
                return given;
            }
            char[] first = ask(context, prompt);
            char[] second = ask(context, "The same again: ");
            boolean same = Arrays.equals(first, second);
            Arrays.fill(second, '\0');
            if (!same) {
                Arrays.fill(first, '\0');
                throw CliException.configuration("password: the two are not the same");
            }
            return Password.takeOwnershipOf(first);
        }

        /** Returns the password of the file or the environment; null if none is given. */
        public @Nullable Password given(CommandContext context) {
            if (file != null) {
                return Password.fromFile(context.resolve(file));
            }
            String value = context.environment(variable);
            return value.isEmpty() ? null : Password.takeOwnershipOf(value.toCharArray());
        }

        private char[] ask(CommandContext context, String prompt) {
            Shell.Terminal terminal = context.shell().streams().terminal();
            if (terminal == null) {
                throw CliException.configuration(
                        "password: none given and no terminal to ask at; use " + option + " FILE or " + variable);
            }
            char[] typed = terminal.askPassword(prompt);
            if (typed == null || typed.length == 0) {
                throw CliException.configuration("password: none typed");
            }
            return typed;
        }
    }
}
