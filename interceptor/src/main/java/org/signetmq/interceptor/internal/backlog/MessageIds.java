/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * A set of identifiers of messages. Those that the broker gave one after the other take one bit each, because it leaves
 * large gaps only where it starts. Not thread-safe.
 */
final class MessageIds {
    private static final int BITS = 12;

    private final Map<Long, BitSet> blocks = new HashMap<>();

    /** Adds an identifier, and returns whether it is new. */
    boolean add(long id) {
        BitSet block = blocks.computeIfAbsent(id >>> BITS, key -> new BitSet());
        int place = place(id);
        boolean isNew = !block.get(place);
        block.set(place);
        return isNew;
    }

    boolean contains(long id) {
        BitSet block = blocks.get(id >>> BITS);
        return block != null && block.get(place(id));
    }

    private static int place(long id) {
        return (int) (id & ((1 << BITS) - 1));
    }
}
