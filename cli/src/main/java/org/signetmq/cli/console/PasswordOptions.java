/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.nio.file.Path;
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
        return source().fresh(context, PROMPT);
    }
}
