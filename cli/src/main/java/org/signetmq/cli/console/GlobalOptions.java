/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options that every command takes. */
public final class GlobalOptions {
    @Option(
            names = "--home",
            paramLabel = "DIR",
            scope = ScopeType.INHERIT,
            description =
                    "Folder of identities, recipients, trust and policies; default $SIGNET_HOME, else ./signet-home.")
    @Nullable
    public Path home;

    @Option(
            names = {"-q", "--quiet"},
            scope = ScopeType.INHERIT,
            description = "Say nothing but results and errors.")
    boolean quiet;

    @Option(
            names = NO_COLOR,
            scope = ScopeType.INHERIT,
            description = "No colours; as does the environment variable NO_COLOR.")
    boolean noColor;

    @Option(names = DEBUG, scope = ScopeType.INHERIT, description = "Show stack traces and warnings of libraries.")
    boolean debug;

    public static final String NO_COLOR = "--no-color";
    public static final String DEBUG = "--debug";
}
