/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.PasswordSource;
import org.signetmq.keystore.home.Password;
import picocli.CommandLine.Option;

/** The sources of the password of a file that is imported. It never comes from an option's value. */
final class SourcePasswordOptions {
    private static final String VARIABLE = "SIGNET_SOURCE_PASSWORD";
    private static final String OPTION = "--source-password-file";

    @Option(
            names = OPTION,
            paramLabel = "FILE",
            description = "The first line is the password of the imported file; else $SIGNET_SOURCE_PASSWORD, else a "
                    + "prompt.")
    private @Nullable Path file;

    /** Returns the password of the file of this name. */
    Password existing(CommandContext context, String source) {
        return new PasswordSource(file, VARIABLE, OPTION).existing(context, "Password of " + source + ": ");
    }
}
