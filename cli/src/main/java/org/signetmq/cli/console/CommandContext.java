/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.signetmq.keystore.Home;
import org.signetmq.keystore.PermissionCheck;

/** One run of a command: its shell and the options that all commands share. */
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

    /** The same folder, for commands that read what must be there. */
    public Home existingHome() {
        Home home = uncheckedHome();
        if (!Files.isDirectory(home.root())) {
            throw CliException.configuration("home " + home.root() + ": no such folder")
                    .hint("--home DIR or SIGNET_HOME names it; signet identity create makes one");
        }
        return home();
    }

    /** The same folder, for commands that tell what is wrong with it. */
    public Home uncheckedHome() {
        String fromEnvironment = shell.environment().getOrDefault("SIGNET_HOME", "");
        Path home = options.home != null
                ? options.home
                : Path.of(fromEnvironment.isEmpty() ? "signet-home" : fromEnvironment);
        return new Home(resolve(home));
    }

    /** A path as the person who typed it means it. */
    public Path resolve(Path path) {
        return shell.directory().resolve(path);
    }

    /** Where results go. */
    public PrintStream out() {
        return shell.streams().out();
    }

    /** Says something that is not the result, unless told to be quiet. */
    public void say(String text) {
        if (!options.quiet) {
            shell.streams().err().println("signet: " + text);
        }
    }

    /** Says something that should not be overlooked. */
    public void warn(String text) {
        shell.streams().err().println("signet: warning: " + text);
    }
}
