/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.persistence.config.PersistedKeyValuePair;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.signetmq.interceptor.TestBroker;
import org.signetmq.interceptor.internal.store.PolicyJournal.DamagedPoliciesException;
import org.signetmq.interceptor.internal.store.PolicyJournal.PolicyHistory;
import org.signetmq.interceptor.internal.store.PolicyJournal.StoredPolicies;
import org.signetmq.testkit.Cases;

/** The records of the policies in the bindings journal of a real broker. */
final class PolicyJournalIT {
    private static final ChangeOrigin ORIGIN =
            new ChangeOrigin("anna", "127.0.0.1:1", Instant.parse("2026-11-25T10:00:00Z"));

    @TempDir
    private Path folder;

    private TestBroker broker;
    private StorageManager storage;

    @BeforeEach
    void start() throws Exception {
        broker = new TestBroker.Setup(folder).own().start(); // the next test would find the records
        storage = broker.server().getStorageManager();
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private PolicyJournal journal() {
        return new PolicyJournal(storage);
    }

    private Map<String, PersistedKeyValuePair> records() {
        return new TreeMap<>(storage.getPersistedKeyValuePairs(PolicyJournal.MAP));
    }

    private String value(String key) {
        return Objects.requireNonNull(records().get(key)).getValue();
    }

    private void store(String key, String value) throws Exception {
        storage.storeKeyValuePair(new PersistedKeyValuePair(PolicyJournal.MAP, key, value));
    }

    private static StoredPolicies policies(long version, int bytes) {
        byte[] random = new byte[bytes];
        new Random(version).nextBytes(random);
        return new StoredPolicies(version, Base64.getEncoder().encodeToString(random), ORIGIN);
    }

    @Test
    void emptyJournal_hasNoPolicies() throws Exception {
        assertThat(journal().read()).isEmpty();
    }

    @ParameterizedTest
    @Cases({"150000", "0", "1", "10000", "149000", "151000", "600000"})
    void writtenPolicies_areReadBack_andReplaceTheFormerOnes(int bytes) throws Exception {
        journal().write(policies(1, 300_000));
        StoredPolicies second = policies(2, bytes);

        journal().write(second);

        assertThat(journal().read()).contains(second);
        assertThat(records().keySet()).allMatch(key -> key.startsWith("2.")).contains("2.seal", "2.0");
        assertThat(records().values()).allMatch(record -> record.getValue().length() <= PolicyJournal.LONGEST_RECORD);
    }

    /** A broker is killed after it wrote records and before it wrote their seal. */
    @Test
    void recordsWithoutASeal_areIgnored_andDeletedByTheNextReader() throws Exception {
        journal().write(policies(1, 10));
        store("2.0", "half");
        store("9.0", "half");

        assertThat(journal().read()).contains(policies(1, 10));

        assertThat(records().keySet()).containsExactly("1.0", "1.seal");
    }

    /** A broker is killed after it wrote a seal and before it deleted the former one. */
    @Test
    void ofTwoSeals_theNewerOneCounts() throws Exception {
        journal().write(policies(1, 10));
        Map<String, PersistedKeyValuePair> first = records();
        journal().write(policies(2, 10));
        for (PersistedKeyValuePair record : first.values()) {
            store(record.getKey(), record.getValue());
        }

        assertThat(journal().read()).contains(policies(2, 10));
    }

    private Map<String, PersistedKeyValuePair> former() {
        return new TreeMap<>(storage.getPersistedKeyValuePairs(PolicyHistory.MAP));
    }

    private List<Long> formerVersions() {
        return journal().former().stream().map(PolicyJournal.Former::version).toList();
    }

    @Test
    void formerPolicies_areTheLastTwenty_theNewestFirst() throws Exception {
        for (int version = 1; version <= 25; version++) {
            journal().write(policies(version, 10));
        }

        assertThat(formerVersions())
                .containsExactlyElementsOf(IntStream.rangeClosed(5, 24)
                        .mapToObj(version -> 29L - version)
                        .toList());
        assertThat(journal().former(24)).contains(policies(24, 10));
        assertThat(journal().former(4)).isEmpty();
        assertThat(journal().former(25)).isEmpty();
        assertThat(journal().former().get(0).origin()).isEqualTo(ORIGIN);
        assertThat(former()).hasSize(40);
        assertThat(journal().read()).contains(policies(25, 10));
        assertThat(records()).hasSize(2);
    }

    @Test
    void longFormerPolicies_takeNoMoreThanTheirLimit() throws Exception {
        for (int version = 1; version <= 4; version++) {
            journal().write(policies(version, 2_500_000));
        }
        assertThat(formerVersions()).containsExactly(3L, 2L);
        journal().write(policies(5, 7_000_000));
        journal().write(policies(6, 10));

        assertThat(formerVersions()).as("5 is too long").containsExactly(4L, 3L);
        assertThat(former().values().stream()
                        .mapToLong(record -> record.getValue().length())
                        .sum())
                .isLessThanOrEqualTo(PolicyHistory.LONGEST);
        assertThat(journal().former(4)).contains(policies(4, 2_500_000));
    }

    @Test
    void formerPolicies_neverComeInForceByThemselves() throws Exception {
        journal().write(policies(1, 10));
        journal().write(policies(2, 10));
        records().keySet().forEach(key -> {
            try {
                storage.deleteKeyValuePair(PolicyJournal.MAP, key);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });

        assertThat(journal().read()).isEmpty();

        journal().write(policies(3, 10));
        journal().write(policies(4, 10));
        assertThat(formerVersions()).containsExactly(3L, 1L);
        assertThat(journal().former(1)).contains(policies(1, 10));
    }

    /** A broker is killed after it stored records of a former set and before their seal, or the new policies. */
    @Test
    void formerPoliciesOfAChangeThatFailed_areStoredOnce() throws Exception {
        journal().write(policies(1, 10));
        storage.storeKeyValuePair(new PersistedKeyValuePair(PolicyHistory.MAP, "1.0", "half"));
        journal().write(policies(2, 10));
        storage.storeKeyValuePair(new PersistedKeyValuePair(PolicyHistory.MAP, "2.0", value("2.0")));
        storage.storeKeyValuePair(new PersistedKeyValuePair(PolicyHistory.MAP, "2.seal", value("2.seal")));
        journal().write(policies(3, 10));

        assertThat(formerVersions()).containsExactly(2L, 1L);
        assertThat(journal().former(1)).contains(policies(1, 10));
        assertThat(journal().former(2)).contains(policies(2, 10));
    }

    @Test
    void damagedFormerPolicies_areNotTakenForOthers() throws Exception {
        journal().write(policies(1, 10));
        journal().write(policies(2, 20));
        journal().write(policies(3, 10));
        storage.storeKeyValuePair(new PersistedKeyValuePair(
                PolicyHistory.MAP,
                "1.0",
                Objects.requireNonNull(former().get("2.0")).getValue()));

        assertThatThrownBy(() -> journal().former(1)).isInstanceOf(DamagedPoliciesException.class);

        storage.storeKeyValuePair(new PersistedKeyValuePair(PolicyHistory.MAP, "1.seal", "no json"));
        assertThat(formerVersions()).containsExactly(2L);
        assertThat(journal().former(1)).isEmpty();
        assertThat(journal().read()).contains(policies(3, 10));
    }

    @Test
    void damagedPolicies_areReplaced_andDoNotBecomeFormerOnes() throws Exception {
        journal().write(policies(1, 10));
        journal().write(policies(2, 10));
        store("2.seal", value("2.seal").replace("\"version\":2", "\"version\":9000000000000000000"));

        journal().write(policies(3, 10));

        assertThat(formerVersions()).containsExactly(1L);
        assertThat(journal().read()).contains(policies(3, 10));
    }

    @Test
    void damagedRecords_areNotTakenForOthers() throws Exception {
        journal().write(policies(1, 300_000));
        String first = value("1.0");
        String seal = value("1.seal");

        store("1.0", "?" + first.substring(1));
        assertDamaged();
        store("1.0", (first.charAt(5_000) == 'A' ? first.replace('A', 'B') : first.replace(first.charAt(5_000), 'A')));
        assertDamaged();
        store("1.0", first);
        store("1.seal", "{}");
        assertDamaged();
        store("1.seal", "no json");
        assertDamaged();
        store("1.seal", seal.replaceAll("\"records\":[0-9]+", "\"records\":2000000000"));
        assertDamaged();
        store("1.seal", seal);
        assertThat(journal().read()).contains(policies(1, 300_000));
        storage.deleteKeyValuePair(PolicyJournal.MAP, "1.1");
        assertDamaged();
    }

    @Test
    void recordsWithoutAnySeal_areDamaged_unlessTheJournalNeverHeldPolicies() throws Exception {
        store("1.0", "half");
        assertDamaged();

        journal().forgetFirst();
        assertThat(journal().read()).isEmpty();

        journal().write(policies(1, 10));
        journal().forgetFirst();
        assertThat(journal().read()).contains(policies(1, 10));
    }

    private void assertDamaged() {
        assertThatThrownBy(() -> journal().read())
                .isInstanceOf(DamagedPoliciesException.class)
                .hasMessageContaining("bindings journal")
                .hasMessageContaining("backup");
    }
}
