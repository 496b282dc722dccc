/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.crl.Issued;
import org.signetmq.keystore.internal.crl.RevocationList;
import org.signetmq.keystore.internal.crl.RevocationLists;
import org.signetmq.keystore.internal.ocsp.OcspKey;
import org.signetmq.keystore.internal.ocsp.OcspQuestion;
import org.signetmq.keystore.internal.ocsp.OcspStatus;
import org.signetmq.keystore.trust.RevocationReport;
import org.signetmq.keystore.trust.RevocationSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches revocation lists and OCSP answers in a thread of its own, before the known ones end, and keeps them on disk.
 * No other thread waits for the network. The thread ends with {@link #close}, or when nothing refers to this object.
 * Thread-safe.
 */
public final class RevocationUpdater implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RevocationUpdater.class);
    private static final int MOST_SHOWN = 200;

    /** The least time between two versions that answers in a row cause, because a version empties caches. */
    private static final long PUBLISH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final RevocationCache cache;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();
    private final UnknownStates unknown;
    private final FetchThread thread;

    /** The lock of the start, which no message takes. It is taken before all others. */
    private final Object pinning = new Object();

    private final Map<RevocationTarget, RevocationFetch> targets = new LinkedHashMap<>(); // guarded by this
    private @Nullable Supplier<? extends Collection<Issued>> toPin; // guarded by this
    private Set<Issued> pinned = Set.of(); // guarded by this
    private volatile RevocationSettings settings = RevocationSettings.DEFAULT;
    private @Nullable HttpDownload download; // guarded by this
    private Instant pinsWanted = Instant.MIN; // guarded by this
    private boolean unpublished; // guarded by this
    private boolean changed; // guarded by this
    private long published = System.nanoTime() - PUBLISH_NANOS; // guarded by this
    private volatile KnownRevocations known = KnownRevocations.NONE;

    /** Says whether an updater has a thread. */
    public enum Mode {
        /** A thread fetches what is needed. */
        BACKGROUND,
        /** Nothing is fetched but by {@link #fetchDue}. The files on disk count. */
        BY_HAND
    }

    /**
     * Creates an updater that fetches nothing yet.
     *
     * @param folder the folder of the fetched files
     */
    public RevocationUpdater(Path folder, Clock clock, Mode mode) {
        this.cache = new RevocationCache(folder);
        this.clock = clock;
        this.unknown = new UnknownStates(clock);
        this.thread = new FetchThread(this, mode);
    }

    /** Takes changed settings. What they no longer allow is forgotten. */
    @SuppressWarnings("ReferenceEquality") // equal settings are the same object, or cost a little time
    public void use(RevocationSettings next) {
        if (next != settings && !next.equals(settings)) {
            change(next);
        }
    }

    private synchronized void change(RevocationSettings next) {
        settings = next;
        download = null;
        unknown.clear();
        if (targets.keySet().removeIf(target -> !isAllowed(target))) {
            publish();
        }
    }

    private boolean isAllowed(RevocationTarget target) {
        return (target.isList() ? settings.crl() : settings.ocsp()) == RevocationSettings.Source.FETCH;
    }

    /**
     * Sets the certificates of the home, whose states are fetched before a message needs them.
     *
     * @param certificates finds them; the thread that fetches calls it once
     */
    public synchronized void pin(Supplier<? extends Collection<Issued>> certificates) {
        if (settings.isFetching()) {
            toPin = certificates;
            thread.wake();
        }
    }

    /**
     * Notes that a message needs the state of a certificate. The first message reads its copies on disk. Only messages
     * that need the same copies wait for that.
     */
    void want(Issued issued) {
        if (settings.isFetching()) {
            RevocationPoints points = RevocationPoints.of(issued.certificate());
            Map<RevocationTarget, RevocationFetch> unread;
            synchronized (this) {
                unread = want(issued, points);
            }
            if (!unread.isEmpty()) {
                unread.forEach(this::readFromDisk);
                publishWhatCame(0);
            }
        }
    }

    /** Adds the targets of a certificate. Returns those whose copies on disk were not read yet. */
    private Map<RevocationTarget, RevocationFetch> want(Issued issued, RevocationPoints points) {
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
        Instant now = clock.instant();
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
        thread.wake();
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

    /** Reads the copy of a target once, without the lock, because parsing and verifying take time. */
    private void readFromDisk(RevocationTarget target, RevocationFetch fetch) {
        synchronized (fetch) { // taken before the lock of this object; a second message waits for the same copy
            if (!fetch.isRead()) {
                try {
                    read(target, fetch);
                } finally {
                    fetch.setRead();
                }
            }
        }
    }

    private void read(RevocationTarget target, RevocationFetch fetch) {
        int most = target.isList() ? FetchLimits.LIST_BYTES : FetchLimits.ANSWER_BYTES;
        Optional<byte[]> copy = cache.read(target.fileName(fetch.issued()), most);
        if (copy.isEmpty()) {
            return;
        }
        try {
            FetchedContent found = content(target, fetch.issued(), copy.get(), null);
            synchronized (this) {
                if (targets.get(target) == fetch) {
                    Instant now = clock.instant();
                    boolean changes = take(fetch, found, now);
                    changed |= changes;
                    unpublished |= changes;
                    fetch.succeeded(now);
                }
            }
        } catch (KeystoreUnusableException unusable) { // it is fetched now
            LOG.debug("{}: the copy on disk is not used: {}", target.address().toASCIIString(), unusable.getMessage());
        }
    }

    private FetchedContent content(
            RevocationTarget target, Issued issued, byte[] content, @Nullable OcspQuestion question) {
        Instant now = clock.instant();
        return target.isList()
                ? FetchedContent.list(content, issued, now)
                : FetchedContent.answer(content, issued, now, question);
    }

    private boolean take(RevocationFetch fetch, FetchedContent found, Instant now) {
        long others = targets.values().stream()
                .filter(each -> each != fetch)
                .mapToLong(RevocationFetch::length)
                .sum();
        if (found.length() > 0 && others + found.length() > FetchLimits.ALL_LIST_BYTES) {
            throw new KeystoreUnusableException(
                    "no room: all lists together may have " + FetchLimits.ALL_LIST_BYTES + " bytes");
        }
        return fetch.take(found, now);
    }

    private void publish() {
        changed = true;
        publishUnpublished();
    }

    /** Publishes all that is known. Without a change of an answer about a certificate, the version stays. */
    private void publishUnpublished() {
        long version = known.version() + (changed ? 1 : 0);
        changed = false;
        unpublished = false;
        published = System.nanoTime();
        Set<X509Certificate> issuers = new HashSet<>();
        List<RevocationList> lists = new ArrayList<>();
        Map<OcspKey, OcspStatus> answers = new HashMap<>();
        targets.forEach((target, fetch) -> {
            issuers.add(fetch.issued().issuer());
            if (fetch.list() != null) {
                lists.add(fetch.list());
            }
            if (fetch.answer() != null && target.certificate() != null) {
                answers.merge(target.certificate(), fetch.answer(), OcspStatus::graver);
            }
        });
        known = new KnownRevocations(version, new RevocationLists(lists, List.of(), issuers), answers);
    }

    KnownRevocations known() {
        return known;
    }

    UnknownStates unknown() {
        return unknown;
    }

    /** Returns a number that grows with each change that can change an answer about a certificate. */
    public long version() {
        return known.version();
    }

    /** Returns the state of all sources. */
    public synchronized RevocationReport report() {
        List<RevocationReport.SourceState> sources = targets.entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getValue().problem() == null))
                .limit(MOST_SHOWN)
                .map(entry -> new RevocationReport.SourceState(
                        entry.getKey().address().toASCIIString(),
                        entry.getValue().until().orElse(null),
                        entry.getValue().problem()))
                .toList();
        return new RevocationReport(settings, null, sources, unknown.list());
    }

    /**
     * Asks the targets that are due, one after the other. Waits for the network.
     *
     * @param most the time after which no further target is asked
     */
    public void fetchDue(Duration most) throws InterruptedException {
        long begin = System.nanoTime();
        takePins();
        for (Map.Entry<RevocationTarget, RevocationFetch> each : due()) {
            if (System.nanoTime() - begin > most.toNanos()) {
                break;
            }
            publishWhatCame(PUBLISH_NANOS);
            fetch(each.getKey(), each.getValue());
        }
        publishWhatCame(0);
    }

    /** Reads the copies for the certificates of the home, so that a restart rejects no message that needs them. */
    public void readPinned() {
        try {
            takePins();
        } catch (RuntimeException unexpected) { // the thread tries again
            LOG.warn("the copies of revocations could not be read", unexpected);
        }
    }

    private void takePins() {
        synchronized (pinning) {
            Supplier<? extends Collection<Issued>> finder = takeFinder();
            if (finder != null) {
                Set<Issued> found = Set.copyOf(finder.get()); // verifies signatures, so no message waits for it
                synchronized (this) {
                    pinned = found;
                    pinsWanted = Instant.MIN;
                }
            }
            wantPins().forEach(this::readFromDisk);
            publishWhatCame(0);
        }
    }

    private synchronized Map<RevocationTarget, RevocationFetch> wantPins() {
        Instant now = clock.instant();
        if (targets.values().removeIf(fetch -> fetch.isUnused(now))) {
            publish();
        }
        Map<RevocationTarget, RevocationFetch> unread = new LinkedHashMap<>();
        if (!now.minus(FetchLimits.LEAST_WAIT).isBefore(pinsWanted)) {
            pinsWanted = now;
            pinned.forEach(issued -> unread.putAll(want(issued, RevocationPoints.of(issued.certificate()))));
        }
        return unread;
    }

    private synchronized void publishWhatCame(long leastNanos) {
        if (unpublished && System.nanoTime() - published >= leastNanos) {
            publishUnpublished();
        }
    }

    private synchronized @Nullable Supplier<? extends Collection<Issued>> takeFinder() {
        Supplier<? extends Collection<Issued>> finder = toPin;
        toPin = null;
        return finder;
    }

    private synchronized List<Map.Entry<RevocationTarget, RevocationFetch>> due() {
        Instant now = clock.instant();
        return targets.entrySet().stream()
                .filter(entry -> !entry.getValue().due().isAfter(now))
                // what is known must not end because new addresses hang
                .sorted(Comparator.comparing((Map.Entry<RevocationTarget, RevocationFetch> entry) ->
                                entry.getValue().until().isEmpty())
                        .thenComparing(entry -> entry.getValue().hasFailed())
                        .thenComparing(entry -> entry.getValue().due()))
                .map(entry -> Map.entry(entry.getKey(), entry.getValue()))
                .toList();
    }

    private void fetch(RevocationTarget target, RevocationFetch fetch) throws InterruptedException {
        HttpDownload http = download();
        try {
            if (target.isList()) {
                store(target, fetch, http.get(target.address(), FetchLimits.LIST_BYTES), null);
            } else {
                OcspQuestion question = OcspQuestion.about(fetch.issued(), random);
                byte[] answer = http.post(target.address(), question.encoded(), FetchLimits.ANSWER_BYTES);
                store(target, fetch, answer, question);
            }
        } catch (IOException | RuntimeException failed) {
            boolean forPeople = failed instanceof IOException || failed instanceof KeystoreUnusableException;
            String reason = forPeople
                    ? String.valueOf(failed.getMessage())
                    : failed.getClass().getName();
            note(target, fetch, reason);
        }
    }

    private synchronized HttpDownload download() {
        HttpDownload made = download;
        if (made == null) {
            made = HttpDownload.with(settings);
            download = made;
        }
        return made;
    }

    private void store(
            RevocationTarget target, RevocationFetch fetch, byte[] content, @Nullable OcspQuestion question) {
        // parsing and verifying take time, so they need no lock
        FetchedContent found = content(target, fetch.issued(), content, question);
        synchronized (this) {
            if (targets.get(target) != fetch) {
                return; // the settings changed meanwhile
            }
            boolean hadProblem = fetch.problem() != null;
            boolean changes = take(fetch, found, clock.instant());
            changed |= changes;
            unpublished |= changes || found.status() != null; // an answer counts until its new end
            publishWhatCame(found.mayRevoke() ? 0 : PUBLISH_NANOS);
            fetch.succeeded(clock.instant());
            if (hadProblem && fetch.problem() == null) {
                LOG.info("{} answers again", target.address().toASCIIString());
            }
        }
        cache.write(target.fileName(fetch.issued()), content);
    }

    private synchronized void note(RevocationTarget target, RevocationFetch fetch, String reason) {
        if (!reason.equals(fetch.problem())) {
            LOG.warn(
                    "{} gave no usable revocation list or OCSP answer: {}",
                    target.address().toASCIIString(),
                    reason);
        }
        fetch.failed(reason, clock.instant());
    }

    @Override
    public void close() {
        thread.close();
    }
}
