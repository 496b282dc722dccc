/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.audit.AuditLog;
import org.signetmq.interceptor.internal.audit.AuditLog.AuditedFolder;
import org.signetmq.interceptor.internal.audit.AuditLog.Author;
import org.signetmq.interceptor.internal.home.HomeNames.Used.Use;
import org.signetmq.interceptor.internal.home.PolicyChanges.ChangeOutcome;
import org.signetmq.interceptor.internal.home.PolicyChanges.PolicyRequest;
import org.signetmq.interceptor.internal.home.PolicyJudge.PolicyFinding;
import org.signetmq.interceptor.internal.home.PolicySource.FilePolicies;
import org.signetmq.interceptor.internal.log.EndingCertificates;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.store.ChangeOrigin;
import org.signetmq.interceptor.internal.store.PolicyJournal;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.file.FileStamp;
import org.signetmq.keystore.home.HomeReader;
import org.signetmq.keystore.home.PermissionCheck;
import org.signetmq.keystore.keys.DaemonThreads;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;

/**
 * Loads the files of the home when the plugin starts, and again when they change. It checks them about every second.
 * After a failed load the plugin rejects messages. While the policy file is invalid, the last valid policies stay in
 * force. It also makes changes of policies that the broker keeps.
 */
public final class ConfigurationWatcher implements AutoCloseable {
    /** The pause between two checks, so short that no message finds files of the home that it must read again. */
    private static final Duration INTERVAL = Duration.ofMillis(900);

    /** The state of a broker that keeps its policies in its journal and has not loaded the journal. */
    private static final String WAITING = "the broker is not active yet, so its policies are not loaded";

    /** The number of findings in one log entry. */
    private static final int MOST_LOGGED = 20;

    private final Map<String, String> properties;
    private final CryptoService.Factory services;
    private final Configuration configuration;
    private final AuditLog audit;
    private final HomeAudit homeAudit;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(new DaemonThreads("signet-home-watch"));

    private final EndingCertificates ending = new EndingCertificates();
    private @Nullable EndsSeen endsSeen;

    /** What the last check of the ends of certificates saw, and its hour. */
    private record EndsSeen(long policies, long files, Instant hour) {}

    private Runnable changed = () -> {};
    private @Nullable NamesSeen namesSeen;

    /** What the last check of the names in the home saw. */
    private record NamesSeen(long files, List<String> signers) {}

    private volatile Readiness readiness = new Readiness.Unavailable("the plugin has not started");
    private volatile @Nullable Identity loaded;
    private volatile @Nullable RuntimeException problemOfKey;
    private volatile @Nullable Consumer<String> clients;
    private @Nullable LoadedHome home;
    private @Nullable PolicySource policies;
    private @Nullable PolicyJudge judge;
    private PolicyChanges.InUse inUse = (before, now) -> List.of();
    private @Nullable StorageManager storage;
    private boolean openToOthers;
    private boolean closed;

    /**
     * Makes a watcher that has not started.
     *
     * @param properties the properties of the plugin in broker.xml
     * @param configuration the configuration of the broker, which policies must fit
     * @param audit records the changes of policies, keys and trust
     */
    public ConfigurationWatcher(
            Map<String, String> properties,
            CryptoService.Factory services,
            Configuration configuration,
            AuditLog audit) {
        this.properties = properties;
        this.services = services;
        this.configuration = configuration;
        this.audit = audit;
        this.homeAudit = new HomeAudit(audit);
    }

    /** Returns the current state of the plugin. */
    public Readiness readiness() {
        return readiness;
    }

