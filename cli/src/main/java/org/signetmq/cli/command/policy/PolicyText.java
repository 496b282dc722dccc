/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.cli.console.TextTable;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.home.PolicyCertificates;
import org.signetmq.policy.Amounts;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.LegacyAlgorithms;
import org.signetmq.policy.Policy.MessageAudit;
import org.signetmq.policy.Policy.SignatureSharing;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyDifference;
import org.signetmq.policy.file.PolicyDifference.ChangedKey;
import org.signetmq.policy.file.PolicyFile;

/** Shows policies as text, with the defaults of absent values. */
public final class PolicyText {
    /** The width of the labels of all properties. */
    static final int LABELS = 21;

    private PolicyText() {}

    /** Returns a line for each property, and one for the recovery recipients of its set, if there are any. */
    static List<String> lines(Policy policy, List<String> recovery) {
        LabelledLines lines = new LabelledLines(LABELS);
        properties(policy).forEach((key, value) -> {
            lines.add(key, value);
            if (key.equals("recipients") && !recovery.isEmpty()) {
                lines.add("recovery", names(recovery));
            }
        });
        return lines.lines();
    }

    /** Returns these names, or that there are none, on one line. */
    static String names(List<String> names) {
        return list(names, "none");
    }

    /** Returns a table with a line for each policy. */
    static List<String> table(PolicySet policies) {
        TextTable table = TextTable.of("PATTERN", "QUALITY", "SIGNERS", "RECIPIENTS", "KEY REUSE");
        for (Policy policy : policies.policies()) {
            Map<String, Object> shown = properties(policy);
            table.row(Stream.of("pattern", "quality", "signers", "recipients", "key-reuse")
                    .map(shown::get)
                    .toArray());
        }
        return table.lines();
    }

    /** Returns all properties that have an effect under the policy's quality, by their keys in policy files. */
    private static Map<String, Object> properties(Policy policy) {
        QualityOfProtection quality = policy.quality();
        boolean legacy = policy.acceptance().legacy() == LegacyAlgorithms.ACCEPTED;
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("pattern", Failures.oneLine(policy.pattern()));
        shown.put("quality", quality.label());
        if (quality.signs()) {
            Policy.Signing signing = policy.signing();
            shown.put("signature-algorithm", signing.algorithm().label());
            if (signing.sharing() == SignatureSharing.SHARED) {
                shown.put("signature", signing.sharing().label());
            }
        }
        if (quality.provesSender()) {
            Policy.Signing signing = policy.signing();
            shown.put("signers", list(signing.signers(), "anyone trusted"));
            shown.put("brokers", list(signing.brokers(), "none, so JMS_Signet_Sender is not shown"));
        }
        if (quality.signs()) {
            shown.put("certificate", policy.signing().certificate().label());
        }
        if (quality.encrypts()) {
            shown.put("encryption-algorithm", policy.encryption().algorithm().label());
            shown.put("recipients", list(policy.encryption().recipients(), ""));
        }
        if (quality.reusesKeys()) {
            KeyLimits limits = policy.encryption().limits();
            boolean unlimited = limits.messages() == KeyLimits.MOST_MESSAGES;
            shown.put("key-reuse", unlimited ? "unlimited" : limits.messages());
            shown.put("max-bytes-per-key", Amounts.format(limits.bytes()));
            shown.put("max-key-age", Amounts.format(limits.age()));
        }
        if (quality != QualityOfProtection.NONE) {
            Instant until = policy.acceptance().toleration().until();
            shown.put("toleration", until == null ? "enforce" : "until " + until);
            shown.put("where", policy.acceptance().where().label());
        }
        enforcement(policy, shown);
        if (quality.encrypts() || legacy) {
            shown.put("accept-legacy", legacy);
        }
        if (policy.acceptance().audit() != MessageAudit.NONE) {
            shown.put("audit", policy.acceptance().audit().label());
        }
        return shown;
    }

    /**
     * Adds what differs from the default in the requirements for messages, and in the fate of those that do not open.
     */
    private static void enforcement(Policy policy, Map<String, Object> shown) {
        JsonNode written = Json.parse(PolicyFile.format(policy));
        for (String key : List.of(
                "mutual-trust",
                "verify",
                "bind-user",
                "extra-recipients",
                "replay-window",
                "require",
                "hide",
                "on-failure",
                "quarantine")) {
            JsonNode value = written.path(key);
            Duration window = policy.enforcement().replayWindow();
            if (key.equals("replay-window") && window != null) {
                shown.put(key, Amounts.format(window));
            } else if (key.equals("hide") && !value.isEmpty()) {
                shown.put(key, list(policy.enforcement().hide(), ""));
            } else if (value.isTextual()) {
                shown.put(key, Failures.oneLine(value.asText()));
            }
        }
    }

    private static String list(List<String> names, String ifEmpty) {
        return names.isEmpty() ? ifEmpty : Failures.oneLine(String.join("; ", names)); // a broker may send any text
    }

    /** Returns the table, and a line on other addresses if their messages are rejected. */
    public static List<String> tableWithOtherAddresses(PolicySet policies) {
        List<String> lines = new ArrayList<>(table(policies));
        if (!policies.recovery().isEmpty()) {
            lines.add("recovery: " + names(policies.recovery()));
        }
        if (policies.unmatched() == UnmatchedAddress.REJECT) {
            lines.add(otherAddresses(policies));
        }
        return lines;
    }

    /** Returns the treatment of messages to addresses without a policy. */
    static String otherAddresses(PolicySet policies) {
        return "messages of other addresses "
                + (policies.unmatched() == UnmatchedAddress.PASS ? "pass" : "are rejected (unmatched: reject)");
    }

    /** Shows the difference of two sets of policies, as text and for programs. */
    public static final class DifferenceText {
        private DifferenceText() {}

        private record Answer(
                boolean same,
                List<Key> settings,
                List<JsonNode> removed,
                List<JsonNode> added,
                List<Changed> changed) {}

        private record Changed(String pattern, List<Key> keys) {}

        private record Key(
                String key,
                @Nullable JsonNode before,
                @Nullable JsonNode after) {
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
            if (key.startsWith(PolicyDifference.CERTIFICATE)) {
                return json.map(text -> keyId(Json.parse(text).asText())).orElse("none");
            }
            return json.map(value -> key.equals("max-key-age") ? age(value) : value)
                    .orElse("default");
        }

        private static String keyId(String certificate) {
            try {
                return "ski:"
                        + KeyIdentifier.ofKey(
                                PolicyCertificates.parse(certificate).get(0));
            } catch (RuntimeException unreadable) {
                return "unreadable";
            }
        }

        /** Returns a duration in JSON as the option takes it. */
        private static String age(String json) {
            return Amounts.duration(Json.parse(json).asText())
                    .map(Amounts::format)
                    .orElse(json);
        }
    }
}
