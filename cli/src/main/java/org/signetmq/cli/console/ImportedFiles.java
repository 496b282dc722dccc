/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.PasswordOptions.PasswordSource;
import org.signetmq.keystore.enrolment.ImportFile;
import org.signetmq.keystore.enrolment.KeyMaterial;
import org.signetmq.keystore.home.Password;
import picocli.CommandLine.Option;

/** Reads files of keys and certificates that other software wrote. */
public final class ImportedFiles {
    private static final int MOST_FILES = 16;

    private ImportedFiles() {}

    /**
     * Reads files of certificates. One of them may be standard input, and each a pipe.
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
            Path path = context.resolve(file);
            if (file.equals(InputOption.STANDARD)) {
                read.add(piped("standard input", context.shell().streams().in(), maxBytes));
            } else if (InputOption.isPipe(path)) { // only this process gets its bytes, so no mode is looked at
                try (InputStream in = Files.newInputStream(path)) {
                    read.add(piped(path.toString(), in, maxBytes));
                }
            } else if (Files.isDirectory(path)) {
                throw CliException.failure(path + ": a folder, not a file");
            } else {
                read.add(reading.apply(path));
            }
        }
        return read;
    }

    private static ImportFile piped(String name, InputStream in, int maxBytes) throws IOException {
        byte[] bytes = in.readNBytes(maxBytes + 1);
        if (bytes.length > maxBytes) {
            throw CliException.failure(name + ": larger than " + maxBytes + " bytes");
        }
        return ImportFile.of(name, bytes);
    }

    /** The sources of the password of a file that is imported. It never comes from an option's value. */
    public static final class SourcePasswordOptions {
        private static final String VARIABLE = "SIGNET_SOURCE_PASSWORD";
        private static final String OPTION = "--source-password-file";

        @Option(
                names = OPTION,
                paramLabel = "FILE",
                description =
                        "The first line is the password of the imported file; else $SIGNET_SOURCE_PASSWORD, else a "
                                + "prompt.")
        private @Nullable Path file;

        /** Returns the password of the file of this name. */
        public Password existing(CommandContext context, String source) {
            return new PasswordSource(file, VARIABLE, OPTION).existing(context, "Password of " + source + ": ");
        }

        /**
         * Returns files to take certificates from: a key store that has no private key becomes a file of its
         * certificates. Asks for a password only if one of them hides its certificates.
         */
        public List<ImportFile> certificates(CommandContext context, List<ImportFile> files) {
            Optional<ImportFile> hidden =
                    files.stream().filter(ImportFile::hidesCertificates).findFirst();
            try (Password password =
                    hidden.isEmpty() ? null : existing(context, hidden.get().source())) {
                return files.stream()
                        .map(read -> KeyMaterial.certificatesAlone(read, password))
                        .toList();
            }
        }
    }
}
