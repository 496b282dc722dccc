/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.lang.ref.WeakReference;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateRejectedException.Reason;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.internal.trust.RevocationCheck;
import org.signetmq.keystore.internal.trust.RevocationLists;
import org.signetmq.keystore.internal.trust.RevocationUpdater;
import org.signetmq.keystore.internal.x509.HomeCertificates;
import org.signetmq.keystore.internal.x509.Selector;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.keystore.trust.RevocationReport;
import org.signetmq.keystore.trust.TrustedCertificate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The recipients and the trust of a home, which are views of one snapshot of its files. It reads the files at most once
 * per second, and only those that changed. Thread-safe: while one thread reads, the others use the earlier snapshot.
 */
public final class HomeReader implements RecipientDirectory, CertificateTrust {
    private static final Logger LOG = LoggerFactory.getLogger(HomeReader.class);
    private static final long INTERVAL = TimeUnit.SECONDS.toNanos(1);
    private static final Duration DAY = Duration.ofDays(1);

    private final Home home;
    private final LongSupplier nanoTime;
    private final RevocationUpdater updater;
    private final Clock clock;
    private final @Nullable Named named;

    /** Whether the states of the home's certificates are fetched before messages need them. */
    private final boolean pinning;

    /** The version of the last trust, also of that of views. */
    private final AtomicLong version;

    private final LongAdder verifications = new LongAdder();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable State state;
    private volatile PolicyCertificates policies = PolicyCertificates.NONE;

    /** The last view, whose state this reader takes over with its certificates. */
    private volatile WeakReference<HomeReader> judged = new WeakReference<>(null);

    private Instant pinned = Instant.EPOCH; // guarded by the lock

    /** A certificate that a user trusts in place of {@code trust/}, and others beside those of the home. */
    record Named(X509Certificate certificate, Collection<X509Certificate> others) {}

    /**
     * A snapshot with its views.
     *
     * @param until the end of the time in which the files are not read again, of the monotonic clock
     * @param fetched the version of the fetched revocations
     * @param recipients null if a certificate is malformed
     * @param trust null if trust cannot be decided
     * @param problem the reason why it cannot
     */
    private record State(
            HomeSnapshot files,
            long until,
            long fetched,
            @Nullable RecipientIndex recipients,
            @Nullable TrustSnapshot trust,
            @Nullable KeystoreUnusableException problem) {
        RecipientIndex usableRecipients() {
            require(recipients == null ? problem : files.recipients().problem());
            return Objects.requireNonNull(recipients);
        }

        TrustSnapshot usableTrust() {
            require(problem);
            return Objects.requireNonNull(trust);
        }

        private static void require(@Nullable KeystoreUnusableException problem) {
            if (problem != null) {
                throw new KeystoreUnusableException(String.valueOf(problem.getMessage()), problem);
            }
        }
    }

    HomeReader(Home home, LongSupplier nanoTime) {
        this(home, nanoTime, RevocationUpdater.Mode.BACKGROUND, Clock.systemUTC());
    }

    HomeReader(Home home, LongSupplier nanoTime, RevocationUpdater.Mode mode, Clock clock) {
        this(home, nanoTime, mode, clock, null);
    }

    HomeReader(Home home, LongSupplier nanoTime, RevocationUpdater.Mode mode, Clock clock, @Nullable Named named) {
        this.home = home;
        this.nanoTime = nanoTime;
        this.updater = new RevocationUpdater(home.fetchedRevocations(), clock, mode);
        this.clock = clock;
        this.named = named;
        this.pinning = true;
        this.version = new AtomicLong();
    }

    /** Makes a view with other certificates of policies. It shares what the other reader has read and fetched. */
    private HomeReader(HomeReader other, PolicyCertificates policies) {
        this.home = other.home;
        this.nanoTime = other.nanoTime;
        this.updater = other.updater;
        this.clock = other.clock;
        this.named = other.named;
        this.pinning = false;
        this.version = other.version;
        this.policies = policies;
        this.state = other.current();
    }

    /** Fetches the states of the home's certificates before a message needs them, if the settings say so. */
    HomeReader begin() {
        var unused = current();
        updater.readPinned();
        return this;
    }

