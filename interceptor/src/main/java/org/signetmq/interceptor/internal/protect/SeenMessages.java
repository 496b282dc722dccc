/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.activemq.artemis.api.core.ActiveMQIllegalStateException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.Pair;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.postoffice.DuplicateIDCache;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.RoutingContext;
import org.apache.activemq.artemis.core.settings.HierarchicalRepository;
import org.apache.activemq.artemis.core.settings.HierarchicalRepositoryChangeListener;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.apache.activemq.artemis.core.transaction.TransactionOperationAbstract;
import org.apache.activemq.artemis.core.transaction.impl.TransactionImpl;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.EnvelopeChain;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.protect.MessageSealer.ProtectionRequest;
import org.signetmq.policy.Amounts;

/**
 * Remembers the signed messages that the broker took, for policies with a replay window, and rejects a second one. The
 * identifiers lie in the broker's journal, as those of its own duplicate detection, and each is stored in the
 * transaction of its message. So they survive a restart, reach a backup, and end with a rollback. The memory is
 * bounded: the oldest second of signing makes room, and messages that were signed until then are rejected from then on.
 * Thread-safe.
 */
public final class SeenMessages implements AutoCloseable {
    /** The greatest number of identifiers in memory, without those of open transactions. */
    public static final int MOST = 200_000;

    /** The longest time in seconds that the clock of a signer may be ahead. */
    static final long MOST_AHEAD = 300;

    /** The time in seconds between two removals of identifiers that are older than every window. */
    private static final long BETWEEN_REMOVALS = 30;

    /** The name of the broker's settings that let it load all identifiers at its start. */
    private static final String SETTINGS = "$signet";

    /**
     * The address of the identifiers in the journal. No client can send or bind to it, because the broker takes the
     * part before the colons as the address.
     */
    static final SimpleString KEPT_UNDER = SimpleString.of(SETTINGS + "::seen");

    private static final long NO_RECORD = -1;

    /** The key, in the user context of a message, of its {@link Arrival}. No peer can set it. */
    private static final Object ARRIVAL = new Object();

    private final ActiveMQServer server;
    private final InstantSource clock;
    private final Supplier<Duration> longestWindow;
    private final int most;
    private final HierarchicalRepositoryChangeListener settings = this::keepSettings;

    // all below guarded by this
    private final NavigableMap<Long, Map<Id, Long>> bySecond = new TreeMap<>();
    private final Set<Id> inTransactions = new HashSet<>();
    private int size;
    private long floor = Long.MIN_VALUE;
    private long floorRecord = NO_RECORD;
    private long removedAt = Long.MIN_VALUE;
    private @Nullable DuplicateIDCache loaded;

    /**
     * Makes a memory, which loads its identifiers when the first message arrives.
     *
     * @param longestWindow the longest replay window of the policies in force
     */
    public SeenMessages(ActiveMQServer server, Supplier<Duration> longestWindow) {
        this(server, longestWindow, InstantSource.system(), MOST);
    }

    SeenMessages(ActiveMQServer server, Supplier<Duration> longestWindow, InstantSource clock, int most) {
        this.server = server;
        this.longestWindow = longestWindow;
        this.clock = clock;
        this.most = most;
        if (server.isActive()) { // the plugin was not there until now, and the broker loads identifiers at its start
            // alone
            this.floor = clock.instant().getEpochSecond();
        }
        server.getAddressSettingsRepository().registerListener(settings);
        keepSettings();
    }

    /** A Message-ID. */
    private record Id(long high, long low) {}

    /** A signed message of a client, until the broker has taken it. For the thread of its session. */
    private static final class Arrival {
        private final Id id;
        private final long signedAt; // seconds since 1970
        private boolean admitted;
        private @Nullable Transaction sentIn;
        private @Nullable Transaction begun;

        private Arrival(Id id, long signedAt) {
            this.id = id;
            this.signedAt = signedAt;
        }

        private byte[] bytes() {
            return ByteBuffer.allocate(3 * Long.BYTES)
                    .putLong(signedAt)
                    .putLong(id.high())
                    .putLong(id.low())
                    .array();
        }
    }

    /**
     * Notes that a message of a client has a verified signature, if its policy has a replay window. The last check
     * follows when the broker routes the message.
     *
     * @throws MessageRejectedException if it was not signed within the window
     */
    public static void note(Message message, ProtectionRequest request, @Nullable EnvelopeChain verified)
            throws MessageRejectedException {
        Duration window = request.target().policy().policy().enforcement().replayWindow();
        EnvelopeChain.SignedMessage signed = window == null || verified == null ? null : verified.signedMessage();
        if (window != null && signed != null && request.source().isClient()) {
            note(message, signed, window);
        }
    }

