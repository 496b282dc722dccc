/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.variant;

import java.util.List;
import org.signetmq.policy.Policy;
import org.signetmq.policy.QualityOfProtection;

/** A way to protect messages that is measured; data keys are reused for confidentiality only. */
public record Variant(QualityOfProtection quality, Reuse reuse, KeyKind key) {
    /** No protection: all other variants are compared with it. */
    public static final Variant UNPROTECTED = new Variant(QualityOfProtection.NONE, Reuse.NONE, KeyKind.P256);

    /** Tells whether messages are protected at all. */
    public boolean protects() {
        return quality != QualityOfProtection.NONE;
    }

    /** Returns the name in results and addresses, such as confidentiality.32.p256. */
    public String label() {
        return protects() ? quality.label() + "." + reuse.label() + "." + key.label() : quality.label();
    }

    /** Returns the policy that protects so for these recipients. */
    public Policy policy(String pattern, List<String> recipients) {
        return switch (quality) {
            case NONE -> throw new IllegalStateException("policy: there is none without protection");
            case INTEGRITY -> Policy.integrity(pattern);
            case PRIVACY -> Policy.privacy(pattern, recipients);
            case CONFIDENTIALITY -> Policy.confidentiality(pattern, recipients, reuse.limits());
        };
    }
}
