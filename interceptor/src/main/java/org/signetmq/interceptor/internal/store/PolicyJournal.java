/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.core.persistence.OperationContext;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.persistence.config.PersistedKeyValuePair;
import org.signetmq.interceptor.internal.log.PluginLog;

/**
 * Keeps the policies in the broker's bindings journal, which the broker replicates to its backup. Not thread-safe.
 *
 * <p>A record of that journal holds at most 1 MiB, so a document takes several records. They are one generation. A last
 * record, the seal of the generation, makes it valid. The journal adds a record whole or not at all, so a broker that
 * is killed has the old policies or the new ones. Brokers before 2.55 do not replace a record in one step; so a
 * generation replaces no record, and the former generation is deleted last.
 */
public final class PolicyJournal {
    /** The name of the records in the journal. */
    static final String MAP = "org.signetmq.policies";

    /** The greatest length of the value of a record, in characters. The journal writes two bytes for each. */
    static final int LONGEST_RECORD = 200_000;

    /** The greatest number of records in a generation. */
    static final int MOST_RECORDS = 1000;

    private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(30);

    /**
     * A set of policies that was in force.
     *
     * @param origin the origin of the change that made this version
     */
    public record Former(long version, ChangeOrigin origin) {}

    private final StorageManager storage;
    private final PolicyHistory history = new PolicyHistory(this);

    /** Makes a journal of this broker. The broker must have loaded its bindings. */
    public PolicyJournal(StorageManager storage) {
        this.storage = storage;
    }

    /**
     * Reads the stored policies; empty if there is no record. It deletes records that a broker left when it was killed.
     *
     * @throws DamagedPoliciesException if the newest generation is not as it was written, a record has an unknown key,
     *     or there are records without a seal
     */
    public Optional<StoredPolicies> read() throws IOException {
        Map<String, PersistedKeyValuePair> records = records(MAP);
        Optional<RecordKey> seal = newestSeal(records);
        if (seal.isEmpty()) {
            return Optional.empty();
        }
        StoredPolicies policies = open(records, seal.get());
        deleteAllBut(MAP, Set.of(seal.get().generation()));
        return Optional.of(policies);
    }

    /** Returns the key of the newest seal; empty if there is no record. */
    static Optional<RecordKey> newestSeal(Map<String, PersistedKeyValuePair> records) throws DamagedPoliciesException {
        for (String key : records.keySet()) {
            if (RecordKey.parse(key).isEmpty()) {
                throw new DamagedPoliciesException("a record has an unknown key");
            }
        }
        Optional<RecordKey> seal =
                keys(records).stream().filter(RecordKey::isSeal).max(Comparator.comparingLong(RecordKey::generation));
        if (seal.isEmpty() && !records.isEmpty()) {
            throw new DamagedPoliciesException("there are records without their seal");
        }
        return seal;
    }

    /** Returns the policies of a generation. */
    static StoredPolicies open(Map<String, PersistedKeyValuePair> records, RecordKey seal) throws IOException {
        return GenerationSeal.parse(value(records, seal))
                .open(index -> value(records, RecordKey.of(seal.generation(), index)));
    }

    /**
     * Deletes the records that a broker left when it was killed in its first change. The caller knows that the journal
     * never held policies.
     */
    public void forgetFirst() {
        Map<String, PersistedKeyValuePair> records = records(MAP);
        if (records.keySet().stream()
                .map(RecordKey::parse)
                .allMatch(key -> key.isPresent() && !key.get().isSeal())) {
            List.copyOf(records.keySet()).forEach(key -> delete(MAP, key));
        }
    }

    /**
     * Stores policies in place of those that are stored, and waits until the disk and the backup have them. Those that
     * they replace become the newest former set.
     *
     * @throws IOException if they could not be stored; the former policies stay
     */
    public void write(StoredPolicies policies) throws IOException {
        GenerationSeal.Sealed sealed = GenerationSeal.close(policies);
        if (sealed.records().size() > MOST_RECORDS) {
            throw new IOException("the policies take " + sealed.records().size() + " records of the bindings journal, "
                    + "at most " + MOST_RECORDS + " are possible; name fewer policies");
        }
        OperationContext before = storage.getContext();
        storage.setContext(storage.newContext(Runnable::run));
        try {
            long generation = next();
            keepFormer();
            List<String> texts = sealed.records();
            for (int i = 0; i < texts.size(); i++) {
                store(MAP, RecordKey.of(generation, i), texts.get(i));
            }
            await();
            seal(RecordKey.sealOf(generation), sealed.seal());
            deleteAllBut(MAP, Set.of(generation));
        } finally {
            storage.setContext(before);
        }
    }

