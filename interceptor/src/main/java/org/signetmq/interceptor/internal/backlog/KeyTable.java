/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.activemq.artemis.core.server.Queue;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.EnvelopeParties;
import org.signetmq.interceptor.internal.backlog.StoredParties.Kind;
import org.signetmq.interceptor.internal.control.ControlAnswers;

/**
 * Counts messages by the keys that their envelopes name. Strangers choose those names, and the names of addresses, so
 * the table has limits: it counts the keys beyond them together. For one thread.
 */
final class KeyTable {
    /** The greatest number of keys besides the wanted ones. */
    static final int MOST_KEYS = 1000;

    /** The greatest number of pairs of a key and a queue. */
    private static final int MOST_ROWS = 10_000;

    /** The greatest number of queues that are named. */
    private static final int MOST_QUEUES = 1000;

    /** The greatest length of all names of addresses and queues, in characters. */
    private static final int LONGEST_NAMES = 1_000_000;

    private final Set<String> wanted;
    private final Map<Key, Use> uses = new LinkedHashMap<>();
    private final Row others = new Row();
    private final Map<Queue, Integer> places = new LinkedHashMap<>();
    private final Map<Queue, Numbers> numbers = new LinkedHashMap<>();
    private final Numbers totals = new Numbers();
    private int queues;
    private int unnamed;
    private int strangers;
    private int rows;
    private long letters;

    /**
     * A key in an envelope.
     *
     * @param role {@code recipient}, {@code signer} or {@code sender}
     */
    private record Key(String name, String role) {}

    /** The numbers of messages of one queue by their kinds, or of all. */
    static final class Numbers {
        private final Map<Kind, Integer> kinds = new EnumMap<>(Kind.class);
        private long notLookedAt;

        private int of(Kind kind) {
            return kinds.getOrDefault(kind, 0);
        }

        /** Returns the number of messages that were looked at. */
        long looked() {
            return kinds.values().stream().mapToLong(Integer::longValue).sum();
        }

        private boolean hasUnknown() {
            return of(Kind.NOT_UNDERSTOOD) + of(Kind.UNREADABLE) + notLookedAt > 0;
        }

        private ObjectNode writeTo(ObjectNode target) {
            return target.put("not-understood", of(Kind.NOT_UNDERSTOOD))
                    .put("unreadable", of(Kind.UNREADABLE))
                    .put("not-looked-at", notLookedAt);
        }
    }

    /** A number of messages, and the time of the oldest; 0 if no message has a time. */
    private static final class Row {
        private long messages;
        private long oldest;

        private void add(long time) {
            messages++;
            if (time > 0 && (oldest == 0 || time < oldest)) {
                oldest = time;
            }
        }

        private ObjectNode writeTo(ObjectNode target) {
            return target.put("messages", messages).put("oldest", oldest);
        }
    }

    /** The messages that name one key in one role, by the places of their queues in the answer. */
    private static final class Use {
        private final Map<Integer, Row> rows = new LinkedHashMap<>();
        private final Row all = new Row();
        private long elsewhere;

        private void writeTo(ObjectNode target) {
            all.writeTo(target).put("elsewhere", elsewhere);
            ArrayNode list = target.putArray("queues");
            rows.forEach((place, row) -> row.writeTo(list.addObject().put("place", place)));
        }
    }

    /**
     * Makes an empty table.
     *
     * @param wanted the names of keys that are always counted by themselves
     */
    KeyTable(Set<String> wanted) {
        this.wanted = Set.copyOf(wanted);
    }

    /** Adds a message of a queue. */
    void add(Queue queue, Numbers ofQueue, StoredParties message) {
        ofQueue.kinds.merge(message.kind(), 1, Integer::sum);
        EnvelopeParties parties = message.parties();
        if (parties == null) {
            return;
        }
        boolean isOther = false;
        for (String name : parties.recipients()) {
            isOther |= !add(new Key(name, "recipient"), queue, message.time());
        }
        for (String name : parties.signers()) {
            isOther |= !add(new Key(name, "signer"), queue, message.time());
        }
        String sender = parties.sender();
        if (sender != null) {
            isOther |= !add(new Key(sender, "sender"), queue, message.time());
        }
        if (isOther) {
            others.add(message.time());
        }
    }

    /** Adds a message to the use of a key, and returns whether the table has room for the key. */
    private boolean add(Key key, Queue queue, long time) {
        Use use = uses.get(key);
        if (use == null) {
            boolean isStranger = !wanted.contains(key.name());
            if (isStranger && strangers == MOST_KEYS) {
                return false;
            }
            strangers += isStranger ? 1 : 0;
            use = new Use();
            uses.put(key, use);
        }
        use.all.add(time);
        Integer place = place(queue);
        Row row = place == null ? null : use.rows.get(place);
        if (row == null && place != null && rows < MOST_ROWS) {
            rows++;
            row = new Row();
            use.rows.put(place, row);
        }
        if (row == null) {
            use.elsewhere++;
        } else {
            row.add(time);
        }
        return true;
    }

    /** Returns the place of a queue in the answer; null if there is no room. */
    private @Nullable Integer place(Queue queue) {
        Integer known = places.get(queue);
        if (known != null) {
            return known;
        }
        int more = queue.getAddress().length() + queue.getName().length();
        if (places.size() == MOST_QUEUES || letters + more > LONGEST_NAMES) {
            return null;
        }
        letters += more;
        places.put(queue, places.size());
        return places.size() - 1;
    }

    /**
     * Adds the numbers of a queue that was looked at.
     *
     * @param notLookedAt the number of its messages that were not looked at
     */
    void end(Queue queue, Numbers ofQueue, long notLookedAt) {
        ofQueue.notLookedAt = Math.max(0, notLookedAt);
        queues++;
        ofQueue.kinds.forEach((kind, number) -> totals.kinds.merge(kind, number, Integer::sum));
        totals.notLookedAt += ofQueue.notLookedAt;
        if (ofQueue.hasUnknown() && place(queue) == null) {
            unnamed++;
        }
        if (places.containsKey(queue)) {
            numbers.put(queue, ofQueue);
        }
    }

    /** Returns all as JSON. */
    ObjectNode answer() {
        ObjectNode answer = ControlAnswers.empty()
                .put("queues", queues)
                .put("messages", totals.looked())
                .put("clear", totals.of(Kind.CLEAR));
        totals.writeTo(answer).put("queues-left-out", unnamed);
        ArrayNode named = answer.putArray("places");
        places.keySet()
                .forEach(queue -> numbers.getOrDefault(queue, new Numbers())
                        .writeTo(named.addObject()
                                .put("address", queue.getAddress().toString())
                                .put("queue", queue.getName().toString())));
        ArrayNode keys = answer.putArray("keys");
        uses.forEach((key, use) ->
                use.writeTo(keys.addObject().put("key", key.name()).put("role", key.role())));
        others.writeTo(answer.putObject("others"));
        return answer;
    }
}
