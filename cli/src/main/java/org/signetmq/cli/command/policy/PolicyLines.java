/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.LegacyAlgorithms;
import org.signetmq.policy.Policy;
import org.signetmq.policy.QualityOfProtection;

/** A policy for people: what it says and what it leaves to defaults. */
final class PolicyLines {
    private final List<String> lines = new ArrayList<>();

    private PolicyLines() {}

    /** Everything that has an effect under the policy's quality. */
    static List<String> of(Policy policy) {
        PolicyLines all = new PolicyLines();
        QualityOfProtection quality = policy.quality();
        all.line("pattern", policy.pattern());
        all.line("quality", quality.label());
        if (quality.signs()) {
            all.line("signature-algorithm", policy.signing().algorithm().label());
            all.line("signers", signers(policy));
            all.line("brokers", brokers(policy));
            all.line("certificate", policy.signing().certificate().label());
        }
        if (quality.encrypts()) {
            all.line("encryption-algorithm", policy.encryption().algorithm().label());
            all.line("recipients", String.join("; ", policy.encryption().recipients()));
        }
        if (quality == QualityOfProtection.CONFIDENTIALITY) {
            all.line("key-reuse", keyReuse(policy));
            all.line(
                    "max-bytes-per-key",
                    Long.toString(policy.encryption().limits().bytes()));
            all.line("max-key-age", policy.encryption().limits().age().toString());
        }
        if (quality != QualityOfProtection.NONE) {
            all.line("toleration", toleration(policy));
            all.line("where", policy.acceptance().where().label());
        }
        if (quality.encrypts() || policy.acceptance().legacy() == LegacyAlgorithms.ACCEPTED) {
            all.line("accept-legacy", acceptLegacy(policy));
        }
        return all.lines;
    }

    static String signers(Policy policy) {
        List<String> signers = policy.signing().signers();
        return signers.isEmpty() ? "anyone trusted" : String.join("; ", signers);
    }

    private static String brokers(Policy policy) {
        List<String> brokers = policy.signing().brokers();
        return brokers.isEmpty() ? "none, so signet_sender is not shown" : String.join("; ", brokers);
    }

    private static String acceptLegacy(Policy policy) {
        return Boolean.toString(policy.acceptance().legacy() == LegacyAlgorithms.ACCEPTED);
    }

    static String keyReuse(Policy policy) {
        long messages = policy.encryption().limits().messages();
        return messages == KeyLimits.MOST_MESSAGES ? "unlimited" : Long.toString(messages);
    }

    private static String toleration(Policy policy) {
        @Nullable Object until = policy.acceptance().toleration().until();
        return until == null ? "enforce" : "until " + until;
    }

    private void line(String label, String value) {
        lines.add("%-21s %s".formatted(label, value));
    }
}
