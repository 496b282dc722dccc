/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.keys;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.signetmq.envelope.EnvelopeParties;

/**
 * Counts messages by the keys that their envelopes name. Strangers choose those names, and the names of addresses, so
 * the table has limits: it counts the keys beyond them together. For one thread.
 */
final class KeyTable {
    /** The greatest number of keys besides the wanted ones. */
    static final int MOST_KEYS = 1000;

    /** The greatest number of pairs of a key and a queue. */
    static final int MOST_ROWS = 10_000;

    /** The greatest number of queues that are named. */
    static final int MOST_QUEUES = 1000;

    /** The greatest length of all names of addresses and queues, in characters. */
    static final int LONGEST_NAMES = 1_000_000;

    private static final int NO_PLACE = -1;

    private final Set<String> wanted;
    private final Map<Key, KeyUse> uses = new LinkedHashMap<>();
    private final KeyUse.Row others = new KeyUse.Row();
    private final List<QueueCount> places = new ArrayList<>();
    private final Map<QueueCount, Integer> placeOf = new HashMap<>();
    private final Totals totals = new Totals();
    private int strangers;
    private int rows;
    private long letters;

    /** The role of a key in an envelope. */
    private enum Role {
        RECIPIENT("recipient"),
        SIGNER("signer");

        private final String label;

        Role(String label) {
            this.label = label;
        }
    }

    private record Key(String name, Role role) {}

    /** The sums over all queues. */
    private static final class Totals {
        private long queues;
        private long messages;
        private long clear;
        private long notUnderstood;
        private long unreadable;
        private long notLookedAt;
        private int unnamed;

        private void add(QueueCount count) {
            queues++;
            messages += count.looked();
            clear += count.clear();
            notUnderstood += count.notUnderstood();
            unreadable += count.unreadable();
            notLookedAt += count.notLookedAt();
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
    void add(QueueCount queue, StoredParties message) {
        queue.add(message.kind());
        EnvelopeParties parties = message.parties();
        if (parties == null) {
            return;
        }
        boolean isOther = false;
        for (String name : parties.recipients()) {
            isOther |= !add(new Key(name, Role.RECIPIENT), queue, message.time());
        }
        Optional<String> signer = parties.signerIfVisible();
        if (signer.isPresent()) {
            isOther |= !add(new Key(signer.get(), Role.SIGNER), queue, message.time());
        }
        if (isOther) {
            others.add(message.time());
        }
    }

    /** Adds a message to the use of a key, and returns whether the table has room for the key. */
    private boolean add(Key key, QueueCount queue, long time) {
        KeyUse use = uses.get(key);
        if (use == null) {
            boolean isStranger = !wanted.contains(key.name());
            if (isStranger && strangers == MOST_KEYS) {
                return false;
            }
            strangers += isStranger ? 1 : 0;
            use = new KeyUse();
            uses.put(key, use);
        }
        int place = place(queue);
        boolean fits = place >= 0 && (rows < MOST_ROWS || use.hasRow(place));
        rows += use.add(fits ? place : NO_PLACE, time) ? 1 : 0;
        return true;
    }

    /** Returns the place of a queue in the answer; negative if there is no room. */
    private int place(QueueCount queue) {
        Integer known = placeOf.get(queue);
        if (known != null) {
            return known;
        }
        int more = queue.queue().getAddress().length() + queue.queue().getName().length();
        if (places.size() == MOST_QUEUES || letters + more > LONGEST_NAMES) {
            return NO_PLACE;
        }
        letters += more;
        placeOf.put(queue, places.size());
        places.add(queue);
        return places.size() - 1;
    }

    /** Adds the numbers of a queue that was looked at. */
    void end(QueueCount queue) {
        totals.add(queue);
        if (queue.hasUnknown() && place(queue) < 0) {
            totals.unnamed++;
        }
    }

    long messages() {
        return totals.messages;
    }

    /** Returns all as JSON. */
    ObjectNode answer() {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.put("queues", totals.queues)
                .put("messages", totals.messages)
                .put("clear", totals.clear)
                .put("not-understood", totals.notUnderstood)
                .put("unreadable", totals.unreadable)
                .put("not-looked-at", totals.notLookedAt)
                .put("queues-left-out", totals.unnamed);
        ArrayNode named = answer.putArray("places");
        places.forEach(place -> named.addObject()
                .put("address", place.queue().getAddress().toString())
                .put("queue", place.queue().getName().toString())
                .put("not-understood", place.notUnderstood())
                .put("unreadable", place.unreadable())
                .put("not-looked-at", place.notLookedAt()));
        ArrayNode keys = answer.putArray("keys");
        uses.forEach((key, use) ->
                use.writeTo(keys.addObject().put("key", key.name()).put("role", key.role().label)));
        others.writeTo(answer.putObject("others"));
        return answer;
    }
}
