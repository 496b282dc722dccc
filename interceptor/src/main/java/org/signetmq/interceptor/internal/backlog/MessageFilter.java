/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import java.util.Map;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.filter.Filter;
import org.apache.activemq.artemis.selector.filter.Filterable;
import org.jspecify.annotations.Nullable;

/** A filter that selects whole messages alone, and has no text. */
abstract class MessageFilter implements Filter {
    @Override
    public final boolean match(Map<String, String> properties) {
        return false;
    }

    @Override
    public final boolean match(Filterable filterable) {
        return false;
    }

    @Override
    public final @Nullable SimpleString getFilterString() {
        return null;
    }
}
