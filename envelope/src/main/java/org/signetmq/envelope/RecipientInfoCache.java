/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds recipient infos that were parsed before. */
@FunctionalInterface
interface RecipientInfoCache {
    /** Finds nothing. */
    RecipientInfoCache NONE = recipientInfos -> null;

    /** The entries that a reader of these recipient infos looks at, or null if they were not parsed before. */
    @Nullable
    List<RecipientEntry> entries(Slice recipientInfos);
}
