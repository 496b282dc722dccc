/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.keystore.enrolment.ImportFile;

/** Reads files of keys and certificates that other software wrote. */
public final class ImportedFiles {
    private static final int MOST_FILES = 16;

    private ImportedFiles() {}

    /**
     * Reads files of certificates. One of them may be standard input.
     *
     * @param maxBytes the greatest length of each
     */
    public static List<ImportFile> read(CommandContext context, List<Path> files, int maxBytes) throws IOException {
        return read(context, files, maxBytes, path -> ImportFile.read(path, maxBytes));
    }

    /** Reads files of private keys and certificates, and rejects keys that other users may read. */
    public static List<ImportFile> readSecrets(CommandContext context, List<Path> files) throws IOException {
        return read(context, files, ImportFile.MAX_BYTES, ImportFile::readSecret);
    }

    private static List<ImportFile> read(
            CommandContext context, List<Path> files, int maxBytes, Function<Path, ImportFile> reading)
            throws IOException {
        if (files.size() > MOST_FILES) {
            throw CliException.usage("--in: more than " + MOST_FILES + " files");
        }
        List<ImportFile> read = new ArrayList<>();
        for (Path file : files) {
            if (file.equals(InputOption.STANDARD)) {
                byte[] bytes = context.shell().streams().in().readNBytes(maxBytes + 1);
                if (bytes.length > maxBytes) {
                    throw CliException.failure("standard input: larger than " + maxBytes + " bytes");
                }
                read.add(ImportFile.of("standard input", bytes));
            } else {
                Path path = context.resolve(file);
                if (Files.isDirectory(path)) {
                    throw CliException.failure(path + ": a folder, not a file");
                }
                read.add(reading.apply(path));
            }
        }
        return read;
    }
}
