/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.file;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.PasswordSource;
import org.signetmq.keystore.enrolment.ImportFile;
import org.signetmq.keystore.enrolment.KeyMaterial;
import org.signetmq.keystore.home.Password;
import picocli.CommandLine.Option;

/** The sources of the password of a file that is imported. It never comes from an option's value. */
public final class SourcePasswordOptions {
    private static final String VARIABLE = "SIGNET_SOURCE_PASSWORD";
    private static final String OPTION = "--source-password-file";

    @Option(
            names = OPTION,
            paramLabel = "FILE",
            description = "The first line is the password of the imported file; else $SIGNET_SOURCE_PASSWORD, else a "
                    + "prompt.")
    private @Nullable Path file;

    /** Returns the password of the file of this name. */
    public Password existing(CommandContext context, String source) {
        return new PasswordSource(file, VARIABLE, OPTION).existing(context, "Password of " + source + ": ");
    }

    /**
     * Returns files to take certificates from: a key store that has no private key becomes a file of its certificates.
     * Asks for a password only if one of them hides its certificates.
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
