/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the bytes of a result go: all of them, or none. */
final class OutputOptions {
    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "What to write, with mode 0600; default standard output.")
    private @Nullable Path file;

    @Option(names = "--force", description = "Replace the file of --out if it is there.")
    private boolean force;

    /** Refuses what cannot end well, before any work is done. */
    void check(Session session) {
        if (file == null) {
            return;
        }
        Path output = session.resolve(file);
        if (Files.isDirectory(output)) {
            throw CliException.failure(output + ": a folder, not a file");
        }
        if (!force && Files.exists(output, LinkOption.NOFOLLOW_LINKS)) {
            throw CliException.failure(output + ": exists already").hint("--force replaces it");
        }
    }

    void write(Session session, byte[] bytes) throws IOException {
        if (file == null) {
            PrintStream out = session.out();
            out.write(bytes);
            out.flush();
        } else {
            check(session);
            AtomicFile.replace(session.resolve(file), bytes);
        }
    }
}
