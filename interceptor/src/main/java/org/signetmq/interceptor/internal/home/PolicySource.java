/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicyFile;
import org.signetmq.policy.PolicySet;

/** The policies of a file, the last good ones. Not thread-safe. */
final class PolicySource {

    private final Path file;
    private final PartyValidator parties;
    private final BrokerNaming naming;
    private @Nullable PolicySet good;
    private @Nullable String goodText;
    private @Nullable String problem;

    PolicySource(Path file, PartyValidator parties, BrokerNaming naming) {
        this.file = file;
        this.parties = parties;
        this.naming = naming;
    }

    /**
     * Looks at the file. Compares the whole text, so it sees an edit within the clock's grain. An unchanged text keeps
     * its set, whose instances are the keys of the data keys in use. Tries a rejected text again each time, because a
     * missing certificate may have come.
     *
     * @throws IOException if it cannot be read and never could
     * @throws InvalidPolicyException if it cannot work and no policies came before it
     */
    void look() throws IOException {
        try {
            String text = read();
            if (!text.equals(goodText)) {
                good = naming.required(PolicyFile.parse(text, parties));
                goodText = text;
            }
            problem = null;
        } catch (IOException | InvalidPolicyException e) {
            if (good == null) {
                throw e;
            }
            String reason = ConfigurationWatcher.reason(e);
            if (!reason.equals(problem)) {
                PluginLog.LOG.error(
                        "policies of {} not taken, version {} stays in force: {}", file, good.version(), reason);
            }
            problem = reason;
        }
    }

    /** The policies in force. */
    PolicySet current() {
        if (good == null) {
            throw new IllegalStateException("policies: not loaded");
        }
        return good;
    }

    /** Why the file as it is now was not taken, if so. */
    Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    private String read() throws IOException {
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new IOException(file + ": does not exist", e);
        } catch (IOException e) {
            throw new IOException(file + ": cannot be read: " + e.getClass().getSimpleName(), e);
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IOException(file + ": not UTF-8 text", e);
        }
    }
}
