/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.control;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.store.ChangeOrigin;

/**
 * A user that the broker authenticated.
 *
 * @param user the name; null if the broker checks no users
 * @param from the address of the user's connection, or {@code jmx}
 */
record Caller(@Nullable String user, String from) {
    /** Returns this caller as the origin of a change now. */
    ChangeOrigin origin() {
        return new ChangeOrigin(user, from, Instant.now());
    }
}