    static void note(Message message, EnvelopeChain.SignedMessage signed, Duration window)
            throws MessageRejectedException {
        long at = signed.signedAt()
                .orElseThrow(() -> new MessageRejectedException(
                        RejectionReason.POLICY_VIOLATION,
                        "its signature states no signing time, which the replay-window of its policy requires"));
        long now = Instant.now().getEpochSecond();
        String problem = at > now + MOST_AHEAD
                ? ": more than " + Amounts.format(Duration.ofSeconds(MOST_AHEAD)) + " ahead; set the producer's clock"
                : at < now - window.toSeconds()
                        ? ": longer ago than the replay-window of " + Amounts.format(window)
                                + " of its policy; seal it again, or set the producer's clock"
                        : null;
        if (problem != null) {
            throw replayed("it was signed at " + Instant.ofEpochSecond(at) + ", and the broker's clock says "
                    + Instant.ofEpochSecond(now) + problem);
        }
        ByteBuffer id = ByteBuffer.wrap(HexFormat.of().parseHex(signed.messageId()));
        message.setUserContext(ARRIVAL, new Arrival(new Id(id.getLong(), id.getLong()), at));
    }

    private static MessageRejectedException replayed(String reason) {
        return new MessageRejectedException(RejectionReason.REPLAYED, reason);
    }

    /** Lets another object of the broker stand for the same message. */
    public static void share(Message noted, Message other) {
        Object arrival = noted.getUserContext(ARRIVAL);
        if (arrival != null) {
            other.setUserContext(ARRIVAL, arrival);
        }
    }

    /** Sets the transaction of the session that sends a message. The broker uses another one for some messages. */
    public static void sentIn(Message message, @Nullable Transaction transaction) {
        if (message.getUserContext(ARRIVAL) instanceof Arrival arrival) {
            arrival.sentIn = transaction;
        }
    }

    /**
     * Takes a noted message that the broker routes. Its identifier is stored with it: in its transaction, or in a new
     * one that ends with the send.
     *
     * @throws MessageRejectedException if the broker took the message before, or can no longer know
     */
    public void admit(Message message, RoutingContext context) throws Exception {
        if (!(message.getUserContext(ARRIVAL) instanceof Arrival arrival) || arrival.admitted) {
            return;
        }
        Transaction given = context.getTransaction();
        boolean ofBroker = given != null && given != arrival.sentIn; // begun for the broker's own duplicate detection
        try {
            reserve(arrival);
        } catch (MessageRejectedException rejected) {
            if (ofBroker) {
                given.rollback(); // the broker would keep it for ever
            }
            throw rejected;
        }
        StorageManager storage = server.getStorageManager();
        try {
            Transaction transaction = given == null ? new TransactionImpl(storage) : given;
            long record = storage.generateID();
            transaction.addOperation(new Taking(arrival, record));
            arrival.admitted = true;
            arrival.begun = given == null || ofBroker ? transaction : null;
            storage.storeDuplicateIDTransactional(transaction.getID(), KEPT_UNDER, arrival.bytes(), record);
            transaction.setContainsPersistent();
            context.setTransaction(transaction);
        } finally {
            if (!arrival.admitted) {
                release(arrival);
            }
        }
    }

    /** Ends the transaction of a message that the broker took. */
    public void sent(Message message) throws Exception {
        if (message.getUserContext(ARRIVAL) instanceof Arrival arrival) {
            Transaction begun = arrival.begun;
            if (begun != null && isOpen(begun)) {
                begun.commit();
            }
        }
    }

    /** Forgets a message that the broker did not take. The transaction of its session can then only roll back. */
    public void failed(Message message) throws Exception {
        if (!(message.getUserContext(ARRIVAL) instanceof Arrival arrival) || !arrival.admitted) {
            return;
        }
        Transaction begun = arrival.begun;
        Transaction ofSession = arrival.sentIn;
        if (begun != null && isOpen(begun)) {
            begun.rollback();
        } else if (begun == null && ofSession != null) {
            ofSession.markAsRollbackOnly(
                    new ActiveMQIllegalStateException("the broker could not take a signed message"));
        }
    }

    private static boolean isOpen(Transaction begun) {
        return begun.getState() == Transaction.State.ACTIVE || begun.getState() == Transaction.State.ROLLBACK_ONLY;
    }

    private synchronized void reserve(Arrival arrival) throws Exception {
        load();
        Map<Id, Long> taken = bySecond.getOrDefault(arrival.signedAt, Map.of());
        if (taken.containsKey(arrival.id)
                || inTransactions.contains(arrival.id)
                || (loaded != null && loaded.contains(arrival.bytes()))) {
            throw replayed("the broker took this message before: the same Message-ID, signed at "
                    + Instant.ofEpochSecond(arrival.signedAt)
                    + "; a producer that sends it again after a lost connection need not do so");
        }
        if (arrival.signedAt <= floor) {
            throw replayed("it was signed at " + Instant.ofEpochSecond(arrival.signedAt)
                    + ", and the broker can know only of messages signed after " + Instant.ofEpochSecond(floor)
                    + " whether it took them before; seal it again");
        }
        boolean unused = inTransactions.add(arrival.id);
    }

