/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.der.Slice;

/** Finds recipient infos that were parsed before. */
@FunctionalInterface
public interface RecipientInfoLookup {
    /** Finds nothing. */
    RecipientInfoLookup NONE = recipientInfos -> null;

    /** The entries that a reader of these recipient infos looks at, or null if they were not parsed before. */
    @Nullable
    List<RecipientInfo> entries(Slice recipientInfos);
}
