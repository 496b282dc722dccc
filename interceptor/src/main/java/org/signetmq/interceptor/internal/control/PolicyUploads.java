/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.control;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Collects policy documents that administrators send in parts, because a large management message is rejected. A new
 * upload may end the oldest one, and an upload without a call for ten minutes ends. Thread-safe.
 */
public final class PolicyUploads {
    /** The greatest number of uploads at one time. Each change by a command is one. */
    static final int MOST = 64;

    /** The greatest length of all uploads together, in characters; a policy document has at most 48 Mi. */
    static final int LONGEST = 64 << 20;

    /** The longest time between two calls for an upload. */
    static final Duration IDLE = Duration.ofMinutes(10);

    private static final Executor LATER = CompletableFuture.delayedExecutor(IDLE.toSeconds(), TimeUnit.SECONDS);

    private final InstantSource clock;
    private final Map<String, Upload> uploads = new LinkedHashMap<>(); // guarded by this
    private long length;

    /**
     * A document, as far as it has arrived.
     *
     * @param user the administrator; null if the broker checks no users
     * @param version the version that the administrator saw
     * @param used the time of the last call for it
     */
    public record Upload(@Nullable String user, long version, StringBuilder text, Instant used) {}

    public PolicyUploads(InstantSource clock) {
        this.clock = clock;
    }

    /** Begins an upload and returns its identifier. */
    public synchronized String begin(@Nullable String user, long version) {
        endIdle();
        if (uploads.size() >= MOST) {
            boolean unused = endOldestBut("");
        }
        String id = UUID.randomUUID().toString();
        if (uploads.isEmpty()) {
            LATER.execute(this::endIdleUntilAllEnded);
        }
        uploads.put(id, new Upload(user, version, new StringBuilder(), clock.instant()));
        return id;
    }

    /**
     * Adds a part and returns the length so far.
     *
     * @param offset the length before this part, in characters
     * @throws IllegalArgumentException if the upload is unknown, or the part does not follow the last one
     */
    public synchronized int add(String id, @Nullable String user, int offset, String part) {
        Upload upload = required(id, user);
        if (part.length() > ControlAnswers.LONGEST_PART) {
            throw new IllegalArgumentException("a part of " + part.length() + " characters; at most "
                    + ControlAnswers.LONGEST_PART + " are possible");
        }
        if (offset != upload.text().length()) {
            throw new IllegalArgumentException("a part for offset " + offset + ", but "
                    + upload.text().length() + " characters have arrived; begin again");
        }
        while (length + part.length() > LONGEST && uploads.size() > 1 && endOldestBut(id)) {
            // another one ends
        }
        if (length + part.length() > LONGEST) {
            throw new IllegalArgumentException("longer than " + LONGEST + " characters; name fewer policies");
        }
        upload.text().append(part);
        length += part.length();
        return upload.text().length();
    }

    /**
     * Returns an upload, which stays.
     *
     * @throws IllegalArgumentException if the upload is unknown
     */
    public synchronized Upload required(String id, @Nullable String user) {
        endIdle();
        Upload held = uploads.get(id);
        if (held == null || !Objects.equals(held.user(), user)) {
            throw new IllegalArgumentException(
                    "no such upload; later ones or an idle time may have ended it; begin again");
        }
        uploads.put(id, new Upload(user, held.version(), held.text(), clock.instant()));
        return held;
    }

    /** Ends an upload. */
    public synchronized void end(String id) {
        Upload held = uploads.remove(id);
        if (held != null) {
            length -= held.text().length();
        }
    }

    /** Ends idle uploads now and later, so that none keeps its memory without a further call. */
    private synchronized void endIdleUntilAllEnded() {
        endIdle();
        if (!uploads.isEmpty()) {
            LATER.execute(this::endIdleUntilAllEnded);
        }
    }

    private void endIdle() {
        Instant limit = clock.instant().minus(IDLE);
        uploads.entrySet().stream()
                .filter(entry -> entry.getValue().used().isBefore(limit))
                .map(Map.Entry::getKey)
                .toList()
                .forEach(this::end);
    }

    private boolean endOldestBut(String id) {
        Optional<String> oldest =
                uploads.keySet().stream().filter(each -> !each.equals(id)).findFirst();
        oldest.ifPresent(this::end);
        return oldest.isPresent();
    }
}
