/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Until when unprotected messages on a protected address may still be read.
 *
 * @param until the end, or null to tolerate nothing
 */
public record Toleration(@Nullable Instant until) {
    /** Unprotected messages are rejected. */
    public static final Toleration ENFORCE = new Toleration(null);

    /** Whether an unprotected message may be read at this instant. */
    public boolean toleratesAt(Instant now) {
        return until != null && now.isBefore(until);
    }
}
