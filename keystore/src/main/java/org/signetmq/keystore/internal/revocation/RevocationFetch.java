/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.crl.Issued;
import org.signetmq.keystore.internal.crl.RevocationList;
import org.signetmq.keystore.internal.ocsp.OcspStatus;

/**
 * The last answer of a target, and the time of its next question. The lock of {@link RevocationTargets} guards it, but
 * not the reading of its copy on disk.
 */
final class RevocationFetch {
    private final Issued issued;
    private Instant wanted;
    private Instant waitsFrom;
    private Instant due;
    private int failures;
    private @Nullable String problem;
    private @Nullable RevocationList list;
    private @Nullable OcspStatus answer;
    private final AtomicBoolean reading = new AtomicBoolean();
    private final CompletableFuture<Boolean> read = new CompletableFuture<>();

    RevocationFetch(Issued issued, Instant now) {
        this.issued = issued;
        this.wanted = now;
        this.waitsFrom = now;
        this.due = now;
    }

    /** Tells whether its copy on disk was read and published. */
    boolean isRead() {
        return read.isDone();
    }

    /** Lets one thread read the copy. It calls {@link #endReading} after it has published the copy. */
    boolean beginReading() {
        return reading.compareAndSet(false, true);
    }

    void endReading() {
        boolean unused = read.complete(true);
    }

    /** Waits until the copy is read. */
    void awaitReading() {
        boolean unused = read.join();
    }

    Issued issued() {
        return issued;
    }

    void want(Instant now) {
        wanted = now;
    }

    /** Forgets times after this one, because the clock was ahead when they were noted. */
    void setBack(Instant now) {
        if (wanted.isAfter(now)) {
            wanted = now;
        }
        if (waitsFrom.isAfter(now)) {
            waitFrom(now, Duration.ZERO);
        }
    }

    boolean isUnused(Instant now) {
        return wanted.plus(FetchLimits.UNUSED).isBefore(now);
    }

    Instant wanted() {
        return wanted;
    }

    Instant due() {
        return due;
    }

    boolean hasFailed() {
        return failures > 0;
    }

    @Nullable
    String problem() {
        return problem;
    }

    @Nullable
    RevocationList list() {
        return list;
    }

    @Nullable
    OcspStatus answer() {
        return answer;
    }

    int length() {
        return list == null ? 0 : list.length();
    }

    /** Returns the end of the time for which the list or answer is right; empty if there is none. */
    Optional<Instant> until() {
        return list != null ? list.nextUpdate() : Optional.ofNullable(answer).map(OcspStatus::until);
    }

    /**
     * Stores an answer from the network or its copy on disk.
     *
     * @return whether it can change an answer about a certificate
     * @throws KeystoreUnusableException if what is known is newer
     */
    boolean take(FetchedContent found, Instant now) {
        return found.list() != null ? take(found.list()) : found.status() != null && take(found.status(), now);
    }

    private boolean take(RevocationList found) {
        RevocationList before = list;
        if (before != null && found.thisUpdate().isBefore(before.thisUpdate())) {
            throw new KeystoreUnusableException("an older list than the known one");
        }
        boolean changes = before == null || !found.hasBytesOf(before);
        if (changes) {
            list = found;
        }
        return changes;
    }

    private boolean take(OcspStatus found, Instant now) {
        OcspStatus before = answer;
        if (before != null && found.from().isBefore(before.from())) {
            throw new KeystoreUnusableException("an older OCSP answer than the known one");
        }
        answer = found;
        // a later end alone changes no answer that was kept, because none was kept for longer than the earlier end
        return before == null
                || found.until().isBefore(before.until())
                || before.known() != found.known()
                || !before.revoked().equals(found.revoked())
                || now.isAfter(before.until());
    }

    void succeeded(Instant now) {
        Optional<Instant> end = until();
        boolean past = end.isPresent() && !now.isBefore(end.get());
        if (past || end.isEmpty()) {
            failed(
                    past
                            ? "its answer is out of date since " + end.get()
                            : "a list without the time of its next update",
                    now);
            return;
        }
        failures = 0;
        problem = null;
        Duration half = Duration.between(now, end.get()).dividedBy(2);
        waitFrom(now, between(FetchLimits.LEAST_WAIT, half, FetchLimits.MOST_WAIT));
    }

    void failed(String reason, Instant now) {
        problem = reason;
        failures++;
        Duration wait = FetchLimits.LEAST_WAIT.multipliedBy(1L << Math.min(failures - 1, 10));
        waitFrom(now, between(FetchLimits.LEAST_WAIT, wait, FetchLimits.MOST_RETRY));
    }

    /** Lets the target be asked now, if it has a problem. */
    void retry(Instant now) {
        if (problem != null) {
            waitFrom(now, Duration.ZERO);
        }
    }

    private void waitFrom(Instant now, Duration time) {
        waitsFrom = now;
        due = now.plus(time);
    }

    private static Duration between(Duration least, Duration wanted, Duration most) {
        Duration atMost = wanted.compareTo(most) < 0 ? wanted : most;
        return atMost.compareTo(least) > 0 ? atMost : least;
    }
}
