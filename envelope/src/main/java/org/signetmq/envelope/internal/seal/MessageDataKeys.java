/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.seal;

import org.signetmq.keystore.keys.KeyLease;

/** The data keys of one message: those of its policy, or own keys after a change of policy. Thread-safe. */
public final class MessageDataKeys implements AutoCloseable {
    private final SealingPlan shared;
    private SealingPlan plan;

    public MessageDataKeys(SealingPlan shared) {
        this.shared = shared;
        this.plan = shared;
    }

    /** The plan at the start of the message: its recipients do not change until its end. */
    SealingPlan plan() {
        return shared;
    }

    synchronized KeyLease next(long contentLength) {
        KeyLease use = plan.epochs().next(contentLength);
        if (use == null) {
            plan = shared.withKeysOfItsOwn();
            use = plan.epochs().next(contentLength);
        }
        if (use == null) {
            throw new IllegalStateException("data key: retired while in use");
        }
        return use;
    }

    @Override
    public synchronized void close() {
        if (plan != shared) {
            plan.close();
        }
    }
}
