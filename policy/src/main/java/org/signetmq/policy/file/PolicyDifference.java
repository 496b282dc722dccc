/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.internal.text.PolicyKeys;

/**
 * The differences of two sets of policies. The version and the order of the policies are no differences.
 *
 * @param settings the changed keys of the document beside its policies; each certificate has a key of its own, with the
 *     prefix {@link #CERTIFICATE}
 * @param removed the policies of patterns that only the set before has, in its order
 * @param added the policies of patterns that only the set after has, in its order
 * @param changed the other policies that differ, in the order of the set after
 */
public record PolicyDifference(
        List<ChangedKey> settings, List<Policy> removed, List<Policy> added, List<ChangedPolicy> changed) {

    /** The begin of the key of a certificate. The name of the party follows. */
    public static final String CERTIFICATE = PolicyKeys.CERTIFICATES + ".";

    /**
     * One key with different values.
     *
     * @param key the key in the document
     * @param before the value as JSON on one line; empty if the document leaves out its default
     * @param after the other value, in the same form
     */
    public record ChangedKey(String key, Optional<String> before, Optional<String> after) {}

    /**
     * Two policies of one pattern.
     *
     * @param before the policy before
     * @param after the policy after
     * @param keys the keys that differ, in the order of the document
     */
    public record ChangedPolicy(Policy before, Policy after, List<ChangedKey> keys) {
        public ChangedPolicy {
            keys = List.copyOf(keys);
        }

        /** Returns the pattern of both. */
        public String pattern() {
            return after.pattern();
        }
    }

    public PolicyDifference {
        settings = List.copyOf(settings);
        removed = List.copyOf(removed);
        added = List.copyOf(added);
        changed = List.copyOf(changed);
    }

    /** Compares two sets. */
    public static PolicyDifference between(PolicySet before, PolicySet after) {
        List<Policy> added = new ArrayList<>();
        List<ChangedPolicy> changed = new ArrayList<>();
        for (Policy now : after.policies()) {
            Optional<Policy> old = before.named(now.pattern());
            if (old.isEmpty()) {
                added.add(now);
            } else if (!now.equals(old.get())) {
                changed.add(new ChangedPolicy(old.get(), now, keys(old.get(), now)));
            }
        }
        List<Policy> removed = before.policies().stream()
                .filter(old -> after.named(old.pattern()).isEmpty())
                .toList();
        return new PolicyDifference(settings(before, after), removed, added, changed);
    }

    /** Tells whether there is no difference. */
    public boolean isEmpty() {
        return settings.isEmpty() && removed.isEmpty() && added.isEmpty() && changed.isEmpty();
    }

    private static List<ChangedKey> settings(PolicySet before, PolicySet after) {
        ObjectNode old = PolicyWriter.keys(before);
        ObjectNode now = PolicyWriter.keys(after);
        List<ChangedKey> changed = new ArrayList<>(different(
                PolicyKeys.OF_RULES.stream()
                        .filter(key -> !key.equals(PolicyKeys.CERTIFICATES))
                        .toList(),
                old,
                now));
        Set<String> names = new TreeSet<>(before.settings().certificates().keySet());
        names.addAll(after.settings().certificates().keySet());
        for (String name : names) {
            JsonNode one = old.path(PolicyKeys.CERTIFICATES).get(name);
            JsonNode other = now.path(PolicyKeys.CERTIFICATES).get(name);
            if (!Objects.equals(one, other)) {
                changed.add(new ChangedKey(CERTIFICATE + name, text(one), text(other)));
            }
        }
        return changed;
    }

    private static List<ChangedKey> keys(Policy before, Policy after) {
        return different(PolicyKeys.OF_POLICY, PolicyWriter.policy(before), PolicyWriter.policy(after));
    }

    private static List<ChangedKey> different(List<String> keys, ObjectNode before, ObjectNode after) {
        return keys.stream()
                .filter(key -> !Objects.equals(before.get(key), after.get(key)))
                .map(key -> new ChangedKey(key, text(before.get(key)), text(after.get(key))))
                .toList();
    }

    private static Optional<String> text(@Nullable JsonNode value) {
        return Optional.ofNullable(value).map(JsonNode::toString);
    }
}
