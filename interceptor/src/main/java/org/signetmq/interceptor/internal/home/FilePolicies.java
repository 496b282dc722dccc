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
import org.signetmq.interceptor.internal.audit.AuditLog;
import org.signetmq.interceptor.internal.audit.Author;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.store.ChangeOrigin;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicyFile;
import org.signetmq.policy.PolicySet;

/** Keeps the last valid policies of a file. Not thread-safe. */
final class FilePolicies implements PolicySource {
    private final Path file;
    private final PartyValidator parties;
    private final BrokerNaming naming;
    private final AuditLog audit;
    private @Nullable PolicySet good;
    private @Nullable String goodText;
    private @Nullable String problem;

    FilePolicies(Path file, PartyValidator parties, BrokerNaming naming, AuditLog audit) {
        this.file = file;
        this.parties = parties;
        this.naming = naming;
        this.audit = audit;
    }

    /**
     * Reads the file again. It compares the whole text, because two edits may have the same time. An unchanged text
     * keeps its policy objects, which are the keys of the data keys in use. An invalid text is tried again each time,
     * because a missing certificate may have arrived.
     *
     * @throws IOException if the file cannot be read and no policies were read before
     * @throws InvalidPolicyException if the policies are invalid and no policies were read before
     */
    @Override
    public void look() throws IOException {
        try {
            String text = read();
            if (!text.equals(goodText)) {
                PolicySet read = naming.required(PolicyFile.parse(text, parties));
                PolicySet before = good;
                good = read;
                goodText = text;
                if (before != null) {
                    audit.policiesChanged(before, read, Author.FILE);
                }
            }
            problem = null;
        } catch (IOException | InvalidPolicyException e) {
            if (good == null) {
                throw e;
            }
            String reason = ConfigurationWatcher.reason(e);
            if (!reason.equals(problem)) {
                PluginLog.LOG.error(
                        "policy file {} cannot be used, version {} stays in force: {}", file, good.version(), reason);
            }
            problem = reason;
        }
    }

    @Override
    public boolean isLoaded() {
        return good != null;
    }

    @Override
    public PolicySet current() {
        if (good == null) {
            throw new IllegalStateException("policies: not loaded");
        }
        return good;
    }

    @Override
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    /** Returns empty: a file does not say by whom it was changed. */
    @Override
    public Optional<ChangeOrigin> origin() {
        return Optional.empty();
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
