/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.audit;

import java.util.Locale;

/** The events of the audit log. */
public enum AuditEvent {
    /** The plugin began to protect messages. */
    STARTED,
    /** Other policies came into force. */
    POLICIES_CHANGED,
    /** An identity or a recipient was added, removed or replaced. */
    KEYS_CHANGED,
    /** A trusted certificate or a revocation list was added, removed or replaced. */
    TRUST_CHANGED,
    /** An administrator began to seal the messages of a queue, or all of them were looked at. */
    QUEUE_SEALED,
    /** The plugin rejected a message. */
    MESSAGE_REJECTED,
    /** The plugin sealed a message whose policy audits each one. */
    MESSAGE_SEALED;

    /** Returns the name in a line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
