/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.PrintableText;

/**
 * The origin of a change of policies.
 *
 * @param by the user, as the broker authenticated it; null if there was none
 * @param from the address of the user's connection, {@code jmx}, or the path of a file
 * @param at the time of the change
 */
public record ChangeOrigin(@Nullable String by, String from, Instant at) {
    /** The longest name that is kept, in characters. */
    private static final int LONGEST = 256;

    /** Creates an origin. Longer names are cut, and control characters are replaced. */
    public ChangeOrigin {
        by = by == null ? null : PrintableText.of(by, LONGEST);
        from = PrintableText.of(from, LONGEST);
    }
}
