/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The environment of a command; the command uses no other part of its process. Paths are relative to the directory. */
public record Shell(Streams streams, Map<String, String> environment, Path directory, Clock clock) {
    /** The input of a command, its results, its talk in UTF-8, and the terminal to ask at, or null if there is none. */
    public record Streams(
            InputStream in,
            OutputStream out,
            PrintStream err,
            @Nullable Terminal terminal) {}

    /** A user at a keyboard. */
    public interface Terminal {
        /** Asks without echo; null if the user ends the input. */
        char @Nullable [] askPassword(String prompt);
    }

    /** Returns the shell of this process. */
    public static Shell ofProcess() {
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        return new Shell(new Streams(System.in, out, err, terminal()), System.getenv(), Path.of(""), Clock.systemUTC());
    }

    @SuppressWarnings("SystemConsoleNull") // isTerminal is asked where it exists
    private static @Nullable Terminal terminal() {
        Console console = System.console();
        return console == null || !isTerminal(console) ? null : prompt -> console.readPassword("%s", prompt);
    }

    private static boolean isTerminal(Console console) {
        try {
            return Runtime.version().feature() < 22 // before Java 22 every console is a terminal
                    || Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }
}
