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

    /** Finds recipient infos of exactly these bytes. Returns null if they were not parsed before. */
    @Nullable
    Known find(Slice recipientInfos);

    /** Recipient infos that were parsed before. */
    interface Known {
        /** One under old algorithms, or none. Readers judge each envelope by it, also with a known data key. */
        List<RecipientInfo> legacy();
    }
}
