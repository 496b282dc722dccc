/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Shell;

/**
 * Runs the commonest commands once, in an empty folder. The launcher has Java note which classes they load and write
 * these into an archive, from which every later command starts faster.
 */
final class Rehearsal {
    private static final byte[] MESSAGE = new byte[3 << 20]; // three segments

    private final Path folder;

    private Rehearsal(Path folder) {
        this.folder = folder;
    }

    /**
     * Runs them.
     *
     * @param arguments an empty folder, which the launcher deletes
     * @throws IllegalStateException if a command fails
     */
    public static void main(String[] arguments) throws IOException {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "off");
        new Rehearsal(Path.of(arguments[0])).run();
    }

    private void run() throws IOException {
        Files.write(folder.resolve("message"), MESSAGE);
        run("identity", "create", "a", "--dn", "CN=a");
        run("policy", "set", "a", "--quality", "privacy", "--recipient", "a");
        run("policy", "list");
        run("message", "seal", "--address", "a", "--as", "a", "--in", "message", "--out", "sealed");
        run("message", "open", "--address", "a", "--as", "a", "--in", "sealed", "--out", "opened");
        run("message", "inspect", "--in", "sealed");
        run("identity", "list");
    }

    private void run(String... command) {
        int exitCode = Main.run(shell(), command);
        if (exitCode != ExitCode.OK) {
            throw new IllegalStateException("rehearsal: exit code " + exitCode + " of " + String.join(" ", command));
        }
    }

    private Shell shell() {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        Shell.Streams streams = new Shell.Streams(new ByteArrayInputStream(new byte[0]), nowhere, nowhere, null);
        return new Shell(streams, Map.of("SIGNET_PASSWORD", "rehearsal"), folder, Clock.systemUTC());
    }
}
