/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.gate;

import java.util.List;
import java.util.Locale;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.filter.Filter;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.RouteContextList;

/**
 * Removes a message from queues whose filters matched a property that Signet removed later. The broker evaluates
 * filters before it asks its plugins about a message. For a federation the other broker evaluates them.
 */
final class ReservedFilters {
    /** A part of all reserved names. */
    private static final String RESERVED = "signet_";

    private ReservedFilters() {}

    /** Evaluates the filters that name such properties again, with the current message. */
    static void apply(Message message, RouteContextList queues) {
        removeUnmatched(message, queues.getDurableQueues());
        removeUnmatched(message, queues.getNonDurableQueues());
    }

    private static void removeUnmatched(Message message, List<Queue> queues) {
        for (int i = queues.size() - 1; i >= 0; i--) {
            Filter filter = queues.get(i).getFilter();
            if (filter != null && namesReserved(filter) && !filter.match(message)) {
                queues.remove(i);
            }
        }
    }

    private static boolean namesReserved(Filter filter) {
        return filter.getFilterString() != null
                && filter.getFilterString().toString().toLowerCase(Locale.ROOT).contains(RESERVED);
    }
}
