/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.file.PolicyFile;

/** The differences of two sets of policies. */
final class ChangedPolicies {
    /** The greatest length of a policy that a line shows, in characters. */
    private static final int LONGEST_POLICY = 8 << 10;

    private ChangedPolicies() {}

    /** Adds the differences to a line: the policies that were added, changed or removed, and the rules of the set. */
    static void write(AuditLine line, PolicySet before, PolicySet after) {
        line.putChange(
                "unmatched", before.unmatched().label(), after.unmatched().label());
        line.putChange("wildcards", text(before.wildcards()), text(after.wildcards()));
        line.putChange("recovery", String.join("; ", before.recovery()), String.join("; ", after.recovery()));
        Map<String, Policy> old = new LinkedHashMap<>();
        before.policies().forEach(policy -> old.put(policy.pattern(), policy));
        Stream<AuditLine.Entry> changed = after.policies().stream()
                .filter(policy -> !policy.equals(old.get(policy.pattern())))
                .map(policy -> entry(policy.pattern(), old.get(policy.pattern()), policy));
        Map<String, Policy> now = new LinkedHashMap<>();
        after.policies().forEach(policy -> now.put(policy.pattern(), policy));
        Stream<AuditLine.Entry> removed = before.policies().stream()
                .filter(policy -> !now.containsKey(policy.pattern()))
                .map(policy -> entry(policy.pattern(), policy, null));
        line.putEntries("policies", Stream.concat(changed, removed).iterator());
    }

    private static AuditLine.Entry entry(String pattern, @Nullable Policy before, @Nullable Policy after) {
        return json -> {
            ObjectNode entry = json.createObjectNode().put("pattern", AuditLine.bounded(pattern));
            put(entry, "before", before, json);
            put(entry, "after", after, json);
            return entry;
        };
    }

    private static void put(ObjectNode entry, String key, @Nullable Policy policy, JsonMapper json) {
        if (policy == null) {
            return;
        }
        String text = PolicyFile.format(policy);
        if (text.length() > LONGEST_POLICY) {
            entry.put(key, "too long to show: " + text.length() + " characters");
        } else {
            try {
                entry.set(key, json.readTree(text));
            } catch (JsonProcessingException impossible) {
                throw new IllegalStateException("audit: a policy cannot be read back", impossible);
            }
        }
    }

    private static String text(WildcardSyntax syntax) {
        return "" + syntax.delimiter() + syntax.anyWords() + syntax.singleWord();
    }
}
