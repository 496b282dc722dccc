/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Json;
import org.signetmq.policy.Amounts;
import org.signetmq.policy.Policy;
import org.signetmq.policy.file.PolicyDifference;
import org.signetmq.policy.file.PolicyDifference.ChangedKey;
import org.signetmq.policy.file.PolicyFile;

/** Shows the difference of two sets of policies, as text and for programs. */
public final class DifferenceText {
    private DifferenceText() {}

    private record Answer(
            boolean same, List<Key> settings, List<JsonNode> removed, List<JsonNode> added, List<Changed> changed) {}

    private record Changed(String pattern, List<Key> keys) {}

    private record Key(
            String key, @Nullable JsonNode before, @Nullable JsonNode after) {
        private static Key of(ChangedKey key) {
            return new Key(
                    key.key(),
                    key.before().map(Json::parse).orElse(null),
                    key.after().map(Json::parse).orElse(null));
        }
    }

    /** Returns the difference for JSON. */
    public static Object answer(PolicyDifference difference) {
        return new Answer(
                difference.isEmpty(),
                difference.settings().stream().map(Key::of).toList(),
                policies(difference.removed()),
                policies(difference.added()),
                difference.changed().stream()
                        .map(changed -> new Changed(
                                changed.pattern(),
                                changed.keys().stream().map(Key::of).toList()))
                        .toList());
    }

    private static List<JsonNode> policies(List<Policy> policies) {
        return policies.stream()
                .map(policy -> Json.parse(PolicyFile.format(policy)))
                .toList();
    }

    /** Returns a line for each policy that is gone or new, and for each value that differs. */
    public static List<String> lines(PolicyDifference difference) {
        List<String> lines = new ArrayList<>();
        difference.settings().forEach(key -> lines.add("~ " + text(key)));
        difference.removed().forEach(policy -> lines.add("- " + text(policy)));
        difference.added().forEach(policy -> lines.add("+ " + text(policy)));
        difference
                .changed()
                .forEach(changed ->
                        changed.keys().forEach(key -> lines.add("~ " + changed.pattern() + ": " + text(key))));
        return lines.stream().map(Failures::oneLine).toList();
    }

    private static String text(Policy policy) {
        return policy.pattern() + ": " + policy.quality().label();
    }

    private static String text(ChangedKey key) {
        return key.key() + ": " + value(key.key(), key.before()) + " -> " + value(key.key(), key.after());
    }

    private static String value(String key, Optional<String> json) {
        return json.map(value -> key.equals("max-key-age") ? age(value) : value).orElse("default");
    }

    /** Returns a duration in JSON as the option takes it. */
    private static String age(String json) {
        return Amounts.duration(Json.parse(json).asText()).map(Amounts::format).orElse(json);
    }
}
