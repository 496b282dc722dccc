/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Shell;

/**
 * Runs the commonest commands once, in an empty folder. The launcher has Java note which classes they load and write
 * these into an archive, from which every later command starts faster.
 */
final class Rehearsal {
    private static final List<String> COMMANDS = List.of(
            "identity create a --dn CN=a",
            "policy set a --quality privacy --recipient a",
            "policy list",
            "message seal --address a --as a --in message --out sealed",
            "message open --address a --as a --in sealed --out opened",
            "message inspect --in sealed",
            "identity list");

    private Rehearsal() {}

    /** Runs the commands in the folder that the first argument names. The launcher deletes it. */
    public static void main(String[] arguments) throws IOException {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "off");
        Path folder = Path.of(arguments[0]);
        Files.write(folder.resolve("message"), new byte[3 << 20]); // three segments
        OutputStream nowhere = OutputStream.nullOutputStream();
        Shell.Streams streams =
                new Shell.Streams(InputStream.nullInputStream(), nowhere, new PrintStream(nowhere), null);
        Shell shell = new Shell(streams, Map.of("SIGNET_PASSWORD", "rehearsal"), folder, Clock.systemUTC());
        for (String command : COMMANDS) {
            int exitCode = Main.run(shell, command.split(" "));
            if (exitCode != ExitCode.OK) {
                throw new IllegalStateException("rehearsal: exit code " + exitCode + " of " + command);
            }
        }
    }
}
