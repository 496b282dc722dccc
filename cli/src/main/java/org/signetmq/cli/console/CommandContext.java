/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.PermissionCheck;

/** The surroundings of one run of a command: its shell and the options that all commands share. */
public final class CommandContext {
    private final Shell shell;
    private final GlobalOptions options = new GlobalOptions();
    private boolean homeIsChecked;

    public CommandContext(Shell shell) {
        this.shell = shell;
    }

    public Shell shell() {
        return shell;
    }

    public GlobalOptions options() {
        return options;
    }

    /**
     * The folder that the options or the environment name; need not exist.
     *
     * @throws org.signetmq.keystore.KeystoreUnusableException if other users may change it or read its secrets
     */
    public Home home() {
        Home home = uncheckedHome();
        if (!homeIsChecked) {
            PermissionCheck.forOwnerOf(home.root()).home(home).requireNoFinding();
            homeIsChecked = true;
        }
        return home;
    }

    /** Returns the home, for commands that need one that exists. */
    public Home existingHome() {
        Home home = uncheckedHome();
        if (!Files.isDirectory(home.root())) {
            throw CliException.configuration("home " + home.root() + ": no such folder")
                    .hint("--home DIR or SIGNET_HOME names it; signet identity create makes one");
        }
        return home();
    }

    /** Returns the home without a check, for commands that show its problems. */
    public Home uncheckedHome() {
        String fromEnvironment = environment("SIGNET_HOME");
        Path home = options.home != null
                ? options.home
                : Path.of(fromEnvironment.isEmpty() ? "signet-home" : fromEnvironment);
        return new Home(resolve(home));
    }

    /** Returns a variable of the environment; empty if it is not set. */
    public String environment(String name) {
        return shell.environment().getOrDefault(name, "");
    }

    /** Returns a path, which may be relative to the folder of the shell. */
    public Path resolve(Path path) {
        return shell.directory().resolve(path);
    }

    /** Returns the stream for results. */
    public PrintStream out() {
        return shell.streams().out();
    }

    /** Prints a line of the result. */
    public void print(String line) {
        out().println(line);
    }

    /** Prints a message that is not a result, unless {@code --quiet} is given. */
    public void say(String text) {
        if (!options.quiet) {
            shell.streams().err().println("signet: " + text);
        }
    }

    /** Prints a warning. */
    public void warn(String text) {
        shell.streams().err().println("signet: warning: " + text);
    }
}
