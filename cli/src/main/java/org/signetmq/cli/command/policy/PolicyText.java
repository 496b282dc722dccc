/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.cli.console.TextTable;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.LegacyAlgorithms;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.UnmatchedAddress;

/** Shows policies as text, with the defaults of absent values. */
public final class PolicyText {
    private PolicyText() {}

    /** Returns all properties that have an effect under the policy's quality. */
    static List<String> lines(Policy policy) {
        QualityOfProtection quality = policy.quality();
        boolean legacy = policy.acceptance().legacy() == LegacyAlgorithms.ACCEPTED;
        LabelledLines lines =
                new LabelledLines(21).add("pattern", policy.pattern()).add("quality", quality.label());
        if (quality.signs()) {
            lines.add("signature-algorithm", policy.signing().algorithm().label())
                    .add("signers", signers(policy))
                    .add("brokers", list(policy.signing().brokers(), "none, so signet_sender is not shown"))
                    .add("certificate", policy.signing().certificate().label());
        }
        if (quality.encrypts()) {
            lines.add("encryption-algorithm", policy.encryption().algorithm().label())
                    .add("recipients", recipients(policy));
        }
        if (quality == QualityOfProtection.CONFIDENTIALITY) {
            KeyLimits limits = policy.encryption().limits();
            lines.add("key-reuse", keyReuse(policy))
                    .add("max-bytes-per-key", limits.bytes())
                    .add("max-key-age", limits.age());
        }
        if (quality != QualityOfProtection.NONE) {
            Instant until = policy.acceptance().toleration().until();
            lines.add("toleration", until == null ? "enforce" : "until " + until)
                    .add("where", policy.acceptance().where().label());
        }
        if (quality.encrypts() || legacy) {
            lines.add("accept-legacy", legacy);
        }
        return lines.lines();
    }

    private static String signers(Policy policy) {
        return list(policy.signing().signers(), "anyone trusted");
    }

    private static String recipients(Policy policy) {
        return list(policy.encryption().recipients(), "");
    }

    private static String list(List<String> names, String ifEmpty) {
        return names.isEmpty() ? ifEmpty : String.join("; ", names);
    }

    private static String keyReuse(Policy policy) {
        long messages = policy.encryption().limits().messages();
        return messages == KeyLimits.MOST_MESSAGES ? "unlimited" : Long.toString(messages);
    }

    /** Returns a table with a line for each policy. */
    static List<String> table(PolicySet policies) {
        TextTable table = TextTable.of("PATTERN", "QUALITY", "SIGNERS", "RECIPIENTS", "KEY REUSE");
        for (Policy policy : policies.policies()) {
            QualityOfProtection quality = policy.quality();
            table.row(
                    policy.pattern(),
                    quality.label(),
                    quality.signs() ? signers(policy) : "-",
                    quality.encrypts() ? recipients(policy) : "-",
                    quality == QualityOfProtection.CONFIDENTIALITY ? keyReuse(policy) : "-");
        }
        return table.lines();
    }

    /** Returns the table, and a line on other addresses if their messages are rejected. */
    public static List<String> tableWithOtherAddresses(PolicySet policies) {
        boolean rejected = policies.unmatched() == UnmatchedAddress.REJECT;
        return Stream.concat(
                        table(policies).stream(),
                        Stream.of(otherAddresses(policies)).filter(line -> rejected))
                .collect(Collectors.toList());
    }

    /** Returns the treatment of messages to addresses without a policy. */
    static String otherAddresses(PolicySet policies) {
        return "messages of other addresses "
                + (policies.unmatched() == UnmatchedAddress.PASS ? "pass" : "are rejected (unmatched: reject)");
    }
}
