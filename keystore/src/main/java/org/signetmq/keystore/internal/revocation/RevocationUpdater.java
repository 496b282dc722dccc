/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.internal.crl.Issued;
import org.signetmq.keystore.internal.ocsp.OcspQuestion;
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

    private final RevocationTargets targets;
    private final RevocationCopies copies;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();
    private final UnknownStates unknown;
    private final SeenCertificates seen = new SeenCertificates();
    private final FetchThread thread;

    /** The lock of the start, which no message takes. It is taken before all others. */
    private final Object pinning = new Object();

    private @Nullable Supplier<? extends Collection<Issued>> toPin; // guarded by this
    private @Nullable HttpDownload download; // guarded by this

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
        this.targets = new RevocationTargets(clock);
        this.copies = new RevocationCopies(new RevocationCache(folder), targets, clock);
        this.clock = clock;
        this.unknown = new UnknownStates(clock);
        this.thread = new FetchThread(this, mode);
    }

    /**
     * Takes changed settings. It removes addresses that they no longer allow, and asks those with a problem at once.
     */
    @SuppressWarnings("ReferenceEquality") // equal settings are the same object, or cost a little time
    public void use(RevocationSettings next) {
        RevocationSettings before = targets.settings();
        if (next != before && !next.equals(before)) {
            change(next);
        }
    }

    private synchronized void change(RevocationSettings next) {
        download = null;
        unknown.clear();
        targets.use(next);
    }

    /**
     * Sets the certificates of the home, whose states are fetched before a message needs them.
     *
     * @param certificates finds them; the thread that fetches calls it once
     */
    public synchronized void pin(Supplier<? extends Collection<Issued>> certificates) {
        if (targets.settings().isFetching()) {
            toPin = certificates;
            thread.wake();
        }
    }

    /**
     * Notes that a message needs the state of a certificate. The first message reads its copies on disk. Only messages
     * that need the same copies wait for that.
     */
    void want(Issued issued) {
        if (targets.settings().isFetching()) {
            Map<RevocationTarget, RevocationFetch> unread = targets.want(issued);
            if (!unread.isEmpty()) {
                thread.wake();
                copies.read(unread);
            }
        }
    }

    KnownRevocations known() {
        return targets.known();
    }

    UnknownStates unknown() {
        return unknown;
    }

    SeenCertificates seen() {
        return seen;
    }

    /** Returns a number that grows with each change that can change an answer about a certificate. */
    public long version() {
        return targets.known().version();
    }

    /** Returns the state of all sources. */
    public RevocationReport report() {
        return new RevocationReport(targets.settings(), null, targets.states(), unknown.list());
    }

    /**
     * Asks the targets that are due, one after the other. Waits for the network.
     *
     * @param most the time after which no further target is asked
     */
    public void fetchDue(Duration most) throws InterruptedException {
        long begin = System.nanoTime();
        takePins();
        for (Map.Entry<RevocationTarget, RevocationFetch> each : targets.due()) {
            if (System.nanoTime() - begin > most.toNanos()) {
                break;
            }
            targets.publishSoon();
            fetch(each.getKey(), each.getValue());
        }
        targets.publishNow();
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
                targets.pin(finder.get()); // verifies signatures, so no message waits for it
            }
            copies.read(targets.wantPins());
        }
    }

    private synchronized @Nullable Supplier<? extends Collection<Issued>> takeFinder() {
        Supplier<? extends Collection<Issued>> finder = toPin;
        toPin = null;
        return finder;
    }

    private void fetch(RevocationTarget target, RevocationFetch fetch) throws InterruptedException {
        HttpDownload http = download();
        try {
            if (target.isList()) {
                byte[] list = http.get(target.address(), FetchLimits.LIST_BYTES);
                store(target, fetch, list, FetchedContent.list(list, fetch.issued(), clock.instant()));
            } else {
                OcspQuestion question = OcspQuestion.about(fetch.issued(), random);
                byte[] answer = http.post(target.address(), question.encoded(), FetchLimits.ANSWER_BYTES);
                store(target, fetch, answer, FetchedContent.answer(answer, fetch.issued(), clock.instant(), question));
            }
        } catch (IOException | RuntimeException failed) {
            boolean forPeople = failed instanceof IOException || failed instanceof KeystoreUnusableException;
            String reason = PrintableText.of(
                    forPeople ? failed.getMessage() : failed.getClass().getName(), PrintableText.LONGEST_REASON);
            if (targets.fail(fetch, reason)) {
                LOG.warn(
                        "{} gave no usable revocation list or OCSP answer: {}",
                        target.address().toASCIIString(),
                        reason);
            }
        }
    }

    private synchronized HttpDownload download() {
        HttpDownload made = download;
        if (made == null) {
            made = HttpDownload.with(targets.settings());
            download = made;
        }
        return made;
    }

    private void store(RevocationTarget target, RevocationFetch fetch, byte[] content, FetchedContent found) {
        RevocationTargets.Taken taken = targets.take(target, fetch, found);
        if (taken == RevocationTargets.Taken.FORGOTTEN) {
            return; // its copy may be newer
        }
        if (found.mayRevoke()) {
            targets.publishNow();
        } else {
            targets.publishSoon();
        }
        if (taken == RevocationTargets.Taken.MENDED) {
            LOG.info("{} answers again", target.address().toASCIIString());
        }
        copies.write(target, fetch, content);
    }

    @Override
    public void close() {
        thread.close();
    }
}