    /** Reads the changed files now, so that no message has to. */
    public void read() {
        lock.lock();
        try {
            look(true);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes certificates of policies, which count as files in {@code recipients/} do, from now on. A file of the same
     * name wins.
     *
     * @param texts base64 of DER, by the name of the party
     */
    @SuppressWarnings("ReferenceEquality") // the same certificates are the same object
    public void use(Map<String, String> texts) {
        HomeReader view = judged.get();
        PolicyCertificates next = PolicyCertificates.of(texts, policies);
        if (next == policies) {
            return;
        }
        if (view != null) {
            next = PolicyCertificates.of(texts, view.policies);
        }
        next.problems()
                .forEach((name, problem) ->
                        LOG.warn("certificate {} of the policies is not used: {}", PrintableText.of(name), problem));
        lock.lock();
        try {
            policies = next;
            State made = view == null || view.policies != next ? null : view.state;
            if (made == null || made.trust() == null) {
                look(true);
            } else {
                state = made;
                pin(made.trust(), false);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns the certificates of policies in use. */
    public PolicyCertificates policyCertificates() {
        return policies;
    }

    /**
     * Returns a view of this home with other certificates of policies; this object if it has them. The caller does not
     * close it.
     *
     * @param texts base64 of DER, by the name of the party
     */
    @SuppressWarnings("ReferenceEquality") // the same certificates are the same object
    public HomeReader with(Map<String, String> texts) {
        PolicyCertificates others = PolicyCertificates.of(texts, policies);
        if (others == policies) {
            return this;
        }
        HomeReader view = new HomeReader(this, others);
        view.read();
        judged = new WeakReference<>(view);
        return view;
    }

    /** Returns whether the entry of this name comes from the policies. */
    public boolean isOfPolicies(String name) {
        return current().usableRecipients().ofPolicies().contains(name);
    }

    /**
     * Reads the files if a certificate or a key came, went or was replaced since the last time. Looks only at the
     * attributes of folders, because senders choose how often it is called.
     *
     * @return whether they were read
     */
    @SuppressWarnings("ReferenceEquality") // an equal state may be a later one
    boolean refresh() {
        State seen = state;
        if (seen != null && seen.files().stamps().equals(HomeSnapshot.stamps(home))) {
            return false;
        }
        lock.lock(); // another thread may be reading the file for which this one waits
        try {
            if (seen == state) {
                look(true);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the snapshot of the files, which is another object after each reading. */
    HomeSnapshot files() {
        return current().files();
    }

    /**
     * Returns all keys of an identity, also those that are put into the home later.
     *
     * @param password the password of its key stores; the caller closes it, and the watch keeps a copy until it is
     *     closed
     * @throws KeystoreUnusableException if the current key cannot be loaded
     */
    public IdentityWatch watchIdentity(String name, Password password) {
        return new IdentityWatch(this, home.identityFiles(), name, password);
    }

    private State current() {
        State seen = state;
        if (seen != null && isFresh(seen) && seen.fetched() == updater.version()) {
            return seen;
        }
        if (seen == null) {
            lock.lock();
        } else if (!lock.tryLock()) {
            return seen;
        }
        try {
            return look(false);
        } finally {
            lock.unlock();
        }
    }

    private boolean isFresh(State seen) {
        return nanoTime.getAsLong() - seen.until() < 0;
    }

    /** Makes a state. The caller holds the lock. */
    private State look(boolean anew) {
        State seen = state;
        HomeSnapshot before = seen == null ? null : seen.files();
        long until;
        HomeSnapshot files;
        if (seen != null && !anew && isFresh(seen)) {
            until = seen.until();
            files = seen.files();
        } else {
            until = nanoTime.getAsLong() + INTERVAL;
            files = HomeSnapshot.of(home, before, policies);
        }
        TrustFile settings = files.settings().inForce();
        if (settings != null) {
            updater.use(settings.revocation());
        }
        long fetched = updater.version(); // before it is used, so that a later change is seen later
        RecipientIndex recipients = null;
        TrustSnapshot trust = null;
        KeystoreUnusableException problem = files.problem();
        try {
            State same = seen != null && files.isSame(seen.files()) ? seen : null;
            RecipientIndex indexed = same == null ? null : same.recipients();
            recipients = indexed == null ? RecipientIndex.of(files) : indexed;
            if (problem == null && settings != null) {
                TrustSnapshot judged = same == null || same.fetched() != fetched ? null : same.trust();
                trust = judged == null ? trust(files, settings) : judged;
                pin(trust, same != null);
            }
        } catch (RuntimeException malformed) {
            trust = null;
            problem = new KeystoreUnusableException(home.root() + ": has a malformed certificate", malformed);
        }
        State made = new State(files, until, fetched, recipients, trust, problem);
        state = made;
        return made;
    }

    private TrustSnapshot trust(HomeSnapshot files, TrustFile settings) {
        HomeCertificates certificates = files.certificates();
        Set<X509Certificate> issuers = new LinkedHashSet<>();
        if (named != null) {
            issuers.add(named.certificate());
            issuers.addAll(named.others());
        }
        issuers.addAll(certificates.all());
        RevocationLists lists = new RevocationLists(
                files.crl().values().flatMap(List::stream).toList(), files.crl().problems(), issuers);
        RevocationCheck revocations = new RevocationCheck(
                settings.revocation(),
                new RevocationCheck.Files(
                        lists, files.ocsp().values().toList(), files.ocsp().problems(), issuers),
                updater);
        HomeCertificates trusted = named == null
                ? certificates
                : new HomeCertificates(List.of(new Recipient("named", named.certificate())), List.of(), List.of());
        return new TrustSnapshot(version.incrementAndGet(), trusted, settings.keys(), revocations, verifications);
    }

    /**
     * Lets the states of the home's own certificates be fetched before messages need them. It looks for them after a
     * change of the files, and again if a day passes or the clock jumps, because the time decides which are usable.
     */
    private void pin(TrustSnapshot trust, boolean sameFiles) {
        Instant now = clock.instant();
        if (pinning && (!sameFiles || Duration.between(pinned, now).abs().compareTo(DAY) >= 0)) {
            pinned = now;
            updater.pin(() -> trust.issuedParties(clock.instant()));
        }
    }

    @Override
    public Optional<Recipient> find(String text) {
        return Selector.parse(text)
                .flatMap(selector -> current().usableRecipients().find(selector, clock.instant()));
    }

    @Override
    public List<Recipient> find(KeyIdentifier keyIdentifier) {
        List<Recipient> found = current().usableRecipients().find(keyIdentifier);
        // the signer's certificate may have come within this second
        return found.isEmpty() && refresh() ? current().usableRecipients().find(keyIdentifier) : found;
    }

    @Override
    public List<Recipient> all() {
        return current().usableRecipients().all();
    }

    @Override
    public List<Recipient> former() {
        return current().usableRecipients().former();
    }

    /** Returns a number that changes with recipients, trusted certificates, settings and revocations. */
    @Override
    public long version() {
        return current().usableTrust().version();
    }

    @Override
    public TrustedCertificate verify(
            X509Certificate certificate, Collection<X509Certificate> others, CertificateUse use, Instant at) {
        try {
            TrustedCertificate found = current().usableTrust().verify(certificate, others, use, at);
            if (!found.hasNameOfAnotherKey() || !refresh()) {
                return found;
            }
        } catch (CertificateRejectedException rejected) {
            if (rejected.reason() != Reason.UNTRUSTED || !refresh()) {
                throw rejected;
            }
        }
        return current().usableTrust().verify(certificate, others, use, at);
    }

    @Override
    public List<Recipient> trusted() {
        return current().usableTrust().trusted();
    }

    @Override
    public long signatureVerifications() {
        return verifications.sum();
    }

    @Override
    public Instant uncommittedUntil() {
        HomeSnapshot.Settings settings = current().files().settings();
        State.require(settings.unusable());
        return Objects.requireNonNull(settings.inForce()).uncommittedUntil();
    }

    @Override
    public RevocationReport revocations() {
        HomeSnapshot.Settings settings = current().files().settings();
        State.require(settings.unusable());
        return updater.report().with(settings.problem());
    }

    @Override
    public List<String> unknownStates(Instant at) {
        return current().usableTrust().unknownStates(at);
    }

    @Override
    public void fetchRevocations(Duration most) throws InterruptedException {
        var unused = current().usableTrust(); // pins the certificates of the home
        updater.fetchDue(most);
    }

    @Override
    public void close() {
        updater.close();
    }
}