    /** Keeps the policies that are stored now, unless they are damaged. */
    private void keepFormer() throws IOException {
        Map<String, PersistedKeyValuePair> records = Map.copyOf(records(MAP));
        try {
            Optional<RecordKey> seal = newestSeal(records);
            if (seal.isPresent()) {
                var whole = open(records, seal.get());
                PluginLog.LOG.debug("version {} of the policies becomes a former one", whole.version());
                history.add(records, seal.get());
            }
        } catch (DamagedPoliciesException lost) {
            PluginLog.LOG.debug("damaged policies become no former ones", lost);
        }
    }

    /** Returns the former sets, the newest first. */
    public List<Former> former() {
        return history.list();
    }

    /**
     * Returns the former set with this version; empty if there is none.
     *
     * @throws DamagedPoliciesException if it is not as it was written
     */
    public Optional<StoredPolicies> former(long version) throws IOException {
        return history.find(version);
    }

    private void seal(RecordKey key, String seal) throws IOException {
        try {
            store(MAP, key, seal);
            await();
        } catch (IOException e) {
            delete(MAP, key.text()); // what is answered as a failure must not come into force at the next start
            try {
                await();
            } catch (IOException unknown) {
                e.addSuppressed(unknown);
                throw new IOException(
                        e.getMessage() + "; whether the change comes into force at the next start is unknown", e);
            }
            throw e;
        }
    }

    private long next() {
        long last = keys(records(MAP)).stream()
                .mapToLong(RecordKey::generation)
                .max()
                .orElse(0);
        return Math.max(last, history.lastGeneration()) + 1;
    }

    /** Stores a record, and does not wait for the disk. */
    void store(String map, RecordKey key, String value) throws IOException {
        try {
            // A fresh journal gives its first record the number 0. The broker deletes record 0 with each temporary
            // address, because such an address has no record and so the number 0 (PostOfficeImpl.removeAddressInfo).
            long unused = storage.generateID();
            storage.storeKeyValuePair(new PersistedKeyValuePair(map, key.text(), value));
        } catch (Exception e) {
            throw new IOException("the bindings journal: cannot be written: " + e, e);
        }
    }

    /** Waits for the disk, and for the backup if there is one. */
    private void await() throws IOException {
        boolean done;
        try {
            done = storage.waitOnOperations(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the bindings journal: the broker stopped waiting for it", e);
        } catch (Exception e) {
            throw new IOException("the bindings journal: cannot be written: " + e, e);
        }
        if (!done) {
            throw new IOException("the bindings journal: disk or backup did not answer within "
                    + TimeUnit.MILLISECONDS.toSeconds(PATIENCE_MILLIS) + " seconds");
        }
    }

    /** Deletes all records but those of these generations. */
    void deleteAllBut(String map, Set<Long> generations) {
        List<String> old = new ArrayList<>(records(map).keySet());
        old.removeIf(text -> RecordKey.parse(text)
                .filter(key -> generations.contains(key.generation()))
                .isPresent());
        old.sort(Comparator.comparing(PolicyJournal::isSeal).reversed()); // no seal is without its records
        old.forEach(key -> delete(map, key));
    }

    private static boolean isSeal(String text) {
        return RecordKey.parse(text).filter(RecordKey::isSeal).isPresent();
    }

    /** Deletes a record. If that fails, the next change does it. */
    private void delete(String map, String key) {
        try {
            storage.deleteKeyValuePair(map, key);
        } catch (Exception left) {
            PluginLog.LOG.debug("record {} of the policies could not be deleted; the next change does it", key, left);
        }
    }

    /** Returns the records with this name. */
    Map<String, PersistedKeyValuePair> records(String map) {
        Map<String, PersistedKeyValuePair> records = storage.getPersistedKeyValuePairs(map);
        return records == null ? Map.of() : records; // a broker without persistence gives null
    }

    static List<RecordKey> keys(Map<String, PersistedKeyValuePair> records) {
        return records.keySet().stream()
                .map(RecordKey::parse)
                .flatMap(Optional::stream)
                .toList();
    }

    static String value(Map<String, PersistedKeyValuePair> records, RecordKey key) throws DamagedPoliciesException {
        PersistedKeyValuePair record = records.get(key.text());
        if (record == null) {
            throw new DamagedPoliciesException("record " + key.text() + " is missing");
        }
        return record.getValue();
    }
}
