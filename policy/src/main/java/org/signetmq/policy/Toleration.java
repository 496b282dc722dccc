/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The time in which unprotected messages on a protected address may still be read.
 *
 * @param until the end of that time, or null to tolerate no unprotected message
 */
public record Toleration(@Nullable Instant until) {
    /** Unprotected messages are rejected. */
    public static final Toleration ENFORCE = new Toleration(null);

    /** Tells whether an unprotected message may be read at this instant. */
    public boolean toleratesAt(Instant now) {
        return until != null && now.isBefore(until);
    }
}
