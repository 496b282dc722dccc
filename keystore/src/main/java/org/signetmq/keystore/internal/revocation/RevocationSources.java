/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.revocation.RevocationSource.Key;
import org.signetmq.keystore.trust.RevocationReport;
import org.signetmq.keystore.trust.RevocationSettings;
import org.signetmq.keystore.trust.RevocationSettings.Source;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses that Signet asks, each with its last answer. Publishes all answers as one immutable value. Readers take
 * it without a lock. Thread-safe.
 */
final class RevocationSources {
    private static final Logger LOG = LoggerFactory.getLogger(RevocationSources.class);
    private static final int MOST_SHOWN = 200;

    /** The least time between two versions that answers in a row cause, because a version empties caches. */
    private static final long PUBLISH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Clock clock;
    private final RevocationCache copies;
    private final Map<Key, RevocationSource> sources = new LinkedHashMap<>(); // guarded by this
    private Set<Issued> pinned = Set.of(); // guarded by this
    private Instant pinsWanted = Instant.MIN; // guarded by this
    private Instant latest = Instant.MIN; // guarded by this
    private boolean unpublished; // guarded by this
    private boolean changed; // guarded by this
    private long published = System.nanoTime() - PUBLISH_NANOS; // guarded by this
    private volatile RevocationSettings settings = RevocationSettings.DEFAULT;
    private volatile Known known = new Known(0, new RevocationLists(List.of(), List.of(), List.of()), Map.of());

    /**
     * All that was fetched, at one time. Immutable.
     *
     * @param version grows with each change that can change an answer about a certificate
     * @param lists the fetched lists, each signed by the issuer that was expected
     * @param answers the states in fetched OCSP answers, each signed by a rightful responder
     */
    record Known(long version, RevocationLists lists, Map<Issued.Id, List<OcspStatus>> answers) {
        Known {
            answers = Map.copyOf(answers);
        }
    }

    RevocationSources(RevocationCache copies, Clock clock) {
        this.copies = copies;
        this.clock = clock;
    }

    RevocationSettings settings() {
        return settings;
    }

    /** Returns all that was published last. */
    Known known() {
        return known;
    }

    /** Returns the time. If the clock went back, nothing waits for a time that it showed before. */
    private Instant now() {
        Instant now = clock.instant();
        if (now.plus(FetchLimits.LEAST_WAIT).isBefore(latest)) {
            sources.values().forEach(source -> source.setBack(now));
            pinsWanted = Instant.MIN;
            latest = now;
        }
        latest = now.isAfter(latest) ? now : latest;
        return now;
    }

    /**
     * Takes changed settings. Removes the addresses that they no longer allow. Addresses with a problem are due at
     * once.
     */
    synchronized void use(RevocationSettings next) {
        settings = next;
        if (sources.values().removeIf(source -> (source.isList() ? next.crl() : next.ocsp()) != Source.FETCH)) {
            changed = true;
            publish();
        }
        Instant now = now();
        sources.values().forEach(source -> source.retry(now)); // the change may have mended it
    }

    /** Adds the sources of a certificate. Returns those whose copies on disk were not read yet. */
    List<RevocationSource> want(Issued issued) {
        RevocationPoints points = RevocationPoints.of(issued.certificate()); // parses, so it needs no lock
        Issued.Id id = issued.id();
        List<Key> lists = points.lists().stream()
                .map(address -> new Key(address, id.issuer(), null))
                .toList();
        List<Key> responders = points.responders().stream()
                .map(address -> new Key(address, id.issuer(), id.serialNumber()))
                .toList();
        List<RevocationSource> unread = new ArrayList<>();
        synchronized (this) {
            if (settings.crl() == Source.FETCH) {
                wantFirst(lists, issued, unread);
            }
            if (settings.ocsp() == Source.FETCH) {
                wantFirst(responders, issued, unread);
            }
        }
        return unread;
    }

    /** Adds the first source, and after each that failed the next one. */
    private void wantFirst(List<Key> keys, Issued issued, List<RevocationSource> unread) {
        for (Key key : keys) {
            RevocationSource source = wanted(key, issued);
            if (source != null && !source.isSettled()) {
                unread.add(source);
            }
            if (source == null || !source.hasFailed()) {
                return;
            }
        }
    }

    /** Returns a source of this key; null if there is no room for a new one. */
    private @Nullable RevocationSource wanted(Key key, Issued issued) {
        Instant now = now();
        RevocationSource source = sources.get(key);
        if (source == null && (sources.size() < FetchLimits.TARGETS || removeOldest(now))) {
            source = new RevocationSource(key, issued, now);
            sources.put(key, source);
        }
        if (source != null) {
            source.want(now);
        }
        return source;
    }

    /** Removes the source that no message has needed for the longest time. */
    private boolean removeOldest(Instant now) {
        Optional<RevocationSource> oldest = sources.values().stream()
                .filter(source -> !source.wanted().equals(now) && !pinned.contains(source.issued()))
                .min(Comparator.comparing(RevocationSource::wanted));
        oldest.ifPresent(source -> sources.remove(source.key()));
        return oldest.isPresent();
    }

