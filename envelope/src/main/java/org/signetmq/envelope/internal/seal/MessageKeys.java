/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.seal;

import org.signetmq.keystore.crypto.KeyUse;

/**
 * The data keys of one message, which may be large: those that all messages of its policy share, for as long as the
 * policy is in force, and keys of its own from then on. Thread-safe.
 */
public final class MessageKeys implements EnvelopeMaker.Keys, AutoCloseable {
    private final SealingPlan shared;
    private SealingPlan plan;

    public MessageKeys(SealingPlan shared) {
        this.shared = shared;
        this.plan = shared;
    }

    /** Who can read the message does not change within it. */
    public SealingPlan plan() {
        return shared;
    }

    @Override
    public synchronized KeyUse next(long contentLength) {
        KeyUse use = plan.epochs().next(contentLength);
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
