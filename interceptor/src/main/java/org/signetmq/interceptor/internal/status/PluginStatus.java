/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.status;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.home.PolicyJudge.PolicyFinding;

/**
 * The state and the counts of the plugin at one moment.
 *
 * @param state whether it can protect messages
 * @param reason the reason why it is not ready, or null
 * @param policies the state of the policies
 * @param largeMessages the treatment of large messages
 * @param counts the counts of messages
 */
public record PluginStatus(
        State state, @Nullable String reason, Policies policies, LargeMessages largeMessages, Counts counts) {

    /** Tells whether the plugin can protect messages. */
    public enum State {
        /** The plugin protects all messages: keys and policies are loaded, and each policy can be applied. */
        READY,
        /** The plugin rejects some messages, or cannot use the changed policy file. It protects all others. */
        DEGRADED,
        /** The plugin rejects every message, except those to addresses for messages of the broker itself. */
        FAILED
    }

    /**
     * The state of the policies.
     *
     * @param version the version of the policies in force; 0 if there are none
     * @param problem the reason why the changed policy file cannot be used, or null; the last policies stay in force
     * @param findings the problems of policies in force
     */
    public record Policies(long version, @Nullable String problem, List<PolicyFinding> findings) {
        static final Policies NONE = new Policies(0, null, List.of());

        public Policies {
            findings = List.copyOf(findings);
        }
    }

    /**
     * The treatment of large messages to protected addresses.
     *
     * @param mode whether they are protected
     * @param reason the reason why they are rejected, or null
     */
    public record LargeMessages(Mode mode, @Nullable String reason) {
        /** Tells whether large messages are protected. */
        public enum Mode {
            /** The plugin seals them while the broker writes their file. */
            PROTECTED,
            /** The plugin rejects them, because it cannot seal them before the broker writes them. */
            REFUSED
        }
    }

    /**
     * The counts of messages since the plugin was made.
     *
     * @param sealed the messages that the plugin sealed
     * @param passed the messages that passed unchanged: without a policy, of quality none, or already sealed
     * @param rejected the messages that the plugin rejected
     * @param unjudged the clear messages that reached the storage before the broker asked the plugin
     * @param keysBegun the data keys that messages began to use
     * @param keyWaits the messages that waited for a new data key
     */
    public record Counts(long sealed, long passed, long rejected, long unjudged, long keysBegun, long keyWaits) {}
}
