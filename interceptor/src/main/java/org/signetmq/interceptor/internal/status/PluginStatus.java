/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.status;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.home.PolicyFinding;

/**
 * How the plugin stands at one moment.
 *
 * @param state whether it can protect messages
 * @param reason why it is not ready, or null
 * @param policies how the policies stand
 * @param largeMessages the treatment of large messages
 * @param counts the counts of messages so far
 */
public record PluginStatus(
        PluginState state, @Nullable String reason, Policies policies, LargeMessages largeMessages, Counts counts) {

    /**
     * How the policies stand.
     *
     * @param version of those in force; 0 if there are none
     * @param problem why the policy file as it is now was not taken, or null; the policies before it stay in force
     * @param findings the problems of policies in force
     */
    public record Policies(long version, @Nullable String problem, List<PolicyFinding> findings) {
        static final Policies NONE = new Policies(0, null, List.of());

        public Policies {
            findings = List.copyOf(findings);
        }
    }

    /**
     * The treatment of large messages on protected addresses.
     *
     * @param mode whether they are protected
     * @param reason why not, or null
     */
    public record LargeMessages(
            LargeMessageMode mode, @Nullable String reason) {}

    /**
     * The counts of messages since the plugin was made.
     *
     * @param sealed how many were sealed
     * @param passed how many passed as they were: without a policy, of quality none, or sealed before
     * @param rejected how many were rejected
     * @param unjudged how many came in clear to the storage of a protected address without having been judged, and were
     *     sealed or rejected there
     * @param keyWaits how often one waited for its data key because none was made ahead
     */
    public record Counts(long sealed, long passed, long rejected, long unjudged, long keyWaits) {}

    /** Why the plugin is not ready, if so. */
    public Optional<String> failure() {
        return Optional.ofNullable(reason);
    }

    /** Why the policy file as it is now was not taken, if so. */
    public Optional<String> problemWithPolicies() {
        return Optional.ofNullable(policies.problem());
    }

    /** The version of the policies in force; 0 if there are none. */
    public long policyVersion() {
        return policies.version();
    }

    /** The problems of policies in force. */
    public List<PolicyFinding> findings() {
        return policies.findings();
    }

    /** How many messages were sealed. */
    public long sealed() {
        return counts.sealed();
    }

    /** How many messages passed as they were. */
    public long passed() {
        return counts.passed();
    }

    /** How many messages were rejected. */
    public long rejected() {
        return counts.rejected();
    }

    /** How many messages were sealed or rejected by the last gate, before the storage. */
    public long unjudged() {
        return counts.unjudged();
    }

    /** How often a message waited for its data key. */
    public long keyWaits() {
        return counts.keyWaits();
    }
}
