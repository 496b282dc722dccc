/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import org.signetmq.perf.result.Result;
import org.signetmq.perf.variant.Variant;

/** A stretch of load under one variant, with connections and opened-key caches of its own: first cold, then warm. */
record Block(Variant variant, Load load, long coldMillis, long warmMillis) {
    String requestAddress(int queue) {
        return "rr." + variant.label() + ".request." + queue;
    }

    String replyAddress(int client) {
        return "rr." + variant.label() + ".reply." + client;
    }

    /** Returns the pattern of all addresses of a variant, so that all variants run in one broker. */
    static String addresses(Variant variant) {
        return "rr." + variant.label() + ".#";
    }

    /** The figures of a block, as rows of JSON name them: cold right after connecting, warm after that. */
    record Measured(long roundTrips, Result cold, Result warm) {}
}
