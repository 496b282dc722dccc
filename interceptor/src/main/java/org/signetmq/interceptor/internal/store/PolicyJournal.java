/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
 *
 * @param storage the storage of this broker, which must have loaded its bindings
 */
public record PolicyJournal(StorageManager storage) {
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
                .open(index -> value(records, new RecordKey(seal.generation(), index)));
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
                store(MAP, new RecordKey(generation, i), texts.get(i));
            }
            await();
            seal(new RecordKey(generation, RecordKey.SEAL), sealed.seal());
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
                new PolicyHistory(this).add(records, seal.get());
            }
        } catch (DamagedPoliciesException lost) {
            PluginLog.LOG.debug("damaged policies become no former ones", lost);
        }
    }

    /** Returns the former sets, the newest first. */
    public List<Former> former() {
        return new PolicyHistory(this).list();
    }

    /**
     * Returns the former set with this version; empty if there is none.
     *
     * @throws DamagedPoliciesException if it is not as it was written
     */
    public Optional<StoredPolicies> former(long version) throws IOException {
        return new PolicyHistory(this).find(version);
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
        return 1 + Math.max(lastGeneration(MAP), lastGeneration(PolicyHistory.MAP));
    }

    /** Returns the greatest number of a generation; 0 if there is none. */
    private long lastGeneration(String map) {
        return keys(records(map)).stream()
                .mapToLong(RecordKey::generation)
                .max()
                .orElse(0);
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

    /**
     * The key of a record of a generation.
     *
     * @param generation the number of the generation, from 1 on
     * @param index the place of the record in the document, from 0 on; {@link #SEAL} for the seal
     */
    record RecordKey(long generation, int index) {
        private static final int SEAL = -1;
        private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})\\.([0-9]{1,6}|seal)");

        /** Returns the key with this text; empty for a text of another kind. */
        static Optional<RecordKey> parse(String text) {
            Matcher parts = TEXT.matcher(text);
            if (!parts.matches()) {
                return Optional.empty();
            }
            int index = parts.group(2).equals("seal") ? SEAL : Integer.parseInt(parts.group(2));
            RecordKey key = new RecordKey(Long.parseLong(parts.group(1)), index);
            return Optional.of(key).filter(known -> known.text().equals(text));
        }

        boolean isSeal() {
            return index == SEAL;
        }

        String text() {
            return generation + "." + (isSeal() ? "seal" : String.valueOf(index));
        }
    }

    /**
     * A set of policies as the broker stores it.
     *
     * @param version the version of the set
     * @param text the policy document as JSON
     * @param origin the origin of the change that made this version
     */
    public record StoredPolicies(long version, String text, ChangeOrigin origin) {}

    /** Thrown if the stored policies are not as they were written, or are lost. */
    public static final class DamagedPoliciesException extends IOException {
        private static final long serialVersionUID = 1L;

        public DamagedPoliciesException(String problem) {
            super("the policies in the broker's bindings journal: " + problem
                    + "; put them back with signet policy import FILE --restore --broker URL, where FILE is from signet policy"
                    + " export, or restore the broker's data from a backup");
        }
    }

    /**
     * Keeps the former policies of a broker beside its policies in the bindings journal, under another name. So no
     * former policies ever come in force by themselves. Not thread-safe.
     *
     * <p>They have the records and the seal that they had while they were in force. The last 20 sets stay, and fewer if
     * these are long.
     */
    record PolicyHistory(PolicyJournal journal) {
        /** The name of the records in the journal. */
        static final String MAP = PolicyJournal.MAP + ".former";

        /** The greatest number of former sets. */
        static final int MOST = 20;

        /**
         * The greatest length of the records of all former sets, in characters. The broker has them in its memory, too.
         */
        static final long LONGEST = 8L << 20;

        /**
         * Stores a generation of policies that others replace. It does not wait for the disk.
         *
         * @param records of the policies in force
         * @throws IOException if the journal cannot be written
         */
        void add(Map<String, PersistedKeyValuePair> records, RecordKey seal) throws IOException {
            Map<String, PersistedKeyValuePair> there = journal.records(MAP);
            List<RecordKey> keys = PolicyJournal.keys(records).stream()
                    .filter(key -> key.generation() == seal.generation())
                    // the seal makes the others valid, so it is the last
                    .sorted(Comparator.comparing(RecordKey::isSeal))
                    .toList();
            long length = length(records, seal.generation());
            if (length > LONGEST || there.containsKey(seal.text())) {
                return; // it is there after a change that failed
            }
            prune(MOST - 1, LONGEST - length);
            for (RecordKey key : keys) {
                journal.store(MAP, key, PolicyJournal.value(records, key));
            }
        }

        /** Deletes the oldest sets until no more than these are left, and records without a seal. */
        private void prune(int most, long longest) throws DamagedPoliciesException {
            Map<String, PersistedKeyValuePair> records = journal.records(MAP);
            Set<Long> kept = new HashSet<>();
            long length = 0;
            for (RecordKey seal : seals(records)) {
                length += length(records, seal.generation());
                if (kept.size() == most || length > longest) {
                    break;
                }
                kept.add(seal.generation());
            }
            journal.deleteAllBut(MAP, kept);
        }

        private static long length(Map<String, PersistedKeyValuePair> records, long generation)
                throws DamagedPoliciesException {
            long length = 0;
            for (RecordKey key : PolicyJournal.keys(records)) {
                length += key.generation() == generation
                        ? PolicyJournal.value(records, key).length()
                        : 0;
            }
            return length;
        }

        /** Returns the seals, the newest first. */
        private static List<RecordKey> seals(Map<String, PersistedKeyValuePair> records) {
            return PolicyJournal.keys(records).stream()
                    .filter(RecordKey::isSeal)
                    .sorted(Comparator.comparingLong(RecordKey::generation).reversed())
                    .toList();
        }

        /** Returns the former sets whose seals can be read, the newest first. */
        List<PolicyJournal.Former> list() {
            List<PolicyJournal.Former> list = new ArrayList<>();
            readable(journal.records(MAP))
                    .forEach((key, seal) -> list.add(new PolicyJournal.Former(seal.version(), seal.origin())));
            return list;
        }

        /**
         * Returns the newest former set with this version; empty if there is none.
         *
         * @throws DamagedPoliciesException if it is not as it was written
         */
        Optional<StoredPolicies> find(long version) throws IOException {
            Map<String, PersistedKeyValuePair> records = journal.records(MAP);
            for (Map.Entry<RecordKey, GenerationSeal> set : readable(records).entrySet()) {
                if (set.getValue().version() == version) {
                    return Optional.of(PolicyJournal.open(records, set.getKey()));
                }
            }
            return Optional.empty();
        }

        private static Map<RecordKey, GenerationSeal> readable(Map<String, PersistedKeyValuePair> records) {
            Map<RecordKey, GenerationSeal> readable = new LinkedHashMap<>();
            for (RecordKey key : seals(records)) {
                try {
                    readable.put(key, GenerationSeal.parse(PolicyJournal.value(records, key)));
                } catch (DamagedPoliciesException damaged) {
                    PluginLog.LOG.debug("a former set of policies is left out", damaged);
                }
            }
            return readable;
        }
    }
}
