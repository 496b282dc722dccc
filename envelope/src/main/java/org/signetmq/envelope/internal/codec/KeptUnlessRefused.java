/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.codec;

import java.util.ArrayList;
import java.util.List;

/**
 * What was remembered of a message before its end was seen, because the parts to come need it. If one of them is
 * refused, it is forgotten: a refused message leaves nothing behind. Thread-safe.
 */
public final class KeptUnlessRefused {
    /** For messages whose end was seen: nothing of them is forgotten. */
    public static final KeptUnlessRefused ACCEPTED = new KeptUnlessRefused(true);

    private final boolean accepted;
    private final List<Runnable> forgetting = new ArrayList<>(); // guarded by this

    public KeptUnlessRefused() {
        this(false);
    }

    private KeptUnlessRefused(boolean accepted) {
        this.accepted = accepted;
    }

    /**
     * Takes note of something that nothing remembered before.
     *
     * @param forget makes it forgotten; must not throw
     */
    public synchronized void add(Runnable forget) {
        if (!accepted) {
            forgetting.add(forget);
        }
    }

    /** The message was found right to its end. */
    public synchronized void keepAll() {
        forgetting.clear();
    }

    /** The message is refused. */
    public synchronized void forgetAll() {
        forgetting.forEach(Runnable::run);
        forgetting.clear();
    }
}
