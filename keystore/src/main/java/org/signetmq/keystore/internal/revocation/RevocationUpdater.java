/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
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
    private static final int NONCE_BYTES = 32;

    private final RevocationCache cache;
    private final RevocationSources sources;
    private final Clock clock;
    private final Mode mode;
    private final SecureRandom random = new SecureRandom();
    private final UnknownStates unknown;
    private final SeenCertificates seen = new SeenCertificates();
    private final Semaphore bell = new Semaphore(0);

    /** The lock of the start, which no message takes. It is taken before all others. */
    private final Object pinning = new Object();

    private @Nullable Supplier<? extends Collection<Issued>> toPin; // guarded by this
    private @Nullable HttpDownload download; // guarded by this
    private @Nullable Thread thread; // guarded by this
    private boolean closed; // guarded by this

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
        this.sources = new RevocationSources(cache, clock);
        this.clock = clock;
        this.mode = mode;
        this.unknown = new UnknownStates(clock);
    }

    /**
     * Takes changed settings. It removes addresses that they no longer allow, and asks those with a problem at once.
     */
    @SuppressWarnings("ReferenceEquality") // equal settings are the same object, or cost a little time
    public void use(RevocationSettings next) {
        RevocationSettings before = sources.settings();
        if (next != before && !next.equals(before)) {
            synchronized (this) {
                download = null;
                unknown.clear();
                sources.use(next);
            }
        }
    }

    /**
     * Sets the certificates of the home, whose states are fetched before a message needs them.
     *
     * @param certificates finds them; the thread that fetches calls it once
     */
    public synchronized void pin(Supplier<? extends Collection<Issued>> certificates) {
        if (sources.settings().isFetching()) {
            toPin = certificates;
            wake();
        }
    }

    /**
     * Notes that a message needs the state of a certificate. The first message reads its copies on disk. Only messages
     * that need the same copies wait for that.
     */
    void want(Issued issued) {
        if (sources.settings().isFetching()) {
            List<RevocationSource> unread = sources.want(issued);
            if (!unread.isEmpty()) {
                wake();
                sources.readCopies(unread);
            }
        }
    }

    RevocationSources.Known known() {
        return sources.known();
    }

    UnknownStates unknown() {
        return unknown;
    }

    SeenCertificates seen() {
        return seen;
    }

    /** Returns a number that grows with each change that can change an answer about a certificate. */
    public long version() {
        return sources.known().version();
    }

    /** Returns the state of all sources. */
    public RevocationReport report() {
        return new RevocationReport(sources.settings(), null, sources.states(), unknown.list());
    }

    /**
     * Asks the addresses that are due, one after the other. Waits for the network.
     *
     * @param most the time after which no further address is asked
     */
    public void fetchDue(Duration most) throws InterruptedException {
        long begin = System.nanoTime();
        takePins();
        for (RevocationSource source : sources.due()) {
            if (System.nanoTime() - begin > most.toNanos()) {
                break;
            }
            sources.publish(false);
            fetch(source);
        }
        sources.publish(true);
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
                sources.pin(finder.get()); // verifies signatures, so no message waits for it
            }
            sources.readCopies(sources.wantPins());
        }
    }

    private void fetch(RevocationSource source) throws InterruptedException {
        try {
            HttpDownload http = download();
            byte[] nonce = new byte[NONCE_BYTES];
            random.nextBytes(nonce);
            byte[] content = source.isList()
                    ? http.get(source.address(), source.mostBytes())
                    : http.post(source.address(), OcspAnswer.question(source.issued(), nonce), source.mostBytes());
            store(source, content, source.verified(content, clock.instant(), nonce));
        } catch (IOException | RuntimeException failed) {
            boolean forPeople = failed instanceof IOException || failed instanceof KeystoreUnusableException;
            String reason = PrintableText.of(
                    forPeople ? failed.getMessage() : failed.getClass().getName(), PrintableText.LONGEST_REASON);
            if (sources.fail(source, reason)) {
                LOG.warn(
                        "{} gave no usable revocation list or OCSP answer: {}",
                        source.address().toASCIIString(),
                        reason);
            }
        }
    }

    private synchronized HttpDownload download() {
        HttpDownload made = download;
        if (made == null) {
            made = HttpDownload.with(sources.settings());
            download = made;
        }
        return made;
    }

    private void store(RevocationSource source, byte[] content, RevocationSource.Content found) {
        boolean hadProblem = source.problem() != null;
        if (!sources.take(source, found)) {
            return; // its copy may be newer
        }
        sources.publish(found.mayRevoke());
        if (hadProblem && source.problem() == null) {
            LOG.info("{} answers again", source.address().toASCIIString());
        }
        cache.write(source.fileName(), content);
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
}
