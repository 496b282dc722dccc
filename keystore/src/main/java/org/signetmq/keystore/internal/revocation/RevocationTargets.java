/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.crl.Issued;
import org.signetmq.keystore.trust.RevocationReport;
import org.signetmq.keystore.trust.RevocationSettings;

/**
 * The addresses that Signet asks, each with its last answer. Publishes all answers as one immutable value. Readers take
 * it without a lock. Thread-safe.
 */
final class RevocationTargets {
    private static final int MOST_SHOWN = 200;

    /** The least time between two versions that answers in a row cause, because a version empties caches. */
    private static final long PUBLISH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Clock clock;
    private final Map<RevocationTarget, RevocationFetch> targets = new LinkedHashMap<>(); // guarded by this
    private Set<Issued> pinned = Set.of(); // guarded by this
    private Instant pinsWanted = Instant.MIN; // guarded by this
    private Instant latest = Instant.MIN; // guarded by this
    private boolean unpublished; // guarded by this
    private boolean changed; // guarded by this
    private long published = System.nanoTime() - PUBLISH_NANOS; // guarded by this
    private volatile RevocationSettings settings = RevocationSettings.DEFAULT;
    private volatile KnownRevocations known = KnownRevocations.NONE;

    /** Says what became of an answer. */
    enum Taken {
        /** The address was removed meanwhile, so its answer is of no use. */
        FORGOTTEN,
        /** The answer is stored. */
        STORED,
        /** The answer is stored, and ends a problem of its address. */
        MENDED
    }

    RevocationTargets(Clock clock) {
        this.clock = clock;
    }

    RevocationSettings settings() {
        return settings;
    }

    /** Returns the time. If the clock went back, nothing waits for a time that it showed before. */
    private Instant now() {
        Instant now = clock.instant();
        if (now.plus(FetchLimits.LEAST_WAIT).isBefore(latest)) {
            targets.values().forEach(fetch -> fetch.setBack(now));
            pinsWanted = Instant.MIN;
            latest = now;
        }
        latest = now.isAfter(latest) ? now : latest;
        return now;
    }

    /** Returns all that was published last. */
    KnownRevocations known() {
        return known;
    }

    /**
     * Takes changed settings. Removes the addresses that they no longer allow. Addresses with a problem are due at
     * once.
     */
    synchronized void use(RevocationSettings next) {
        settings = next;
        if (targets.keySet().removeIf(target -> !isAllowed(target))) {
            changed = true;
            publish();
        }
        Instant now = now();
        targets.values().forEach(fetch -> fetch.retry(now)); // the change may have mended it
    }

    private boolean isAllowed(RevocationTarget target) {
        return (target.isList() ? settings.crl() : settings.ocsp()) == RevocationSettings.Source.FETCH;
    }

    /** Adds the targets of a certificate. Returns those whose copies on disk were not read yet. */
    Map<RevocationTarget, RevocationFetch> want(Issued issued) {
        RevocationPoints points = RevocationPoints.of(issued.certificate()); // parses, so it needs no lock
        return want(issued, points);
    }

    private synchronized Map<RevocationTarget, RevocationFetch> want(Issued issued, RevocationPoints points) {
        List<URI> lists = settings.crl() == RevocationSettings.Source.FETCH ? points.lists() : List.of();
        List<URI> responders = settings.ocsp() == RevocationSettings.Source.FETCH ? points.responders() : List.of();
        Map<RevocationTarget, RevocationFetch> unread = new LinkedHashMap<>();
        for (List<RevocationTarget> kind : List.of(
                lists.stream().map(each -> RevocationTarget.list(each, issued)).toList(),
                responders.stream()
                        .map(each -> RevocationTarget.answer(each, issued))
                        .toList())) {
            for (RevocationTarget target : kind) {
                RevocationFetch fetch = wantNext(target, issued);
                if (fetch != null && !fetch.isRead()) {
                    unread.put(target, fetch);
                }
                if (fetch == null || !fetch.hasFailed()) {
                    break;
                }
            }
        }
        return unread;
    }

    /** Adds a target; returns null if there is no room. */
    private @Nullable RevocationFetch wantNext(RevocationTarget target, Issued issued) {
        Instant now = now();
        RevocationFetch before = targets.get(target);
        if (before != null) {
            before.want(now);
            return before;
        }
        if (targets.size() >= FetchLimits.TARGETS && !removeOldest(now)) {
            return null;
        }
        RevocationFetch fetch = new RevocationFetch(issued, now);
        targets.put(target, fetch);
        return fetch;
    }

