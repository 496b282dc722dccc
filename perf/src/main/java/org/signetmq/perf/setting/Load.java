/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.setting;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.upload.Uploads;
import org.signetmq.perf.upload.Uploads.Arrival;

/**
 * The load on a pair.
 *
 * @param clients requesters, each with one request under way; or uploaders, each with one file under way
 * @param queues that requests are spread over; each uploader has one
 * @param size bytes of each payload; 0 for uploads, which have many sizes
 * @param style the way clients use JMS
 */
public record Load(int clients, int queues, int size, Style style) {
    /** The name of the limit of memory in JSON. */
    public static final String MEMORY = "memory";

    /** More requesters share their responders: answering is less work than asking and waiting. */
    private static final int MOST_RESPONDERS = 32;

    /** About how long a pair uses up the keys of its pool before a block, and fills it afterwards. */
    private static final double POOL_SECONDS = 3;

    /** The longest message that Artemis keeps in memory, with its properties, in bytes. */
    private static final int LONGEST_IN_MEMORY = 100 * 1024;

    public Load {
        require("clients", clients, 1);
        require("queues", queues, 1);
        require("size", size, 0);
    }

    /** Returns a load in the usual style. */
    public static Load of(int clients, int queues, int size) {
        return new Load(clients, queues, size, Style.USUAL);
    }

    /** Returns a load of uploaders, each with a mailbox of its own. */
    public static Load of(int uploaders, Uploads uploads) {
        return new Load(uploaders, uploaders, 0, new Style(Producers.NAMED, Limits.NONE, uploads));
    }

    /**
     * The way clients use JMS.
     *
     * @param uploads what clients upload; null if they send requests and replies
     */
    public record Style(
            Producers producers, Limits limits, @Nullable Uploads uploads) {
        /** A producer for each destination, and the usual limits. */
        public static final Style USUAL = limited(Limits.NONE);

        /** Makes a style for requests and replies. */
        public Style(Producers producers, int window, int buffer) {
            this(producers, new Limits(window, buffer, Limits.NONE.memory), null);
        }

        /** Returns a style for requests and replies with a producer for each destination. */
        public static Style limited(Limits limits) {
            return new Style(Producers.NAMED, limits, null);
        }
    }

    /**
     * The sizes beyond which messages take another way.
     *
     * @param window bytes that the broker sends ahead to a consumer; -1 for the usual number
     * @param buffer bytes of the buffer that a getter in the manner of AMS fetches into
     * @param memory bytes of the messages of an address that the broker has in memory before it writes others to pages;
     *     -1 for all
     */
    public record Limits(int window, int buffer, int memory) {
        /** The usual window, buffers for any message, and no pages. */
        public static final Limits NONE = new Limits(-1, Integer.MAX_VALUE, -1);
    }

    /** The kind of producers. */
    public enum Producers {
        /** One for each destination. */
        NAMED,
        /** One for all destinations; each message names its own. */
        ANONYMOUS
    }

    /**
     * Rejects numbers that are too small.
     *
     * @throws IllegalArgumentException naming the option
     */
    public static void require(String option, long value, int least) {
        if (value < least) {
            String must = least == 0 ? "must not be below zero" : "must be above zero";
            throw new IllegalArgumentException(option + ": " + must + ", found " + value);
        }
    }

    /** Returns whether the payload alone makes a large message. */
    public boolean isLarge() {
        return size > LONGEST_IN_MEMORY;
    }

    /** Returns about how long a block takes beside its work, in seconds. */
    public double secondsBesideBlock() {
        Uploads uploads = style.uploads;
        return uploads != null && uploads.arrival() == Uploads.Arrival.STREAM ? POOL_SECONDS : 0;
    }

    /** Returns one for each requester, up to a limit; at least one for each queue that is asked. */
    public int responders() {
        return Math.min(clients, Math.max(MOST_RESPONDERS, queues));
    }

    /** Returns the queue of a requester, or of a responder: each queue that is asked is answered. */
    public int queueOf(int client) {
        return client % queues;
    }

    /** Returns the fields of JSON that tell loads apart. */
    public Result json() {
        Result json =
                Result.EMPTY.with("clients", clients).with("queues", queues).with("size", size);
        if (!style.equals(Style.USUAL)) {
            json = json.with("producers", style.producers.name().toLowerCase(Locale.ROOT))
                    .with("window", style.limits.window)
                    .with("buffer", style.limits.buffer);
        }
        if (style.limits.memory >= 0) {
            json = json.with(MEMORY, style.limits.memory);
        }
        Uploads uploads = style.uploads;
        return uploads == null
                ? json
                : json.with("arrival", uploads.arrival().label()).with("small_percent", uploads.smallPercent());
    }

    /** Returns a load from its fields of JSON. */
    public static Load of(Result json) {
        Style style = json.has("producers")
                ? new Style(
                        Producers.valueOf(json.text("producers").toUpperCase(Locale.ROOT)),
                        limits(json),
                        json.has("arrival")
                                ? new Uploads((int) json.number("small_percent"), Arrival.named(json.text("arrival")))
                                : null)
                : Style.USUAL;
        return new Load((int) json.number("clients"), (int) json.number("queues"), (int) json.number("size"), style);
    }

    private static Limits limits(Result json) {
        return new Limits(
                (int) json.number("window"),
                (int) json.number("buffer"),
                json.has(MEMORY) ? (int) json.number(MEMORY) : Limits.NONE.memory);
    }
}
