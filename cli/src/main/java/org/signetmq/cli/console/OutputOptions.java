/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.signetmq.keystore.file.StagedFile;
import org.signetmq.keystore.file.WholeFile;
import picocli.CommandLine.Option;

/** The destination of the bytes of a result. A file gets all of them, or none. */
public final class OutputOptions {
    @Option(names = "--force", description = "Replace the file of --out if it is there.")
    private boolean force;

    @Option(
            names = {"--out", "--output"},
            paramLabel = "FILE",
            description = "What to write, with mode 0600; default -, standard output.")
    private Path file = InputOption.STANDARD;

    /** Writes a result. */
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /** Whether a destination other than standard output is named. */
    public boolean isGiven() {
        return !file.equals(InputOption.STANDARD);
    }

    /** Rejects a destination that cannot be written, before any work is done. */
    public void check(CommandContext context) {
        Path output = context.resolve(file);
        if (file.equals(InputOption.STANDARD) || isOwnStream(output)) {
            return;
        }
        Path folder = output.toAbsolutePath().resolveSibling("");
        if (!Files.isDirectory(folder)) {
            throw CliException.failure(output + ": its folder does not exist");
        }
        context.requireOwn(folder, "..., or name a file in a folder of root");
        if (isPipeOrDevice(output)) {
            return;
        }
        if (Files.isSymbolicLink(output)) {
            throw CliException.failure(output + ": a link, which is not followed; name the file that it leads to");
        }
        if (Files.isDirectory(output)) {
            throw CliException.failure(output + ": a folder, not a file");
        }
        if (!force && Files.exists(output, LinkOption.NOFOLLOW_LINKS)) {
            throw CliException.failure(output + ": exists already").hint("--force replaces it");
        }
    }

    /** Whether a reader may see a part of the result before it is whole. */
    public boolean isStream(CommandContext context) {
        Path output = context.resolve(file);
        return file.equals(InputOption.STANDARD) || isOwnStream(output) || isPipeOrDevice(output);
    }

    /** Whether the path names a stream that the process has open already, as /dev/stdout does. */
    private static boolean isOwnStream(Path output) {
        return output.toString().matches("/dev/(stdout|stderr|fd/[^/]+)|/proc/self/fd/[^/]+");
    }

    /** Whether the path is a pipe or a device: no content is lost there, and a file in its place would be useless. */
    private static boolean isPipeOrDevice(Path output) {
        return Files.exists(output, LinkOption.NOFOLLOW_LINKS)
                && !Files.isSymbolicLink(output)
                && !Files.isRegularFile(output)
                && !Files.isDirectory(output);
    }

    /** Writes a file whole or not at all; pipes and devices receive the bytes as they come. */
    public void write(CommandContext context, Content content) throws IOException {
        check(context);
        Path output = context.resolve(file);
        if (file.equals(InputOption.STANDARD)) {
            content.writeTo(context.out());
        } else if (isStream(context)) {
            try (OutputStream out = new NamedOutput(openStream(output), output.toString())) {
                content.writeTo(out);
            }
        } else {
            replace(output, content);
        }
    }

    private static OutputStream openStream(Path output) throws IOException {
        if (isOwnStream(output)) {
            return Files.newOutputStream(output, StandardOpenOption.WRITE);
        }
        return new WholeFile(output).openPipe();
    }

    /** Writes a file for its owner alone, in place of one that may be there. If the content throws, nothing changes. */
    static void replace(Path file, Content content) throws IOException {
        try (CleanUp cleanUp = new CleanUp()) { // large content takes long enough to be interrupted
            StagedFile draft = cleanUp.add(new WholeFile(file).draft());
            try (OutputStream out = new NamedOutput(Channels.newOutputStream(draft.open()), file.toString())) {
                content.writeTo(out);
            }
            draft.replace(WholeFile.PRIVATE);
        }
    }
}