    /** Removes the target that no message has needed for the longest time. */
    private boolean removeOldest(Instant now) {
        Optional<RevocationTarget> oldest = targets.entrySet().stream()
                .filter(entry -> !entry.getValue().wanted().equals(now))
                .filter(entry -> !pinned.contains(entry.getValue().issued()))
                .min(Comparator.comparing(entry -> entry.getValue().wanted()))
                .map(Map.Entry::getKey);
        oldest.ifPresent(targets::remove);
        return oldest.isPresent();
    }

    /** Sets the certificates of the home, whose targets stay. */
    synchronized void pin(Collection<Issued> certificates) {
        pinned = Set.copyOf(certificates);
        pinsWanted = Instant.MIN;
    }

    /**
     * Adds the targets of the home's certificates, at most once a minute. Then removes unused targets, so that a clock
     * that jumps ahead removes no answer about these certificates. Returns those whose copies on disk were not read
     * yet.
     */
    synchronized Map<RevocationTarget, RevocationFetch> wantPins() {
        Instant now = now();
        Map<RevocationTarget, RevocationFetch> unread = new LinkedHashMap<>();
        if (!now.minus(FetchLimits.LEAST_WAIT).isBefore(pinsWanted)) {
            pinsWanted = now;
            pinned.forEach(issued -> unread.putAll(want(issued)));
        }
        if (targets.values().removeIf(fetch -> fetch.isUnused(now))) {
            changed = true;
            publish();
        }
        return unread;
    }

    /** Returns the targets that are due. What is known must not end because new addresses hang, so it is first. */
    synchronized List<Map.Entry<RevocationTarget, RevocationFetch>> due() {
        Instant now = now();
        return targets.entrySet().stream()
                .filter(entry -> !entry.getValue().due().isAfter(now))
                .sorted(Comparator.comparing((Map.Entry<RevocationTarget, RevocationFetch> entry) ->
                                entry.getValue().until().isEmpty())
                        .thenComparing(entry -> entry.getValue().hasFailed())
                        .thenComparing(entry -> entry.getValue().due()))
                .map(entry -> Map.entry(entry.getKey(), entry.getValue()))
                .toList();
    }

    /**
     * Stores an answer from the network or its copy on disk. The caller publishes it.
     *
     * @throws KeystoreUnusableException if it must not be used
     */
    synchronized Taken take(RevocationTarget target, RevocationFetch fetch, FetchedContent found) {
        if (targets.get(target) != fetch) {
            return Taken.FORGOTTEN; // the settings changed meanwhile
        }
        requireRoom(fetch, found);
        Instant now = now();
        boolean hadProblem = fetch.problem() != null;
        boolean changes = fetch.take(found, now);
        changed |= changes;
        unpublished |= changes || found.status() != null; // an answer counts until its new end
        fetch.succeeded(now);
        return hadProblem && fetch.problem() == null ? Taken.MENDED : Taken.STORED;
    }

    private void requireRoom(RevocationFetch fetch, FetchedContent found) {
        long others = targets.values().stream()
                .filter(each -> each != fetch)
                .mapToLong(RevocationFetch::length)
                .sum();
        if (found.length() > 0 && others + found.length() > FetchLimits.ALL_LIST_BYTES) {
            throw new KeystoreUnusableException(
                    "no room: all lists together may have " + FetchLimits.ALL_LIST_BYTES + " bytes");
        }
    }

    /** Notes that a target was of no use. Returns whether the reason is a new one. */
    synchronized boolean fail(RevocationFetch fetch, String reason) {
        boolean fresh = !reason.equals(fetch.problem());
        fetch.failed(reason, now());
        return fresh;
    }

    /** Publishes new answers, if there are any. */
    synchronized void publishNow() {
        if (unpublished) {
            publish();
        }
    }

    /** Publishes new answers, if the last version is old enough. */
    synchronized void publishSoon() {
        if (System.nanoTime() - published >= PUBLISH_NANOS) {
            publishNow();
        }
    }

    /** Publishes all that is known. Without a change of an answer about a certificate, the version stays. */
    private void publish() {
        long version = known.version() + (changed ? 1 : 0);
        changed = false;
        unpublished = false;
        published = System.nanoTime();
        known = KnownRevocations.of(version, targets);
    }

    /** Returns the state of the addresses, those with a problem first. */
    synchronized List<RevocationReport.SourceState> states() {
        return targets.entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getValue().problem() == null))
                .limit(MOST_SHOWN)
                .map(entry -> new RevocationReport.SourceState(
                        entry.getKey().address().toASCIIString(),
                        entry.getValue().until().orElse(null),
                        entry.getValue().problem()))
                .toList();
    }
}
