/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.keys;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;

/** The messages that name one key in one role, by their queues. For one thread. */
final class KeyUse {
    private final Map<Integer, Row> rows = new LinkedHashMap<>(); // by the place of the queue in the answer
    private final Row all = new Row();
    private long elsewhere;

    /** A number of messages, and the time of the oldest. */
    static final class Row {
        private long messages;
        private long oldest;

        void add(long time) {
            messages++;
            if (time > 0 && (oldest == 0 || time < oldest)) {
                oldest = time;
            }
        }

        long messages() {
            return messages;
        }

        /** Writes the numbers; the oldest is 0 if no message has a time. */
        ObjectNode writeTo(ObjectNode target) {
            return target.put("messages", messages).put("oldest", oldest);
        }
    }

    /**
     * Adds a message.
     *
     * @param place the place of its queue in the answer; negative if the answer has no place for it
     * @return whether that took a new row
     */
    boolean add(int place, long time) {
        all.add(time);
        if (place < 0) {
            elsewhere++;
            return false;
        }
        boolean isNew = !rows.containsKey(place);
        rows.computeIfAbsent(place, unused -> new Row()).add(time);
        return isNew;
    }

    boolean hasRow(int place) {
        return rows.containsKey(place);
    }

    void writeTo(ObjectNode target) {
        all.writeTo(target).put("elsewhere", elsewhere);
        ArrayNode list = target.putArray("queues");
        rows.forEach((place, row) -> row.writeTo(list.addObject().put("place", place)));
    }
}