    /** Loads the files, and begins to check them every second. */
    public void start() {
        look();
        var unused = timer.scheduleWithFixedDelay(
                this::look, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Loads the policies of the broker's journal, if they are there.
     *
     * @param journal the storage of the broker, which has loaded the journal
     * @param uses judges later changes of the policies by what the broker does then, too
     * @param action runs after each change of the policies, keys or trust in force; must not throw
     * @param receiver gets the text of the policies in force after each check of the files, outside of any lock
     */
    public synchronized void activate(
            StorageManager journal, PolicyChanges.InUse uses, Runnable action, Consumer<String> receiver) {
        storage = journal;
        inUse = uses;
        changed = action;
        clients = receiver;
        lookAtFiles();
    }

    /** Makes or judges a change of the policies. The change is in force when this method returns. */
    public synchronized ChangeOutcome change(PolicyRequest request) {
        if (!(policies instanceof BrokerPolicies store) || !store.isLoaded() || home == null) {
            return new ChangeOutcome.Refused(version(), reasonAgainstChanges());
        }
        if (store.lacksOfficer()) {
            return new ChangeOutcome.Refused(
                    version(), "nothing was changed: " + store.withoutOfficer().getMessage());
        }
        ChangeOutcome outcome = changes(store, home).change(request);
        if (outcome instanceof ChangeOutcome.Accepted accepted) {
            lookAtFiles();
            if (accepted.purpose() == PolicyRequest.Purpose.CHANGE) {
                audit.policiesChanged(accepted.before(), accepted.now(), author(request));
            }
        }
        return outcome;
    }

    private PolicyChanges changes(BrokerPolicies store, LoadedHome open) {
        return new PolicyChanges(store, open, BrokerNaming.of(configuration), inUse);
    }

    private static Author author(PolicyRequest request) {
        return new Author(request.origin().by(), request.origin().from());
    }

    /** Puts policies in place of lost ones. They are in force when this method returns. */
    public synchronized ChangeOutcome restore(PolicyRequest request) {
        if (!(policies instanceof BrokerPolicies store) || home == null) {
            return new ChangeOutcome.Refused(version(), reasonAgainstChanges());
        }
        if (store.isLoaded() && !store.lacksOfficer()) {
            return new ChangeOutcome.Refused(
                    version(), "the policies of this broker are not lost; import without --restore changes them");
        }
        ChangeOutcome outcome = changes(store, home).restore(request);
        if (outcome instanceof ChangeOutcome.Accepted accepted) {
            lookAtFiles();
            audit.policiesRestored(accepted.before(), accepted.now(), author(request));
        }
        return outcome;
    }

    /**
     * Returns the former sets of policies, the newest first.
     *
     * @throws IllegalStateException if this broker keeps none
     */
    public synchronized List<PolicyJournal.Former> former() {
        return keeping().former();
    }

    /**
     * Returns the document of the former set with this version.
     *
     * @throws IllegalArgumentException if there is none
     * @throws IllegalStateException if it is not as it was written, or this broker keeps none
     */
    public synchronized String former(long version) {
        try {
            return keeping()
                    .former(version)
                    .orElseThrow(() -> new IllegalArgumentException("version " + version
                            + ": the broker keeps no such former policies; signet policy history lists them"));
        } catch (IOException e) {
            throw new IllegalStateException(
                    "version " + version + ": these former policies are damaged; choose another version", e);
        }
    }

    private BrokerPolicies keeping() {
        if (policies instanceof BrokerPolicies store) {
            return store;
        }
        throw new IllegalStateException("no former policies: " + reasonAgainstChanges());
    }

    private String reasonAgainstChanges() {
        return policies instanceof FilePolicies
                ? "the policies of this broker are in the file policies.json of its home; change them on its machine by"
                        + " signet policy without --broker, or set its property policy-store to broker"
                : readiness instanceof Readiness.Unavailable unavailable ? unavailable.reason() : WAITING;
    }

    /** Returns the last policies, which may not be in force; empty if there are none. */
    public synchronized Optional<PolicySet> policies() {
        return policies != null && policies.isLoaded() ? Optional.of(policies.current()) : Optional.empty();
    }

    /** Returns the text of the policies in force, with its signature if it has one; empty if none are in force. */
    public synchronized Optional<String> text() {
        return policies == null || !(readiness instanceof Readiness.Ready)
                ? Optional.empty()
                : Optional.ofNullable(policies.text);
    }

    /** Returns the version of the last policies; 0 if there are none. */
    public long version() {
        return policies().map(PolicySet::version).orElse(0L);
    }

    /** Returns the origin of the policies in force; empty if it is unknown. */
    public synchronized Optional<ChangeOrigin> origin() {
        return Optional.ofNullable(policies).map(source -> source.origin);
    }

    /** Returns the place of the policies; empty before they are loaded. */
    public synchronized Optional<PluginSettings.Store> store() {
        return Optional.ofNullable(policies)
                .map(source ->
                        source instanceof FilePolicies ? PluginSettings.Store.FILE : PluginSettings.Store.BROKER);
    }

    /** Checks the key and the files, and loads those that changed. */
    void look() {
        problemOfKey = problemOfKey();
        lookAtFiles();
        Consumer<String> told = clients;
        if (told != null) {
            text().ifPresent(told);
        }
    }

    /**
     * Returns the reason why the broker's key cannot be used now; null if it can, or is not loaded yet. It takes no
     * lock, because a token may let it wait.
     */
    private @Nullable RuntimeException problemOfKey() {
        try {
            Identity ofBroker = loaded;
            if (ofBroker != null) {
                ofBroker.privateKey().requireUsable();
            }
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    private synchronized void lookAtFiles() {
        if (closed) {
            return;
        }
        try {
            become(load());
        } catch (Throwable e) {
            // any failure: the timer must continue, and no message may pass
            become(new Readiness.Unavailable(reason(e)));
        }
    }

    private Readiness load() throws IOException {
        PluginSettings settings = PluginSettings.of(properties);
        requireClosedToOthers(settings);
        if (home == null) {
            home = LoadedHome.open(settings, services);
        }
        home.names().files().read(); // here and not when a message comes
        home.identities().forgetChanged();
        Identity ofBroker = home.identities().ofBroker();
        RuntimeException problem = problemOfKey;
        if (ofBroker.equals(loaded) && problem != null) {
            throw problem;
        }
        loaded = ofBroker;
        if (policies == null) {
            policies = source(settings, home.names());
        }
        policies.look();
        home.names().files().use(policies.current().settings().certificates());
        home.crypto().retain(policies.current());
        homeAudit.look(home);
        warnOfEnds(policies.current(), home);
        return new Readiness.Ready(
                policies.current(),
                findings(policies.current(), home),
                policies.problem,
                home.names().trustProblem(),
                home);
    }

    /** Warns of certificates near their end, every hour and after a change of policies or certificates. */
    private void warnOfEnds(PolicySet current, LoadedHome open) {
        try {
            EndsSeen now = new EndsSeen(
                    current.version(),
                    open.names().files().version(),
                    Instant.now().truncatedTo(ChronoUnit.HOURS));
            if (!now.equals(endsSeen)) {
                endsSeen = now;
                List<EndingCertificates.Owned> owned = open.names().used(current, open.identities()).stream()
                        .map(used -> new EndingCertificates.Owned(
                                used.use() == Use.OWN
                                        ? "of the broker"
                                        : used.use().folder() + used.name(),
                                used.certificate()))
                        .toList();
                ending.look(owned, Instant.now())
                        .forEach(line -> PluginLog.LOG.warn("Signet needs new certificates: {}", line));
            }
        } catch (RuntimeException unreadable) { // the state shows it
            PluginLog.LOG.debug("the ends of certificates could not be checked", unreadable);
        }
    }

    private PolicySource source(PluginSettings settings, HomeNames names) throws IOException {
        BrokerNaming naming = BrokerNaming.of(configuration);
        if (settings.tuning().keeping().store() == PluginSettings.Store.FILE) {
            return new FilePolicies(names, naming, audit);
        }
        if (!configuration.isPersistenceEnabled()) {
            throw new IllegalArgumentException("property 'policy-store': the broker stores nothing, because its"
                    + " persistence-enabled is false; write 'file'");
        }
        if (storage == null) {
            throw new IOException(WAITING);
        }
        return new BrokerPolicies(new PolicyJournal(storage), settings, naming);
    }

    /** Returns the problems of the policies. They reject no message: each message is judged separately. */
    private List<PolicyFinding> findings(PolicySet current, LoadedHome open) {
        try {
            if (judge == null) {
                judge = new PolicyJudge(open.names(), open.identities());
            }
            return judge.findings(current);
        } catch (RuntimeException unjudged) {
            return List.of(new PolicyFinding(
                    "all policies",
                    PolicyFinding.Weight.FAILURE,
                    "cannot be checked: " + reason(unjudged),
                    "run signet doctor home to find the cause"));
        }
    }

    private void requireClosedToOthers(PluginSettings settings) {
        try {
            PermissionCheck.forThisUser()
                    .home(settings.home())
                    .secret(settings.passwordFile())
                    .part(settings.tuning().keeping().mark(settings.home()).file())
                    .requireNoFinding();
        } catch (KeystoreUnusableException e) {
            openToOthers = true;
            throw e;
        }
        if (openToOthers && home != null) {
            home.identities().forgetProblems();
        }
        openToOthers = false;
    }

    private void become(Readiness now) {
        Readiness before = readiness;
        if (now.equals(before)) {
            return; // the same object: decisions under a state are forgotten with it
        }
        readiness = now;
        if (now instanceof Readiness.Unavailable unavailable) {
            if (unavailable.reason().equals(WAITING)) {
                PluginLog.LOG.debug("Signet waits: {}", WAITING);
            } else {
                PluginLog.LOG.error(
                        "Signet rejects every message to a protected or unknown address: {}", unavailable.reason());
            }
        } else if (now instanceof Readiness.Ready ready) {
            changed.run();
            if (!(before instanceof Readiness.Ready old) || !old.policies().equals(ready.policies())) {
                PluginLog.LOG.info(
                        "Signet protects messages: {} policies, version {}",
                        ready.policies().policies().size(),
                        ready.policies().version());
                logNames(ready);
            }
            if (!(before instanceof Readiness.Ready)) {
                audit.started(ready.policies());
            }
            logTrust(before instanceof Readiness.Ready old ? old.trustProblem() : null, ready.trustProblem());
            logFindings(before instanceof Readiness.Ready old ? old.findings() : List.of(), ready.findings());
        }
    }

    private static void logTrust(@Nullable String before, @Nullable String now) {
        if (now != null && before == null) { // its certificates may change each second, and the state shows them
            PluginLog.LOG.warn("Signet does not know the state of certificates: {}", now);
        } else if (now == null && before != null) {
            PluginLog.LOG.info("Signet knows the state of all certificates again");
        }
    }

    private static void logFindings(List<PolicyFinding> before, List<PolicyFinding> now) {
        Set<PolicyFinding> known = Set.copyOf(before); // one ended certificate may be that of all policies
        List<PolicyFinding> fresh =
                now.stream().filter(finding -> !known.contains(finding)).toList();
        fresh.stream()
                .limit(MOST_LOGGED)
                .forEach(finding -> PluginLog.LOG.warn(
                        finding.isFailure() ? "Signet cannot apply a policy: {}" : "Signet found in a policy: {}",
                        finding));
        if (fresh.size() > MOST_LOGGED) {
            PluginLog.LOG.warn(
                    "Signet cannot apply policies: {} more; signet broker status lists them",
                    fresh.size() - MOST_LOGGED);
        }
        if (now.isEmpty() && !before.isEmpty()) {
            PluginLog.LOG.info("Signet can apply all policies again");
        }
    }

    private void logNames(Readiness.Ready ready) {
        try {
            HomeNames names = ready.home().names();
            NamesSeen now = new NamesSeen(names.files().version(), HomeNames.signers(ready.policies()));
            if (now.equals(namesSeen)) {
                return;
            }
            namesSeen = now;
            names.finding(ready.policies())
                    .ifPresent(finding -> PluginLog.LOG.warn(
                            "Signet found names in its home that do not stand for one key: {}", finding));
        } catch (RuntimeException unreadable) {
            PluginLog.LOG.warn("Signet could not check the names in its home: {}", reason(unreadable));
        }
    }

    /**
     * Returns the text of an exception of Signet, and only the class of another one, because its text may contain
     * secrets.
     */
    static String reason(Throwable problem) {
        if (problem instanceof InvalidPolicyException invalid) {
            return "policies: "
                    + String.join(
                            "; ",
                            invalid.problems().stream()
                                    .map(PolicyProblem::toString)
                                    .toList());
        }
        boolean forPeople = problem instanceof KeystoreUnusableException
                || problem instanceof CertificateRejectedException
                || problem instanceof IllegalArgumentException
                || problem instanceof IOException;
        String text = problem.getMessage();
        return forPeople && text != null
                ? text
                : "internal error: " + problem.getClass().getName();
    }

    @Override
    public synchronized void close() {
        closed = true;
        readiness = new Readiness.Unavailable("the plugin has stopped");
        timer.shutdownNow();
        if (home != null) {
            home.close();
            home = null;
        }
    }

    /** Compares the entries of a home with those of the last look, and records the changes. Not thread-safe. */
    static final class HomeAudit {
        /** The greatest number of revocation lists that are compared. */
        private static final int MOST_LISTS = 1000;

        private final AuditLog audit;
        private long version;

        /** The entries of the last look, by name; empty before it. */
        private Map<AuditedFolder, SortedMap<String, ?>> last = Map.of();

        HomeAudit(AuditLog audit) {
            this.audit = audit;
        }

        /** Records the changes since the last look. The first look records nothing. It throws no exception. */
        void look(LoadedHome home) {
            try {
                Map<AuditedFolder, SortedMap<String, ?>> before = last;
                long files = home.names().files().version(); // before its entries, so that a later change is seen later
                Map<AuditedFolder, SortedMap<String, ?>> now = new EnumMap<>(AuditedFolder.class);
                now.putAll(before);
                now.put(AuditedFolder.IDENTITIES, identities(home.identities(), before.get(AuditedFolder.IDENTITIES)));
                if (before.isEmpty() || files != version) {
                    see(home.names(), now);
                }
                last = now;
                version = files;
                before.forEach((folder, entries) -> {
                    SortedMap<String, ?> entriesNow = Objects.requireNonNull(now.get(folder));
                    if (!entries.equals(entriesNow)) {
                        audit.folderChanged(folder, entries, entriesNow);
                    }
                });
            } catch (RuntimeException | IOException unseen) {
                PluginLog.LOG.debug("the changes of the home could not be recorded", unseen);
            }
        }

        private static void see(HomeNames names, Map<AuditedFolder, SortedMap<String, ?>> now) throws IOException {
            HomeReader files = names.files();
            now.put(
                    AuditedFolder.RECIPIENTS,
                    byName(Stream.concat(files.all().stream(), files.former().stream())
                            .filter(entry -> !files.isOfPolicies(entry.name())) // the change of policies has them
                            .toList()));
            now.put(AuditedFolder.TRUST, byName(files.trusted()));
            now.put(AuditedFolder.CRL, files(names.home().crl()));
            now.put(AuditedFolder.OCSP, files(names.home().ocsp()));
            FileStamp settings = FileStamp.of(names.home().trustSettings());
            now.put(AuditedFolder.HOME, new TreeMap<>(settings.exists() ? Map.of("trust.json", settings) : Map.of()));
        }

        /** Returns the loaded identities. One that the plugin forgot is still known while its file exists. */
        private static SortedMap<String, ?> identities(Identities identities, @Nullable SortedMap<String, ?> before) {
            SortedMap<String, Object> known = new TreeMap<>(identities.loaded());
            if (before != null) {
                before.forEach((name, certificate) -> {
                    if (!known.containsKey(name) && identities.hasKeyStore(name)) {
                        known.put(name, certificate);
                    }
                });
            }
            return known;
        }

        /** Returns the certificates by name. Further certificates of one file have a number behind its name. */
        private static SortedMap<String, X509Certificate> byName(List<Recipient> entries) {
            SortedMap<String, X509Certificate> byName = new TreeMap<>();
            Map<String, Integer> counts = new HashMap<>();
            for (Recipient entry : entries) {
                int number = counts.merge(entry.name(), 1, Integer::sum);
                byName.put(number == 1 ? entry.name() : entry.name() + '#' + number, entry.certificate());
            }
            return byName;
        }

        private static SortedMap<String, FileStamp> files(Path folder) throws IOException {
            SortedMap<String, FileStamp> files = new TreeMap<>();
            if (Files.isDirectory(folder)) {
                try (DirectoryStream<Path> listed = Files.newDirectoryStream(folder)) {
                    for (Path file : listed) {
                        if (files.size() < MOST_LISTS) {
                            files.put(String.valueOf(file.getFileName()), FileStamp.of(file));
                        }
                    }
                }
            }
            return files;
        }
    }
}