    private synchronized void release(Arrival arrival) {
        boolean unused = inTransactions.remove(arrival.id);
    }

    private synchronized void take(Arrival arrival, long record) throws Exception {
        release(arrival);
        if (arrival.signedAt <= floor) { // made room meanwhile
            server.getStorageManager().deleteDuplicateID(record);
            return;
        }
        add(arrival.signedAt, arrival.id, record);
        makeRoom();
    }

    private void add(long signedAt, Id id, long record) {
        if (bySecond.computeIfAbsent(signedAt, first -> new HashMap<>()).put(id, record) == null) {
            size++;
        }
    }

    /** Removes the identifiers that are older than every window, and the oldest if there are too many. */
    private void makeRoom() throws Exception {
        long now = clock.instant().getEpochSecond();
        boolean due = now - BETWEEN_REMOVALS >= removedAt;
        long oldest = due ? now - longestWindow.get().toSeconds() : Long.MIN_VALUE;
        if (due) {
            removedAt = now;
        }
        List<Long> removed = new ArrayList<>();
        while (!bySecond.isEmpty() && (size > most || bySecond.firstKey() < oldest)) {
            var first = bySecond.pollFirstEntry();
            size -= first.getValue().size();
            floor = Math.max(floor, first.getKey());
            removed.addAll(first.getValue().values());
        }
        if (removed.isEmpty()) {
            return;
        }
        StorageManager storage = server.getStorageManager();
        long record = storage.generateID();
        storage.storeDuplicateID(
                KEPT_UNDER, ByteBuffer.allocate(Long.BYTES).putLong(floor).array(), record);
        if (floorRecord != NO_RECORD) {
            removed.add(floorRecord);
        }
        floorRecord = record;
        for (long gone : removed) {
            storage.deleteDuplicateID(gone);
        }
    }

    /** Loads the identifiers that the broker read from its journal. */
    private void load() throws Exception {
        if (loaded != null) {
            return;
        }
        if (!server.getConfiguration().isPersistenceEnabled()
                || !server.getConfiguration().isPersistIDCache()) {
            throw new MessageRejectedException("its policy has a replay-window, for which broker.xml must not turn off"
                    + " persistence-enabled or persist-id-cache");
        }
        DuplicateIDCache kept = server.getPostOffice().getDuplicateIDCache(KEPT_UNDER);
        List<Pair<byte[], Long>> records = kept.getMap();
        for (Pair<byte[], Long> record : records) {
            ByteBuffer bytes = ByteBuffer.wrap(record.getA());
            long second = bytes.getLong();
            if (bytes.hasRemaining()) {
                add(second, new Id(bytes.getLong(), bytes.getLong()), record.getB());
            } else if (second >= floor) {
                floor = second;
                floorRecord = record.getB();
            }
        }
        if (records.size() >= kept.getSize()) { // the broker loads no more, and may have deleted some
            floor = Math.max(floor, clock.instant().getEpochSecond() + MOST_AHEAD);
            PluginLog.LOG.warn(
                    "Signet rejects messages signed before {}, because the broker may have lost identifiers of messages",
                    Instant.ofEpochSecond(floor));
        }
        loaded = kept;
    }

    /** Lets the broker load all identifiers at its next start, also after a reload of broker.xml. */
    private void keepSettings() {
        HierarchicalRepository<AddressSettings> all = server.getAddressSettingsRepository();
        if (!all.containsExactMatch(SETTINGS)) {
            all.addMatch(SETTINGS, new AddressSettings().setIDCacheSize(MOST + MOST / 10));
        }
    }

    @Override
    public void close() {
        server.getAddressSettingsRepository().unRegisterListener(settings);
    }

    /** Moves an identifier from the transaction to the memory. */
    private final class Taking extends TransactionOperationAbstract {
        private final Arrival arrival;
        private final long record;

        private Taking(Arrival arrival, long record) {
            this.arrival = arrival;
            this.record = record;
        }

        @Override
        public void afterCommit(Transaction transaction) {
            try {
                take(arrival, record);
            } catch (Exception e) { // the journal has more identifiers than needed
                PluginLog.LOG.warn("identifiers of messages could not be removed from the journal", e);
            }
        }

        /** Forgets the message before its producer hears of the end, so that it can send the message again at once. */
        @Override
        public void beforeRollback(Transaction transaction) {
            release(arrival);
        }
    }
}
