/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.signetmq.cli.command.policy.access.PolicyStore;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;

/**
 * A document with policies that a command is given.
 *
 * @param file its name; - is standard input
 */
record PolicyDocument(Path file) {
    private static final Path STANDARD = Path.of("-");
    private static final int MOST_BYTES = PolicyFile.LONGEST;

    /** Returns the policies. Certificates judge the names in them later. */
    PolicySet read(CommandContext context) throws IOException {
        try {
            return PolicyFile.parse(text(context), PartyValidator.acceptAll());
        } catch (InvalidPolicyException e) {
            throw CliException.failure(file + ": cannot be used, nothing was changed")
                    .details(PolicyStore.problems(e))
                    .causedBy(e);
        }
    }

    /** Returns the text of the file, which is UTF-8. */
    String text(CommandContext context) throws IOException {
        byte[] bytes;
        if (file.equals(STANDARD)) {
            bytes = context.shell().streams().in().readNBytes(MOST_BYTES + 1);
        } else {
            try (InputStream in = Files.newInputStream(context.resolve(file))) {
                bytes = in.readNBytes(MOST_BYTES + 1);
            }
        }
        if (bytes.length > MOST_BYTES) {
            throw CliException.failure(file + ": longer than " + MOST_BYTES + " bytes");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw CliException.failure(file + ": not UTF-8, as policy files are")
                    .causedBy(e);
        }
    }
}