    /** Sets the certificates of the home, whose sources stay. */
    synchronized void pin(Collection<Issued> certificates) {
        pinned = Set.copyOf(certificates);
        pinsWanted = Instant.MIN;
    }

    /**
     * Adds the sources of the home's certificates, at most once a minute. Then removes unused sources, so that a clock
     * that jumps ahead removes no answer about these certificates. Returns those whose copies on disk were not read
     * yet.
     */
    synchronized List<RevocationSource> wantPins() {
        Instant now = now();
        List<RevocationSource> unread = new ArrayList<>();
        if (!now.minus(FetchLimits.LEAST_WAIT).isBefore(pinsWanted)) {
            pinsWanted = now;
            pinned.forEach(issued -> unread.addAll(want(issued)));
        }
        if (sources.values().removeIf(source -> source.isUnused(now))) {
            changed = true;
            publish();
        }
        return unread;
    }

    /**
     * Reads the copies on disk that no other thread has read, waits for those that another one reads, and publishes
     * them together, because publishing one by one costs much at the start of a large home.
     */
    void readCopies(Collection<RevocationSource> unread) {
        try {
            unread.forEach(source -> source.readOnce(() -> readCopy(source)));
        } finally {
            publish(true);
        }
        unread.forEach(RevocationSource::settle);
    }

    private void readCopy(RevocationSource source) {
        copies.read(source.fileName(), source.mostBytes()).ifPresent(copy -> {
            try {
                var unused = take(source, source.verified(copy, clock.instant(), null));
            } catch (KeystoreUnusableException unusable) { // it is fetched now
                LOG.debug(
                        "{}: the copy on disk is not used: {}",
                        source.address().toASCIIString(),
                        unusable.getMessage());
            }
        });
    }

    /** Returns the sources that are due. What is known must not end because new addresses hang, so it is first. */
    synchronized List<RevocationSource> due() {
        Instant now = now();
        return sources.values().stream()
                .filter(source -> !source.due().isAfter(now))
                .sorted(Comparator.<RevocationSource, Boolean>comparing(
                                source -> source.until().isEmpty())
                        .thenComparing(RevocationSource::hasFailed)
                        .thenComparing(RevocationSource::due))
                .toList();
    }

    /**
     * Stores a verified answer. The caller publishes it.
     *
     * @return false if the settings changed meanwhile, so that the address is asked no longer
     * @throws KeystoreUnusableException if it must not be used
     */
    synchronized boolean take(RevocationSource source, RevocationSource.Content found) {
        if (sources.get(source.key()) != source) {
            return false;
        }
        RevocationList list = found.list();
        if (list != null) {
            long others = sources.values().stream()
                    .filter(each -> each != source)
                    .mapToLong(RevocationSource::length)
                    .sum();
            if (others + list.length() > FetchLimits.ALL_LIST_BYTES) {
                throw new KeystoreUnusableException(
                        "no room: all lists together may have " + FetchLimits.ALL_LIST_BYTES + " bytes");
            }
        }
        boolean changes = source.take(found, now());
        changed |= changes;
        unpublished |= changes || found.status() != null; // an answer counts until its new end
        return true;
    }

    /** Notes that a source was of no use. Returns whether the reason is a new one. */
    synchronized boolean fail(RevocationSource source, String reason) {
        boolean fresh = !reason.equals(source.problem());
        source.failed(reason, now());
        return fresh;
    }

    /** Publishes new answers, if there are any, at once or if the last version is old enough. */
    synchronized void publish(boolean atOnce) {
        if (unpublished && (atOnce || System.nanoTime() - published >= PUBLISH_NANOS)) {
            publish();
        }
    }

    /** Publishes all that is known. Without a change of an answer about a certificate, the version stays. */
    private void publish() {
        Set<X509Certificate> issuers = new HashSet<>();
        List<RevocationList> lists = new ArrayList<>();
        Map<Issued.Id, List<OcspStatus>> answers = new HashMap<>();
        for (RevocationSource source : sources.values()) {
            issuers.add(source.issued().issuer());
            if (source.list() != null) {
                lists.add(source.list());
            }
            if (source.answer() != null) {
                answers.computeIfAbsent(source.id(), any -> new ArrayList<>()).add(source.answer());
            }
        }
        known = new Known(known.version() + (changed ? 1 : 0), new RevocationLists(lists, List.of(), issuers), answers);
        changed = false;
        unpublished = false;
        published = System.nanoTime();
    }

    /** Returns the state of the addresses, those with a problem first. */
    synchronized List<RevocationReport.SourceState> states() {
        return sources.values().stream()
                .sorted(Comparator.comparing(source -> source.problem() == null))
                .limit(MOST_SHOWN)
                .map(source -> new RevocationReport.SourceState(
                        source.address().toASCIIString(), source.until().orElse(null), source.problem()))
                .toList();
    }
}
