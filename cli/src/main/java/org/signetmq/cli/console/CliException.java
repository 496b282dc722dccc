/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A failure that is told in one line {@code what failed: why}, with details and a hint if there are any. */
public final class CliException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;
    private final transient List<String> details;
    private final @Nullable String hint;

    private CliException(int exitCode, String message, List<String> details, @Nullable String hint) {
        super(message);
        this.exitCode = exitCode;
        this.details = List.copyOf(details);
        this.hint = hint;
    }

    /** Something failed, or the answer is no. */
    public static CliException failure(String message) {
        return new CliException(ExitCode.FAILURE, message, List.of(), null);
    }

    /** The home, its files or the password cannot be used. */
    public static CliException configuration(String message) {
        return new CliException(ExitCode.CONFIGURATION, message, List.of(), null);
    }

    /** The command line is wrong. */
    public static CliException usage(String message) {
        return new CliException(ExitCode.USAGE, message, List.of(), null);
    }

    /** There is no connection to the broker. */
    public static CliException unreachable(String message) {
        return new CliException(ExitCode.BROKER, message, List.of(), null);
    }

    /** The same failure with advice what to do. */
    public CliException hint(String advice) {
        return new CliException(exitCode, text(), details, advice).causedBy(getCause());
    }

    /** The same failure with one line for each of its parts. */
    public CliException details(List<String> lines) {
        return new CliException(exitCode, text(), lines, hint).causedBy(getCause());
    }

    /** This failure with what led to it, for {@code --debug}. */
    public CliException causedBy(@Nullable Throwable cause) {
        if (cause != null) {
            initCause(cause);
        }
        return this;
    }

    int exitCode() {
        return exitCode;
    }

    String text() {
        return String.valueOf(getMessage());
    }

    public List<String> details() {
        return details;
    }

    @Nullable
    String hint() {
        return hint;
    }
}
