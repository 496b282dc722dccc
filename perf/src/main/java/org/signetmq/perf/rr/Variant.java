/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.List;
import org.signetmq.policy.Policy;
import org.signetmq.policy.QualityOfProtection;

/** A way to protect messages that is measured. Each has addresses of its own, so that all run in one broker. */
record Variant(QualityOfProtection quality, Reuse reuse, KeyKind key) {
    /** What all others are compared with. */
    static final Variant UNPROTECTED = new Variant(QualityOfProtection.NONE, Reuse.NONE, KeyKind.P256);

    boolean protects() {
        return quality != QualityOfProtection.NONE;
    }

    /** As in results and addresses: confidentiality.32.p256. */
    String label() {
        return protects() ? quality.label() + "." + reuse.label() + "." + key.label() : quality.label();
    }

    String requestAddress(int queue) {
        return address() + ".request." + queue;
    }

    String replyAddress(int client) {
        return address() + ".reply." + client;
    }

    /** The policy of all its addresses. */
    Policy policy() {
        String pattern = address() + ".#";
        List<String> recipients = List.of(key.recipient());
        return switch (quality) {
            case NONE -> throw new IllegalStateException("policy: there is none without protection");
            case INTEGRITY -> Policy.integrity(pattern);
            case PRIVACY -> Policy.privacy(pattern, recipients);
            case CONFIDENTIALITY -> Policy.confidentiality(pattern, recipients, reuse.limits());
        };
    }

    private String address() {
        return "rr." + label();
    }
}
