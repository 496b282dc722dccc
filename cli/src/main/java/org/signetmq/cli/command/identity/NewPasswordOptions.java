/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.PasswordSource;
import org.signetmq.keystore.home.Password;
import picocli.CommandLine.Option;

/** The sources of a new password. It never comes from an option's value. */
final class NewPasswordOptions {
    private static final String VARIABLE = "SIGNET_NEW_PASSWORD";
    private static final String OPTION = "--new-password-file";

    @Option(
            names = OPTION,
            paramLabel = "FILE",
            description =
                    "The first line is the new password; else $SIGNET_NEW_PASSWORD. Without both, identity password asks, and "
                            + "identity export keeps the present one.")
    private @Nullable Path file;

    /** Returns the new password; a user at a terminal types it twice. */
    Password fresh(CommandContext context) {
        return source().fresh(context, "New password: ");
    }

    /** Returns the new password if there is one; null if not. */
    @Nullable
    Password given(CommandContext context) {
        return source().given(context);
    }

    private PasswordSource source() {
        return new PasswordSource(file, VARIABLE, OPTION);
    }
}
