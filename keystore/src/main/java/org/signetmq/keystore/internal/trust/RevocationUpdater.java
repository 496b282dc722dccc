/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.trust;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
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
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.internal.trust.Issued.SeenCertificates;
import org.signetmq.keystore.internal.trust.RevocationUpdater.FetchLimits;
import org.signetmq.keystore.internal.x509.CertificateRules;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.trust.RevocationReport;
import org.signetmq.keystore.trust.RevocationSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches revocation lists and OCSP answers in a thread of its own, before the known ones end, and keeps them on disk.
 * No other thread waits for the network. It publishes all answers as one immutable value, which readers take without a
 * lock. The thread ends with {@link #close}, or when nothing refers to this object. Thread-safe.
 */
public final class RevocationUpdater implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RevocationUpdater.class);
    private static final int NONCE_BYTES = 32;
    private static final int MOST_SHOWN = 200;

    /** The least time between two versions that answers in a row cause, because a version empties caches. */
    private static final long PUBLISH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final RevocationCache copies;
    private final Clock clock;
    private final Mode mode;
    private final SecureRandom random = new SecureRandom();
    private final UnknownStates unknown;
    private final SeenCertificates seen = new SeenCertificates();
    private final Semaphore bell = new Semaphore(0);

    /** The lock of the start, which no message takes. It is taken before all others. */
    private final Object pinning = new Object();

    // All guarded by this.
    private final Map<Key, Source> sources = new LinkedHashMap<>();
    private @Nullable Supplier<? extends Collection<Issued>> toPin;
    private Set<Issued> pinned = Set.of();
    private Instant pinsWanted = Instant.MIN;
    private Instant latest = Instant.MIN;
    private boolean unpublished;
    private boolean changed;
    private long published = System.nanoTime() - PUBLISH_NANOS;
    private @Nullable Thread thread;
    private boolean closed;

    private volatile RevocationSettings settings = RevocationSettings.DEFAULT;
    private volatile Known known = new Known(0, new RevocationLists(List.of(), List.of(), List.of()), Map.of());

    /** Says whether an updater has a thread. */
    public enum Mode {
        /** A thread fetches what is needed. */
        BACKGROUND,
        /** Nothing is fetched but by {@link #fetchDue}. The files on disk count. */
        BY_HAND
    }

    /**
     * All that was fetched, at one time. Immutable.
     *
     * @param version grows with each change that can change an answer about a certificate
     * @param lists the fetched lists, each signed by the issuer that was expected
     * @param answers the states in fetched OCSP answers, each signed by a rightful responder
     */
    record Known(long version, RevocationLists lists, Map<Issued.Id, List<OcspAnswer.Status>> answers) {
        Known {
            answers = Map.copyOf(answers);
        }
    }

    /**
     * What makes a source another one.
     *
     * @param serialNumber of the certificate that an OCSP responder is asked about; null for the address of a list
     */
    record Key(URI address, PublicKeyInfo issuer, @Nullable BigInteger serialNumber) {
        boolean isList() {
            return serialNumber == null;
        }
    }

    /** A verified answer. Either the list or the state is null. */
    record Content(@Nullable RevocationList list, OcspAnswer.@Nullable Status status) {
        /** Tells whether a certificate may be revoked by it, so that no other address may delay it. */
        boolean mayRevoke() {
            return list != null || (status != null && status.revoked().isPresent());
        }
    }

    /** An address with the issuer whose list or answer is expected there, its last answer, and its next question. */
    static final class Source {
        final Key key;
        final Issued issued;
        private boolean read; // guarded by this object: the copy on disk was read
        private volatile boolean settled; // the copy was read and published
        private volatile @Nullable String problem;

        // All guarded by the updater.
        private Instant wanted;
        private Instant waitsFrom;
        private Instant due;
        private int failures;
        private @Nullable RevocationList list;
        private OcspAnswer.@Nullable Status answer;

        private Source(Key key, Issued issued, Instant now) {
            this.key = key;
            this.issued = issued;
            this.wanted = now;
            this.waitsFrom = now;
            this.due = now;
        }

        /** Returns the greatest length of an answer, in bytes. */
        private int mostBytes() {
            return key.isList() ? FetchLimits.LIST_BYTES : FetchLimits.ANSWER_BYTES;
        }

        /** Returns the name of its file in the cache, which the asked host cannot choose. */
        String fileName() {
            MessageDigest digest = CryptoProviders.digest("SHA-256");
            digest.update(key.address().toString().getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
            digest.update(issued.issuer().getPublicKey().getEncoded());
            if (!key.isList()) {
                digest.update(issued.certificate().getSerialNumber().toByteArray());
            }
            return HexFormat.of().formatHex(digest.digest()) + (key.isList() ? ".crl" : ".ocsp");
        }

        /**
         * Verifies an answer of the address, or its copy on the disk.
         *
         * @param nonce the nonce of the question; null for a copy
         * @throws KeystoreUnusableException if it must not be used
         */
        private Content verified(byte[] content, Instant now, byte @Nullable [] nonce) {
            return key.isList() ? new Content(list(content, now), null) : new Content(null, state(content, now, nonce));
        }

        private RevocationList list(byte[] content, Instant now) {
            RevocationList found = RevocationList.fromDer(content);
            if (!found.issuer().equals(issued.certificate().getIssuerX500Principal())) {
                throw new KeystoreUnusableException("a list of another issuer");
            }
            if (!CertificateRules.maySignLists(issued.issuer()) || !found.isSignedBy(key.issuer(), issued.issuer())) {
                throw new KeystoreUnusableException("a list that its issuer did not sign");
            }
            if (found.thisUpdate().isAfter(now.plus(RevocationLists.CLOCK_SKEW))) {
                throw new KeystoreUnusableException("a list from the future");
            }
            if (!found.isCompleteFor(issued)) { // it must not replace a complete list
                throw new KeystoreUnusableException("a list that does not cover the certificate, such as a delta list");
            }
            return found;
        }

        private OcspAnswer.Status state(byte[] content, Instant now, byte @Nullable [] nonce) {
            OcspAnswer found = OcspAnswer.fromDer(content);
            if (nonce != null && !found.fitsNonce(nonce)) {
                throw new KeystoreUnusableException("an OCSP answer to another question: its nonce differs");
            }
            OcspAnswer.Status status = found.status(issued, now)
                    .orElseThrow(() -> new KeystoreUnusableException("an OCSP answer about another certificate"));
            boolean ended = status.revoked().isEmpty() && now.isAfter(status.until()); // a revocation does not end
            if (now.isBefore(status.from()) || ended) {
                throw new KeystoreUnusableException("an OCSP answer that is not right at this time");
            }
            return status;
        }

        /**
         * Stores an answer.
         *
         * @return whether it can change an answer about a certificate
         * @throws KeystoreUnusableException if what is known is newer
         */
        private boolean take(Content found, Instant now) {
            boolean changes =
                    found.list() != null ? take(found.list()) : found.status() != null && take(found.status(), now);
            Instant end = until().orElse(null);
            if (end == null) {
                failed("a list without the time of its next update", now);
            } else if (!now.isBefore(end)) {
                failed("its answer is out of date since " + end, now);
            } else {
                failures = 0;
                problem = null;
                waitFrom(now, Duration.between(now, end).dividedBy(2), FetchLimits.MOST_WAIT);
            }
            return changes;
        }

        private boolean take(RevocationList found) {
            RevocationList before = list;
            if (before != null && found.thisUpdate().isBefore(before.thisUpdate())) {
                throw new KeystoreUnusableException("an older list than the known one");
            }
            boolean changes = before == null || !found.hasBytesOf(before);
            list = changes ? found : before;
            return changes;
        }

        private boolean take(OcspAnswer.Status found, Instant now) {
            OcspAnswer.Status before = answer;
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

        private void failed(String reason, Instant now) {
            problem = reason;
            waitFrom(now, FetchLimits.LEAST_WAIT.multipliedBy(1L << Math.min(failures, 10)), FetchLimits.MOST_RETRY);
            failures++;
        }

        private void waitFrom(Instant now, Duration time, Duration most) {
            waitsFrom = now;
            Duration atMost = time.compareTo(most) < 0 ? time : most;
            due = now.plus(atMost.compareTo(FetchLimits.LEAST_WAIT) > 0 ? atMost : FetchLimits.LEAST_WAIT);
        }

        /** Forgets times after this one, because the clock was ahead when they were noted. */
        private void setBack(Instant now) {
            wanted = wanted.isAfter(now) ? now : wanted;
            if (waitsFrom.isAfter(now)) {
                waitsFrom = now;
                due = now;
            }
        }

        private boolean hasFailed() {
            return failures > 0;
        }

        /** Returns the end of the time for which the list or answer is right; empty if there is none. */
        private Optional<Instant> until() {
            return list != null
                    ? list.nextUpdate()
                    : Optional.ofNullable(answer).map(OcspAnswer.Status::until);
        }
    }

    /**
     * Creates an updater that fetches nothing yet.
     *
     * @param folder the folder of the fetched files
     */
    public RevocationUpdater(Path folder, Clock clock, Mode mode) {
        this(new RevocationCache(folder), clock, mode);
    }

    RevocationUpdater(RevocationCache copies, Clock clock, Mode mode) {
        this.copies = copies;
        this.clock = clock;
        this.mode = mode;
        this.unknown = new UnknownStates(clock, new ConcurrentHashMap<>());
    }

    /** Takes changed settings. Removes addresses that they no longer allow, and asks those with a problem at once. */
    @SuppressWarnings("ReferenceEquality") // equal settings are the same object, or cost a little time
    public void use(RevocationSettings next) {
        if (next != settings && !next.equals(settings)) {
            change(next);
        }
    }

    private synchronized void change(RevocationSettings next) {
        unknown.clear();
        settings = next;
        if (sources.values().removeIf(source -> !isFetched(source.key.isList() ? next.crl() : next.ocsp()))) {
            changed = true;
            publish();
        }
        Instant now = now();
        for (Source source : sources.values()) {
            if (source.problem != null) { // the change may have mended it
                source.waitsFrom = now;
                source.due = now;
            }
        }
    }

    private static boolean isFetched(RevocationSettings.Source kind) {
        return kind == RevocationSettings.Source.FETCH;
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
     * Sets the certificates of the home, whose states are fetched before a message needs them.
     *
     * @param certificates finds them; the thread that fetches calls it once
     */
    public synchronized void pin(Supplier<? extends Collection<Issued>> certificates) {
        if (settings.isFetching()) {
            toPin = certificates;
            wake();
        }
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
            Supplier<? extends Collection<Issued>> finder;
            synchronized (this) {
                finder = toPin;
                toPin = null;
            }
            if (finder != null) {
                setPinned(finder.get()); // verifies signatures, so no message waits for it
            }
            readCopies(wantPinned());
        }
    }

    /** Sets the certificates of the home, whose sources stay. */
    synchronized void setPinned(Collection<Issued> certificates) {
        pinned = Set.copyOf(certificates);
        pinsWanted = Instant.MIN;
    }

    /**
     * Adds the sources of the home's certificates, at most once a minute. Then removes unused sources, so that a clock
     * that jumps ahead removes no answer about these certificates. Returns those whose copies on disk were not read
     * yet.
     */
    synchronized List<Source> wantPinned() {
        Instant now = now();
        List<Source> unread = new ArrayList<>();
        if (!now.minus(FetchLimits.LEAST_WAIT).isBefore(pinsWanted)) {
            pinsWanted = now;
            pinned.forEach(issued -> unread.addAll(wanted(issued)));
        }
        if (sources.values()
                .removeIf(source -> source.wanted.plus(FetchLimits.UNUSED).isBefore(now))) {
            changed = true;
            publish();
        }
        return unread;
    }

    /**
     * Notes that a message needs the state of a certificate. The first message reads its copies on disk. Only messages
     * that need the same copies wait for that.
     */
    void want(Issued issued) {
        if (settings.isFetching()) {
            List<Source> unread = wanted(issued);
            if (!unread.isEmpty()) {
                wake();
                readCopies(unread);
            }
        }
    }

    /** Adds the sources of a certificate. Returns those whose copies on disk were not read yet. */
    List<Source> wanted(Issued issued) {
        RevocationPoints points = RevocationPoints.of(issued.certificate()); // parses, so it needs no lock
        Issued.Id id = issued.id();
        List<Source> unread = new ArrayList<>();
        synchronized (this) {
            if (isFetched(settings.crl())) {
                wantFirst(points.lists(), id.issuer(), null, issued, unread);
            }
            if (isFetched(settings.ocsp())) {
                wantFirst(points.responders(), id.issuer(), id.serialNumber(), issued, unread);
            }
        }
        return unread;
    }

    /** Adds the source of the first address, and after each that failed that of the next one. */
    private void wantFirst(
            List<URI> addresses,
            PublicKeyInfo issuer,
            @Nullable BigInteger serialNumber,
            Issued issued,
            List<Source> unread) {
        Instant now = now();
        for (URI address : addresses) {
            Key key = new Key(address, issuer, serialNumber);
            Source source = sources.get(key);
            if (source == null) {
                if (sources.size() >= FetchLimits.TARGETS && !removeOldest(now)) {
                    return;
                }
                source = new Source(key, issued, now);
                sources.put(key, source);
            }
            source.wanted = now;
            if (!source.settled) {
                unread.add(source);
            }
            if (!source.hasFailed()) {
                return;
            }
        }
    }

    /** Removes the source that no message has needed for the longest time. */
    private boolean removeOldest(Instant now) {
        Optional<Source> oldest = sources.values().stream()
                .filter(source -> !source.wanted.equals(now) && !pinned.contains(source.issued))
                .min(Comparator.comparing(source -> source.wanted));
        oldest.ifPresent(source -> sources.remove(source.key));
        return oldest.isPresent();
    }

    /**
     * Reads the copies on disk that no other thread has read, waits for those that another one reads, and publishes
     * them together, because publishing one by one costs much at the start of a large home.
     */
    void readCopies(Collection<Source> unread) {
        try {
            for (Source source : unread) {
                synchronized (source) {
                    if (!source.read) {
                        source.read = true; // also if it fails
                        readCopy(source);
                    }
                }
            }
        } finally {
            publish(true);
        }
        unread.forEach(source -> source.settled = true);
    }

    private void readCopy(Source source) {
        copies.read(source.fileName(), source.mostBytes()).ifPresent(copy -> {
            try {
                var unused = take(source, source.verified(copy, clock.instant(), null));
            } catch (KeystoreUnusableException unusable) { // it is fetched now
                LOG.debug(
                        "{}: the copy on disk is not used: {}",
                        source.key.address().toASCIIString(),
                        unusable.getMessage());
            }
        });
    }

    /**
     * Asks the addresses that are due, one after the other. Waits for the network.
     *
     * @param most the time after which no further address is asked
     */
    public void fetchDue(Duration most) throws InterruptedException {
        long begin = System.nanoTime();
        takePins();
        for (Source source : due()) {
            if (System.nanoTime() - begin > most.toNanos()) {
                break;
            }
            publish(false);
            fetch(source);
        }
        publish(true);
    }

    /** Returns the sources that are due. What is known must not end because new addresses hang, so it is first. */
    synchronized List<Source> due() {
        Instant now = now();
        return sources.values().stream()
                .filter(source -> !source.due.isAfter(now))
                .sorted(Comparator.<Source, Boolean>comparing(
                                source -> source.until().isEmpty())
                        .thenComparing(Source::hasFailed)
                        .thenComparing(source -> source.due))
                .toList();
    }

    private void fetch(Source source) throws InterruptedException {
        String address = source.key.address().toASCIIString();
        try {
            HttpDownload http = HttpDownload.with(settings);
            byte[] nonce = new byte[NONCE_BYTES];
            random.nextBytes(nonce);
            byte[] content = source.key.isList()
                    ? http.get(source.key.address(), source.mostBytes())
                    : http.post(source.key.address(), OcspAnswer.question(source.issued, nonce), source.mostBytes());
            Content found = source.verified(content, clock.instant(), nonce);
            boolean hadProblem = source.problem != null;
            if (!take(source, found)) {
                return; // its copy may be newer
            }
            publish(found.mayRevoke());
            if (hadProblem && source.problem == null) {
                LOG.info("{} answers again", address);
            }
            copies.write(source.fileName(), content);
        } catch (IOException | RuntimeException failed) {
            boolean forPeople = failed instanceof IOException || failed instanceof KeystoreUnusableException;
            String reason = PrintableText.of(
                    forPeople ? failed.getMessage() : failed.getClass().getName(), PrintableText.LONGEST_REASON);
            if (fail(source, reason)) {
                LOG.warn("{} gave no usable revocation list or OCSP answer: {}", address, reason);
            }
        }
    }

    /**
     * Stores a verified answer. The caller publishes it.
     *
     * @return false if the settings changed meanwhile, so that the address is asked no longer
     * @throws KeystoreUnusableException if it must not be used
     */
    synchronized boolean take(Source source, Content found) {
        if (sources.get(source.key) != source) {
            return false;
        }
        if (found.list() != null) {
            long all = found.list().length();
            for (Source other : sources.values()) {
                all += other == source || other.list == null ? 0 : other.list.length();
            }
            if (all > FetchLimits.ALL_LIST_BYTES) {
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
    synchronized boolean fail(Source source, String reason) {
        boolean fresh = !reason.equals(source.problem);
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
        Map<Issued.Id, List<OcspAnswer.Status>> answers = new HashMap<>();
        for (Source source : sources.values()) {
            issuers.add(source.issued.issuer());
            if (source.list != null) {
                lists.add(source.list);
            }
            if (source.answer != null) {
                answers.computeIfAbsent(source.issued.id(), any -> new ArrayList<>())
                        .add(source.answer);
            }
        }
        known = new Known(known.version() + (changed ? 1 : 0), new RevocationLists(lists, List.of(), issuers), answers);
        changed = false;
        unpublished = false;
        published = System.nanoTime();
    }

    /** Returns all that was published last. */
    Known known() {
        return known;
    }

    UnknownStates unknown() {
        return unknown;
    }

    SeenCertificates seen() {
        return seen;
    }

    /** Returns a number that grows with each change that can change an answer about a certificate. */
    public long version() {
        return known.version();
    }

    /** Returns the state of the addresses, those with a problem first. */
    public synchronized RevocationReport report() {
        List<RevocationReport.SourceState> states = sources.values().stream()
                .sorted(Comparator.comparing(source -> source.problem == null))
                .limit(MOST_SHOWN)
                .map(source -> new RevocationReport.SourceState(
                        source.key.address().toASCIIString(), source.until().orElse(null), source.problem))
                .toList();
        return new RevocationReport(settings, null, states, unknown.list());
    }

    /** Starts the thread if it does not run, and lets it look for work. */
    private synchronized void wake() {
        if (mode == Mode.BACKGROUND && !closed) {
            if (thread == null || !thread.isAlive()) {
                thread = new Thread(new Work(new WeakReference<>(this), bell), "signet-revocation");
                thread.setDaemon(true);
                thread.start();
            }
            bell.release();
        }
    }

    /** Fetches what is due, again and again. Holds the updater only while it works. */
    private record Work(WeakReference<RevocationUpdater> updater, Semaphore bell) implements Runnable {
        @Override
        public void run() {
            try {
                while (fetch()) {
                    if (bell.tryAcquire(1, TimeUnit.SECONDS)) {
                        bell.drainPermits();
                    }
                }
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            }
        }

        private boolean fetch() throws InterruptedException {
            RevocationUpdater working = updater.get();
            if (working == null) {
                return false;
            }
            try {
                working.fetchDue(FetchLimits.ROUND);
            } catch (InterruptedException closed) {
                throw closed;
            } catch (Throwable unexpected) { // also an error: the next round must come
                LOG.warn("revocations could not be fetched", unexpected);
            }
            return true;
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** The certificates of the last checks whose state was unknown. Thread-safe. */
    record UnknownStates(Clock clock, Map<Issued.Id, UnknownStates.Unknown> certificates) {
        /** About the most certificates that are kept. Each has a path to a trusted one. */
        private static final int MOST = 200;

        /** The time for which a certificate counts. One in use is checked each minute. */
        private static final Duration COUNTS = Duration.ofMinutes(5);

        record Unknown(Issued issued, String reason, Instant at) {}

        void add(Issued issued, String reason) {
            forgetOld();
            Issued.Id id = issued.id();
            if (certificates.size() < MOST || certificates.containsKey(id)) {
                certificates.put(id, new Unknown(issued, reason, clock.instant()));
            }
        }

        void remove(Issued issued) {
            if (!certificates.isEmpty()) { // before the key is computed
                certificates.remove(issued.id());
            }
        }

        /**
         * Removes the certificates whose state is known now. Otherwise they would stay until a message needs them or
         * five minutes pass.
         */
        void removeKnown(BiPredicate<Issued, Instant> isKnown) {
            certificates.values().removeIf(unknown -> isKnown.test(unknown.issued(), clock.instant()));
        }

        private void clear() {
            certificates.clear();
        }

        /** Returns the reasons, the oldest first. */
        private List<String> list() {
            forgetOld();
            return certificates.values().stream()
                    .sorted(Comparator.comparing(Unknown::at))
                    .map(Unknown::reason)
                    .toList();
        }

        /** Forgets checks that were long before, or seem to come because the clock was ahead. */
        private void forgetOld() {
            Instant now = clock.instant();
            certificates
                    .values()
                    .removeIf(
                            unknown -> Duration.between(unknown.at(), now).abs().compareTo(COUNTS) > 0);
        }
    }

    /** The limits of what Signet fetches and keeps. {@code docs/trust.md} has the same table. */
    static final class FetchLimits {
        /** The greatest length of a fetched list, in bytes. */
        static final int LIST_BYTES = RevocationList.MOST_BYTES;

        /** The greatest length of all fetched lists together, in bytes. */
        static final long ALL_LIST_BYTES = 64L << 20;

        /** The greatest length of an OCSP answer, in bytes. */
        static final int ANSWER_BYTES = OcspAnswer.MOST_BYTES;

        /** The most redirections of one question for a list. A question for an OCSP answer follows none. */
        static final int REDIRECTIONS = 3;

        /** The longest address, in characters. */
        static final int ADDRESS_LENGTH = 512;

        /** The most addresses of each kind that are read from one certificate. */
        static final int ADDRESSES = 3;

        /** The most addresses and certificates that are asked about. */
        static final int TARGETS = 1024;

        /** The time after which a target is forgotten that no message needed. */
        static final Duration UNUSED = Duration.ofDays(7);

        /** The least time between two questions to one target. */
        static final Duration LEAST_WAIT = Duration.ofMinutes(1);

        /** The most time between two questions to one target. */
        static final Duration MOST_WAIT = Duration.ofDays(1);

        /** The most time between two questions to a target that does not answer. */
        static final Duration MOST_RETRY = Duration.ofHours(1);

        /** The time after which a round asks no further target, so that new ones come to their turn. */
        static final Duration ROUND = Duration.ofMinutes(1);

        private FetchLimits() {}
    }

    /**
     * Asks addresses by HTTP within limits of time and size. It connects to the address that was checked, and asks the
     * name service once, which the JDK's clients cannot do. It speaks HTTP/1.0, as OpenSSL does, so servers send no
     * chunks and no interim answers. It sends no credentials and no cookies, and follows few redirections. Thread-safe.
     *
     * @param rule the addresses that may be asked
     * @param timeout the most time of a question with its redirections
     */
    private record HttpDownload(AddressRule rule, Duration timeout) {
        private static final int OK = 200;
        private static final int PORT = 80;
        private static final int LONGEST_HEAD = 16 << 10;

        static HttpDownload with(RevocationSettings settings) {
            return new HttpDownload(new AddressRule(settings.hosts()), settings.timeout());
        }

        /**
         * An answer.
         *
         * @param headers their names are in lower case
         * @param body null if it is longer than its limit; empty if the status is not 200
         */
        private record Response(int status, Map<String, String> headers, byte @Nullable [] body) {
            IOException problem() {
                return new IOException("HTTP status " + status);
            }

            URI location(URI asked) throws IOException {
                String location = headers.getOrDefault("location", "");
                boolean redirects = List.of(301, 302, 303, 307, 308).contains(status);
                if (!redirects || location.isEmpty() || location.length() > FetchLimits.ADDRESS_LENGTH) {
                    throw problem();
                }
                try {
                    return asked.resolve(location);
                } catch (IllegalArgumentException malformed) {
                    throw new IOException("HTTP status " + status + " with a malformed location", malformed);
                }
            }
        }

        /**
         * Returns the content of an address.
         *
         * @throws IOException with the reason, in words that the asked host did not choose
         */
        byte[] get(URI address, int mostBytes) throws IOException, InterruptedException {
            long end = System.nanoTime() + timeout.toNanos();
            URI asked = address;
            for (int i = 0; i <= FetchLimits.REDIRECTIONS; i++) {
                Response response = ask(asked, "GET", "", new byte[0], mostBytes, end);
                if (response.status() == OK) {
                    return content(response, mostBytes);
                }
                asked = response.location(asked);
            }
            throw new IOException("more than " + FetchLimits.REDIRECTIONS + " redirections");
        }

        /** Returns the answer to a posted question. */
        byte[] post(URI address, byte[] question, int mostBytes) throws IOException, InterruptedException {
            String headers = "Content-Type: application/ocsp-request\r\nContent-Length: " + question.length + "\r\n";
            return content(
                    ask(address, "POST", headers, question, mostBytes, System.nanoTime() + timeout.toNanos()),
                    mostBytes);
        }

        private static byte[] content(Response response, int mostBytes) throws IOException {
            if (response.status() != OK) {
                throw response.problem();
            }
            byte[] body = response.body();
            if (body == null) {
                throw new IOException("an answer of more than " + mostBytes + " bytes");
            }
            return body;
        }

        private Response ask(URI address, String method, String headers, byte[] body, int mostBytes, long end)
                throws IOException, InterruptedException {
            rule.requireName(address);
            InetSocketAddress proxy = proxy(address);
            if (proxy != null && rule.hosts().isEmpty()) {
                throw new IOException("a proxy would resolve its name; name the host under hosts in trust.json");
            }
            int port = address.getPort() < 0 ? PORT : address.getPort();
            List<InetSocketAddress> targets = proxy != null
                    ? List.of(proxy)
                    : rule.require(address).stream()
                            .map(each -> new InetSocketAddress(each, port))
                            .toList();
            URI ascii = URI.create(address.toASCIIString());
            String head = method + " " + (proxy == null ? "" : "http://" + ascii.getRawAuthority())
                    + (ascii.getRawPath().isEmpty() ? "/" : ascii.getRawPath())
                    + (ascii.getRawQuery() == null ? "" : "?" + ascii.getRawQuery())
                    + " HTTP/1.0\r\nHost: " + ascii.getRawAuthority()
                    + "\r\nUser-Agent: Signet\r\nAccept-Encoding: identity\r\nConnection: close\r\n" + headers + "\r\n";
            try (SocketChannel channel = connected(targets, end)) {
                ByteArrayOutputStream request = new ByteArrayOutputStream();
                request.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
                request.writeBytes(body);
                channel.socket().getOutputStream().write(request.toByteArray());
                return response(new BufferedInputStream(new Timed(channel.socket(), end)), mostBytes);
            } catch (ClosedByInterruptException closed) {
                throw new InterruptedException();
            } catch (SocketTimeoutException late) {
                throw new IOException("no complete answer within " + timeout.toSeconds() + " seconds", late);
            } catch (IOException | RuntimeException failed) { // its text could contain what the asked host sent
                throw new IOException("cannot be asked: " + failed.getClass().getSimpleName(), failed);
            }
        }

        /** Returns the proxy of the process for an address; null if there is none. */
        private static @Nullable InetSocketAddress proxy(URI address) {
            ProxySelector selector = ProxySelector.getDefault();
            List<Proxy> proxies = selector == null ? List.of() : selector.select(address);
            for (Proxy proxy : proxies) {
                if (proxy.type() == Proxy.Type.HTTP && proxy.address() instanceof InetSocketAddress found) {
                    return new InetSocketAddress(found.getHostString(), found.getPort()); // resolves it
                }
            }
            return null;
        }

        /** Connects to the first target that can be reached. An interrupt closes the channel. */
        private static SocketChannel connected(List<? extends SocketAddress> targets, long end) throws IOException {
            IOException last = new IOException("no address");
            for (SocketAddress target : targets) {
                SocketChannel channel = SocketChannel.open();
                try {
                    channel.socket().connect(target, millisUntil(end));
                    return channel;
                } catch (IOException unreachable) {
                    channel.close();
                    if (Thread.currentThread().isInterrupted()) {
                        throw new ClosedByInterruptException();
                    }
                    if (unreachable instanceof SocketTimeoutException) {
                        throw unreachable;
                    }
                    last = unreachable;
                }
            }
            throw last;
        }

        private static int millisUntil(long end) throws SocketTimeoutException {
            long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
            if (left <= 0) {
                throw new SocketTimeoutException();
            }
            return (int) Math.min(left, Integer.MAX_VALUE);
        }

        /** The bytes of a connection until a time of the monotonic clock. */
        private static final class Timed extends FilterInputStream {
            private final Socket socket;
            private final long end;

            Timed(Socket socket, long end) throws IOException {
                super(socket.getInputStream());
                this.socket = socket;
                this.end = end;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                socket.setSoTimeout(millisUntil(end));
                return super.read(bytes, offset, length);
            }
        }

        private static Response response(InputStream in, int mostBytes) throws IOException {
            List<String> lines = head(in);
            String[] first = lines.get(0).split(" ", 3);
            if (first.length < 2 || !first[0].startsWith("HTTP/1.") || !first[1].matches("[2-5][0-9][0-9]")) {
                throw new IOException("no HTTP");
            }
            Map<String, String> headers = new HashMap<>();
            for (String line : lines) {
                int colon = Math.max(0, line.indexOf(':'));
                headers.putIfAbsent(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
            int status = Integer.parseInt(first[1]);
            return new Response(status, headers, status == OK ? body(in, headers, mostBytes) : new byte[0]);
        }

        /** Reads the lines up to the first empty one, and that one. */
        private static List<String> head(InputStream in) throws IOException {
            StringBuilder head = new StringBuilder();
            for (int before = 0, c = in.read(); c != '\n' || before != '\n'; c = in.read()) {
                if (c < 0 || head.length() >= LONGEST_HEAD) {
                    throw new EOFException();
                }
                if (c != '\r') {
                    head.append((char) c);
                    before = c;
                }
            }
            return head.toString().lines().toList();
        }

        /** Reads the body; null if it is longer than its limit. */
        private static byte @Nullable [] body(InputStream in, Map<String, String> headers, int mostBytes)
                throws IOException {
            if (!headers.getOrDefault("transfer-encoding", "identity").equalsIgnoreCase("identity")) {
                throw new IOException("HTTP/1.0 has no other transfer encoding");
            }
            long length = Long.parseLong(headers.getOrDefault("content-length", "-1"));
            if (length > mostBytes) {
                return null;
            }
            byte[] body = in.readNBytes(length < 0 ? mostBytes + 1 : (int) length);
            if (body.length < length) {
                throw new EOFException();
            }
            return body.length > mostBytes ? null : body;
        }
    }
}
