/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.HomeReader;
import org.signetmq.keystore.home.PermissionCheck;
import org.signetmq.policy.BrokerAddresses;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Supplies the policies of a client: those of its file, and those that its broker publishes if the application asked
 * for them. With officers, the signed set of the higher version counts. Without, a fetched set makes the file's
 * policies stricter alone, and its certificates do not count. The last good set is kept in the home. Thread-safe.
 */
public final class ClientPolicies implements Supplier<PolicySet>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClientPolicies.class);
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

    private final Home home;
    private final HomeReader certificates;
    private final List<X509Certificate> officers;
    private final PolicyWatch file;
    private volatile InForce inForce = new InForce(null, null, null, false);
    private volatile @Nullable Fetched fetched;
    private volatile long heard;
    // guarded by this object
    private boolean fetching;
    private boolean closed;
    private boolean unwritten;
    private String complaint = "";
    private @Nullable PolicyFetcher fetcher;
    private long begun;

    /** Where a set came from. */
    public enum Source {
        /** The file of the home. */
        FILE,
        /** The broker, since the client was started. */
        BROKER,
        /** The broker, before the client was started. */
        DISK
    }

    /** Makes a connection, with the credentials of a connection of the application. */
    @FunctionalInterface
    public interface Connecting {
        Connection connect() throws JMSException;
    }

    /** A set that a broker published. */
    private record Fetched(PolicySet set, Source source) {}

    /**
     * The policies in force, with the sets that they were made of.
     *
     * @param policies null if none are known
     * @param isFetched whether the version of the fetched set counts
     */
    private record InForce(
            @Nullable PolicySet file,
            @Nullable Fetched fetched,
            @Nullable PolicySet policies,
            boolean isFetched) {
        @SuppressWarnings("ReferenceEquality") // asked for each message; equal sets would only be combined again
        boolean isOf(@Nullable PolicySet own, @Nullable Fetched theirs) {
            return file == own && fetched == theirs;
        }

        Source source() {
            return isFetched && fetched != null ? fetched.source() : Source.FILE;
        }

        long version() {
            PolicySet counted = isFetched && fetched != null ? fetched.set() : policies;
            return counted == null ? 0 : counted.version();
        }
    }

    /**
     * Reads the file of a home, if it is there.
     *
     * @param certificates takes the certificates of the policies in force
     * @throws KeystoreUnusableException if it cannot be read, or other users may write to it
     * @throws InvalidPolicyException if its policies cannot work
     */
    public ClientPolicies(Home home, HomeReader certificates, Clock clock) {
        this.home = home;
        this.certificates = certificates;
        this.officers = home.officers();
        try {
            this.file = new PolicyWatch(home.policies(), officers, clock);
        } catch (IOException e) {
            throw new KeystoreUnusableException("policies: cannot be read from " + home.policies(), e);
        }
    }

    /**
     * Fetches policies from the broker, from the next connection on. Takes the last good set of the home until then.
     *
     * @throws KeystoreUnusableException if the last good set cannot be read
     */
    public synchronized void fetch() {
        if (!fetching) {
            fetched = kept().map(set -> new Fetched(set, Source.DISK)).orElse(null);
            fetching = true;
        }
    }

    /** Begins to fetch, if the application asked for it, as the user of a connection that the application made. */
    public synchronized void connected(Connecting connecting) {
        if (!fetching || closed) {
            return;
        }
        if (fetcher == null) {
            begun = System.nanoTime();
            fetcher = new PolicyFetcher(connecting, this::arrived, this::complain);
        } else {
            fetcher.connected(connecting);
        }
    }

    /**
     * Returns the policies in force. Waits for the first ones of the broker, at most ten seconds after the first
     * connection.
     *
     * @throws KeystoreUnusableException if there are none, or other users may write to the file
     */
    @Override
    public PolicySet get() {
        PolicySet known = inForce().policies();
        return known == null ? await() : known;
    }

    private InForce inForce() {
        InForce now = inForce;
        return now.isOf(file.get(), fetched) ? now : combine();
    }

    private synchronized PolicySet await() {
        try {
            for (InForce now = combine(); ; now = combine()) {
                if (now.policies() != null) {
                    return now.policies();
                }
                long left = begun + PATIENCE - System.nanoTime();
                if (fetcher == null || closed || left <= 0) {
                    throw new KeystoreUnusableException(noneAreKnown());
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KeystoreUnusableException("policies: interrupted while waiting for those of the broker", e);
        }
    }

    private synchronized String noneAreKnown() {
        return "policies: none are known: " + home.policies() + " is missing"
                + (fetching
                        ? ", and the broker published none on " + BrokerAddresses.POLICIES
                        : "; copy the broker's there, or make the connection factory withPoliciesOfBroker()");
    }

    /** Returns the reason why no policies are in force; null if some are. Waits for none. */
    public @Nullable String problem() {
        try {
            return inForce().policies() == null ? noneAreKnown() : null;
        } catch (KeystoreUnusableException e) {
            return e.getMessage();
        }
    }

    private synchronized InForce combine() {
        PolicySet own = file.get();
        Fetched theirs = fetched;
        InForce now = inForce;
        if (!now.isOf(own, theirs)) {
            now = combined(own, theirs);
            if (now.policies() != null) {
                certificates.use(now.policies().settings().certificates());
            }
            inForce = now;
            notifyAll();
            LOG.info("policies in force: version {} of {}", now.version(), now.source());
        }
        return now;
    }

    private InForce combined(@Nullable PolicySet own, @Nullable Fetched theirs) {
        if (theirs == null) {
            return new InForce(own, null, own, false);
        }
        PolicySet set = theirs.set();
        if (!officers.isEmpty()) {
            boolean isNewest = own == null || set.version() >= own.version();
            return new InForce(own, theirs, isNewest ? set : own, isNewest);
        }
        if (own == null) {
            PolicySet.Settings settings = set.settings().withCertificates(Map.of());
            return new InForce(null, theirs, PolicySet.of(set.version(), settings, set.policies()), true);
        }
        if (!own.wildcards().equals(set.wildcards())) {
            complain("not used, their wildcards are not those of " + home.policies() + ": "
                    + set.wildcards().describe());
            return new InForce(own, theirs, own, false);
        }
        PolicySet both = own.tightenedBy(
                set,
                weaker -> LOG.warn(
                        "policies of the broker, version {}: weaker than {} for {}, and not used where they are;"
                                + " only an officer's signature can make a client less strict",
                        set.version(),
                        PrintableText.of(home.policies().toString()),
                        PrintableText.quoted(weaker)));
        return new InForce(own, theirs, both, true);
    }

    /** Takes the text of a set from the broker, in UTF-8. */
    void arrived(byte[] text) {
        PolicySet set;
        try {
            set = PolicyWatch.parse(text, officers);
            long known = officers.isEmpty() ? 0 : kept().map(PolicySet::version).orElse(0L);
            if (set.version() < known) {
                complain("refused, version " + set.version() + " is older than version " + known
                        + ", which the officer signed, too");
                return;
            }
        } catch (RuntimeException e) {
            complain("refused: " + e.getMessage());
            return;
        }
        synchronized (this) {
            Fetched before = fetched;
            boolean isKnown = before != null && before.set().equals(set);
            if (!officers.isEmpty()
                    && before != null
                    && !isKnown
                    && set.version() <= before.set().version()) {
                complain("refused, version " + set.version() + " is not newer than version "
                        + before.set().version() + ", which the officer signed, too");
                return;
            }
            heard = Math.max(1, System.nanoTime());
            complaint = "";
            if (before == null || !isKnown || before.source() != Source.BROKER) {
                fetched = new Fetched(set, Source.BROKER);
                combine();
            }
            if (!isKnown) {
                keep(text);
            }
        }
    }

    /** Returns the last good set in the home; empty if there is none. */
    private Optional<PolicySet> kept() {
        Path kept = home.fetchedPolicies();
        try {
            PermissionCheck.forThisUser().part(kept).requireNoFinding();
            return new WholeFile(kept).read(PolicyFile.LONGEST).map(text -> PolicyWatch.parse(text, officers));
        } catch (IOException | InvalidPolicyException e) {
            throw new KeystoreUnusableException(
                    "policies: the last ones of the broker cannot be read from " + kept + ": "
                            + PrintableText.of(e.getMessage(), PrintableText.LONGEST_REASON)
                            + "; delete the file to wait for the broker's",
                    e);
        }
    }

    private void keep(byte[] text) {
        WholeFile kept = new WholeFile(home.fetchedPolicies());
        try {
            kept.write(text, kept.permissionsOr(WholeFile.READABLE));
        } catch (IOException e) {
            if (!unwritten) {
                LOG.warn(
                        "policies of the broker: not kept in {}, so the client cannot start with them: {}",
                        PrintableText.of(kept.path().toString()),
                        PrintableText.of(e.getClass().getSimpleName()));
            }
            unwritten = true;
        }
    }

    /** Logs a problem with the policies of the broker, unless it was the last one, too. */
    private synchronized void complain(String problem) {
        if (!problem.equals(complaint) && !closed) {
            complaint = problem;
            LOG.warn("policies of the broker: {}", PrintableText.of(problem, PrintableText.LONGEST_REASON));
        }
    }

    /** Returns the version in force; 0 if none is. */
    public long version() {
        return inForce().version();
    }

    /** Returns whether the policies in force come from there. */
    public boolean isFrom(Source source) {
        InForce now = inForce();
        return now.policies() != null && now.source() == source;
    }

    /** Returns the seconds since the broker last published a good set; NaN if it has not. */
    public double age() {
        long last = heard;
        return last == 0 ? Double.NaN : (System.nanoTime() - last) / 1e9;
    }

    /** Ends fetching. The policies stay in force. */
    @Override
    public synchronized void close() {
        closed = true;
        if (fetcher != null) {
            fetcher.close();
        }
        notifyAll();
    }
}
