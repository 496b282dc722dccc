/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import java.util.SplittableRandom;

/**
 * The load on a pair: requests with replies, or uploads of files.
 *
 * @param clients requesters, each with one request under way; or uploaders, each with one file under way
 * @param queues that requests are spread over; each uploader has one
 * @param size bytes of each payload; 0 for uploads, which have many sizes
 * @param anonymous whether one producer sends to all destinations
 * @param window bytes that the broker sends ahead to a consumer; -1 for the usual number
 * @param buffer bytes of the buffer that a getter in the manner of AMS fetches into; 0 for any message
 * @param memory bytes of the messages of an address before the broker writes others to pages; -1 for all
 * @param smallPercent the share of uploaded files up to 10 kB; -1 for requests
 * @param bursts whether uploaders send fifty files together and then pause; else each sends one after another
 * @param processes that the clients are spread over
 */
public record Load(
        int clients,
        int queues,
        int size,
        boolean anonymous,
        int window,
        int buffer,
        int memory,
        int smallPercent,
        boolean bursts,
        int processes) {
    /** The usual bytes of a payload. */
    public static final int USUAL_SIZE = 2048;
    /** More requesters share their responders: answering is less work than asking and waiting. */
    private static final int MOST_RESPONDERS = 32;
    /** The longest message that Artemis keeps in memory, with its properties, in bytes. */
    private static final int LONGEST_IN_MEMORY = 100 * 1024;

    private static final long SEED = 20_160_613;

    /** Rejects loads without clients. */
    public Load {
        if (clients < processes || processes < 1 || queues < 1 || size < 0) {
            throw new IllegalArgumentException("load: must have clients and queues");
        }
    }

    /** Returns a load of requests and replies. */
    public static Load of(int clients, int queues, int size) {
        return new Load(clients, queues, size, false, -1, 0, -1, -1, false, 1);
    }

    /** Returns a load of uploaders, each with a mailbox of its own. */
    public static Load ofUploads(int uploaders, int smallPercent, boolean bursts) {
        return new Load(uploaders, uploaders, 0, false, -1, 0, -1, smallPercent, bursts, 1);
    }

    public Load withAnonymousProducers() {
        return new Load(clients, queues, size, true, window, buffer, memory, smallPercent, bursts, processes);
    }

    public Load withWindow(int bytes) {
        return new Load(clients, queues, size, anonymous, bytes, buffer, memory, smallPercent, bursts, processes);
    }

    public Load withBuffer(int bytes) {
        return new Load(clients, queues, size, anonymous, 0, bytes, memory, smallPercent, bursts, processes);
    }

    public Load withMemory(int bytes) {
        return new Load(clients, queues, size, anonymous, window, buffer, bytes, smallPercent, bursts, processes);
    }

    /** Returns the same load from clients in this number of processes. */
    public Load withProcesses(int number) {
        return new Load(clients, queues, size, anonymous, window, buffer, memory, smallPercent, bursts, number);
    }

    /** Returns the part of this load that one of its processes is. */
    Load part(int process) {
        int share = clients / processes + (process < clients % processes ? 1 : 0);
        return new Load(share, queues, size, anonymous, window, buffer, memory, smallPercent, bursts, 1);
    }

    /** Returns what is unusual about the load, as results name it; empty if nothing is. */
    public String label() {
        if (smallPercent >= 0) {
            return (bursts ? "bursts " : "stream ") + smallPercent + " % small";
        }
        return (anonymous ? "anonymous" : "")
                + (buffer > 0 ? "buffer " + buffer : window >= 0 ? "window " + window : "")
                + (memory >= 0 ? "memory " + memory : "")
                + (processes > 1 ? processes + " processes" : "");
    }

    boolean uploads() {
        return smallPercent >= 0;
    }

    /** Tells whether the payload alone makes a large message, which brokers treat by other code. */
    boolean large() {
        return size > LONGEST_IN_MEMORY;
    }

    /** Returns one for each requester, up to a limit; at least one for each queue that is asked. */
    int responders() {
        return Math.min(clients, Math.max(MOST_RESPONDERS, queues));
    }

    /** Returns the queue of a requester, or of a responder: each queue that is asked is answered. */
    int queueOf(int client) {
        return client % queues;
    }

    /** Returns a payload of this size: the same in each run, and not compressible. */
    public static byte[] payload(int size) {
        byte[] payload = new byte[size];
        new SplittableRandom(SEED).nextBytes(payload);
        return payload;
    }
}
