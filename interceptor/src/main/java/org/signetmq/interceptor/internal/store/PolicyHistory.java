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
import org.apache.activemq.artemis.core.persistence.config.PersistedKeyValuePair;
import org.signetmq.interceptor.internal.log.PluginLog;

/**
 * Keeps the former policies of a broker beside its policies in the bindings journal, under another name. So no former
 * policies ever come in force by themselves. Not thread-safe.
 *
 * <p>They have the records and the seal that they had while they were in force. The last 20 sets stay, and fewer if
 * these are long.
 */
final class PolicyHistory {
    /** The name of the records in the journal. */
    static final String MAP = PolicyJournal.MAP + ".former";

    /** The greatest number of former sets. */
    static final int MOST = 20;

    /** The greatest length of the records of all former sets, in characters. The broker has them in its memory, too. */
    static final long LONGEST = 8L << 20;

    private final PolicyJournal journal;

    PolicyHistory(PolicyJournal journal) {
        this.journal = journal;
    }

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
                .sorted(Comparator.comparing(RecordKey::isSeal)) // the seal makes the others valid, so it is the last
                .toList();
        long length = 0;
        for (RecordKey key : keys) {
            length += PolicyJournal.value(records, key).length();
        }
        if (length > LONGEST || there.containsKey(seal.text())) {
            return; // it is there after a change that failed
        }
        prune(MOST - 1, LONGEST - length);
        for (RecordKey key : keys) {
            journal.store(MAP, key, PolicyJournal.value(records, key));
        }
    }

    /** Returns the greatest number of a generation; 0 if there is none. */
    long lastGeneration() {
        return PolicyJournal.keys(journal.records(MAP)).stream()
                .mapToLong(RecordKey::generation)
                .max()
                .orElse(0);
    }

    /** Deletes the oldest sets until no more than these are left, and records without a seal. */
    private void prune(int most, long longest) {
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

    private static long length(Map<String, PersistedKeyValuePair> records, long generation) {
        return records.entrySet().stream()
                .filter(record -> RecordKey.parse(record.getKey())
                        .filter(key -> key.generation() == generation)
                        .isPresent())
                .mapToLong(record -> record.getValue().getValue().length())
                .sum();
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
