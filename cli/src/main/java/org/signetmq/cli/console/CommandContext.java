/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.PermissionCheck;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The surroundings of one run of a command: its shell and the options that all commands share. */
public final class CommandContext {
    public static final String HOME = "--home";
    public static final String NO_COLOR = "--no-color";
    public static final String DEBUG = "--debug";

    /** The names of the options that all commands share. Only that of the home takes a value. */
    public static final Set<String> OPTIONS = Set.of(HOME, "-q", "--quiet", NO_COLOR, DEBUG);

    private final Shell shell;
    private final NamedOutput out;
    private final PrintWriter text;
    private boolean homeIsChecked;

    @Option(
            names = HOME,
            paramLabel = "DIR",
            scope = ScopeType.INHERIT,
            description =
                    "Folder of identities, recipients, trust and policies; default $SIGNET_HOME, else ./signet-home.")
    private @Nullable Path home;

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

    public CommandContext(Shell shell) {
        this.shell = shell;
        this.out = new NamedOutput(shell.streams().out(), "standard output");
        this.text = new PrintWriter(out, true, StandardCharsets.UTF_8);
    }

    public Shell shell() {
        return shell;
    }

    /** Returns the value of {@code --home}, if it is given. */
    public Optional<Path> homeOption() {
        return Optional.ofNullable(home);
    }

    /** Returns the home, which need not exist. It fails if other users may change it or read its secrets. */
    public Home home() {
        Home named = uncheckedHome();
        if (!homeIsChecked) {
            requireOwn(named);
            PermissionCheck.forThisUser().home(named).requireNoFinding();
            homeIsChecked = true;
        }
        return named;
    }

    /** Returns the home, for commands that need one that exists. */
    public Home existingHome() {
        Home named = uncheckedHome();
        if (!Files.isDirectory(named.root())) {
            throw CliException.configuration("home " + named.root() + ": no such folder")
                    .hint("--home DIR or SIGNET_HOME names it; signet identity create makes one");
        }
        return home();
    }

    /** Rejects a home of another user if this process is root: links of that user could lead root astray. */
    public void requireOwn(Home home) {
        Path root = home.root().toAbsolutePath();
        requireOwn(root, "--home " + root + " ...");
    }

    /**
     * Rejects a path of another user if this process is root.
     *
     * @param arguments of the same command when that user runs it
     */
    public void requireOwn(Path path, String arguments) {
        PermissionCheck.otherOwner(path).ifPresent(owner -> {
            throw CliException.configuration(
                            path + ": belongs to " + owner + ", and root works only in its own folders")
                    .hint("run: sudo -u " + owner + " signet " + arguments);
        });
    }

    /** Returns the home without a check, for commands that show its problems. */
    public Home uncheckedHome() {
        String fromEnvironment = environment("SIGNET_HOME");
        Path otherwise = Path.of(fromEnvironment.isEmpty() ? "signet-home" : fromEnvironment);
        return new Home(resolve(homeOption().orElse(otherwise)));
    }

    /** Returns a variable of the environment, or an empty text. */
    public String environment(String name) {
        return shell.environment().getOrDefault(name, "");
    }

    /** Returns a path, which may be relative to the folder of the shell. */
    public Path resolve(Path path) {
        return shell.directory().resolve(path);
    }

    /** Returns the stream for results in bytes. */
    public NamedOutput out() {
        return out;
    }

    /** Returns the writer for results as text, into the same stream. */
    public PrintWriter text() {
        return text;
    }

    /** Prints a line of the result. */
    public void print(String line) {
        text.println(line);
    }

    /** Prints a message that is not a result, unless {@code --quiet} is given. */
    public void say(String message) {
        if (!quiet) {
            shell.streams().err().println("signet: " + message);
        }
    }

    /** Prints a warning. */
    public void warn(String message) {
        shell.streams().err().println("signet: warning: " + message);
    }
}
