/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.core.persistence.config.PersistedKeyValuePair;
import org.junit.jupiter.api.Test;
import org.signetmq.interceptor.internal.store.PolicyJournal.DamagedPoliciesException;
import org.signetmq.interceptor.internal.store.PolicyJournal.RecordKey;
import org.signetmq.interceptor.internal.store.PolicyJournal.StoredPolicies;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;

/** A flipped bit of a record leaves the same policies, or shows damage. */
final class FlippedRecordsTest {
    private static final StoredPolicies STORED = new StoredPolicies(
            17,
            PolicyFile.format(
                    PolicySet.of(17, UnmatchedAddress.PASS, List.of(Policy.privacy("orders", List.of("anna", "bo"))))),
            new ChangeOrigin("anna", "127.0.0.1:1", Instant.parse("2026-11-25T10:00:00Z")));

    /** The journal writes two bytes for a character. */
    @Test
    void eachBitOfEachByteOfEachRecord_ofItsKeyAndItsValue() throws Exception {
        GenerationSeal.Sealed sealed = GenerationSeal.close(STORED);
        Map<String, String> records = new HashMap<>(Map.of("11.seal", sealed.seal()));
        for (int i = 0; i < sealed.records().size(); i++) {
            records.put("11." + i, sealed.records().get(i));
        }
        assertThat(isSame(records)).isTrue();
        List<String> same = new ArrayList<>();
        int flips = 0;
        for (Map.Entry<String, String> record : records.entrySet()) {
            String key = record.getKey();
            for (int bit = 0; bit < 16 * (key.length() + record.getValue().length()); bit++) {
                Map<String, String> bad = new HashMap<>(records);
                bad.remove(key);
                if (bit < 16 * key.length()) {
                    bad.put(flipped(key, bit), record.getValue());
                } else {
                    bad.put(key, flipped(record.getValue(), bit - 16 * key.length()));
                }
                flips++;
                if (isSame(bad)) {
                    same.add(key + " bit " + bit);
                }
            }
            Map<String, String> without = new HashMap<>(records);
            without.remove(key);
            assertThat(isSame(without)).isFalse();
        }
        // fields of gzip that tell nothing of the content, and the last bits of Base64
        assertThat(same).as("of %s", flips).hasSizeLessThan(100).noneMatch(place -> place.startsWith("11.seal"));
    }

    /** Returns whether these are the stored policies. Others, or none, fail the test. */
    private static boolean isSame(Map<String, String> values) throws IOException {
        Map<String, PersistedKeyValuePair> records = new HashMap<>();
        values.forEach((key, value) -> records.put(key, new PersistedKeyValuePair(PolicyJournal.MAP, key, value)));
        try {
            RecordKey seal = PolicyJournal.newestSeal(records).orElseThrow();
            assertThat(PolicyJournal.open(records, seal)).isEqualTo(STORED);
            return true;
        } catch (DamagedPoliciesException damaged) {
            return false;
        }
    }

    private static String flipped(String text, int bit) {
        StringBuilder flipped = new StringBuilder(text);
        flipped.setCharAt(bit / 16, (char) (text.charAt(bit / 16) ^ 1 << bit % 16));
        return flipped.toString();
    }
}
