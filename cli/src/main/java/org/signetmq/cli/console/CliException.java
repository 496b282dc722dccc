/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.util.ArrayList;
import java.util.List;

/** A failure that is printed as one line {@code what failed: why}, with details and a hint if there are any. */
public final class CliException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    final int exitCode;
    transient List<String> details = List.of();
    String hint = "";

    private CliException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /** An action failed, or the answer is no. */
    public static CliException failure(String message) {
        return new CliException(ExitCode.FAILURE, message);
    }

    /** The home, its files or the password are unusable. */
    public static CliException configuration(String message) {
        return new CliException(ExitCode.CONFIGURATION, message);
    }

    /** The command line is wrong. */
    public static CliException usage(String message) {
        return new CliException(ExitCode.USAGE, message);
    }

    /** There is no connection to the broker. */
    public static CliException unreachable(String message) {
        return new CliException(ExitCode.BROKER, message);
    }

    /** Adds advice. */
    public CliException hint(String advice) {
        hint = advice;
        return this;
    }

    /** Adds one line for each part of the failure. */
    public CliException details(List<String> lines) {
        details = List.copyOf(lines);
        return this;
    }

    /** Returns all that it tells, in lines. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>(List.of(String.valueOf(getMessage())));
        lines.addAll(details);
        if (!hint.isEmpty()) {
            lines.add(hint);
        }
        return lines;
    }

    /** Whether there is no connection to the broker. */
    public boolean isUnreachable() {
        return exitCode == ExitCode.BROKER;
    }

    /** Adds the cause, which {@code --debug} shows. */
    public CliException causedBy(Throwable cause) {
        initCause(cause);
        return this;
    }
}
