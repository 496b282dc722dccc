/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

/** The place where messages of a policy are sealed. */
public enum SealingPlace implements Labelled {
    /**
     * The broker seals. Whatever a client sends is payload, also an envelope. Bridges from other brokers log in as the
     * cluster's user, or the policy says {@link #EITHER}.
     */
    BROKER,
    /** The producer seals. The broker rejects messages that do not satisfy the policy. */
    CLIENT,
    /** Producers may seal. The broker seals messages in clear, and rejects CMS that does not satisfy the policy. */
    EITHER
}
