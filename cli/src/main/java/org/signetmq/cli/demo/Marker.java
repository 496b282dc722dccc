/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The part of a payload that is unique to a run: {@code marker = run lane message}, so that a search for the run finds
 * every payload that is there in clear, and knows which.
 *
 * @param run the same in all payloads of a run, and nowhere else
 */
record Marker(String run) {
    private static final String FILLER = "{\"article\":\"4711\",\"amount\":1,\"price\":\"12.50\"},".repeat(18) + "{}";

    /** A marker that no other run has. */
    static Marker fresh() {
        return new Marker("CLEAR" + UUID.randomUUID() + "-");
    }

    /** Returns the payloads of a lane. */
    List<String> payloads(Lane lane, int messages) {
        return IntStream.range(0, messages)
                .mapToObj(message -> payload(lane, message))
                .toList();
    }

    /** The payload of a message: about one kilobyte of text, unlike every other. */
    String payload(Lane lane, int message) {
        String marker = run + String.format("%02d%07d", lane.number(), message);
        return "{\"order\":%d,\"marker\":\"%s\",\"customer\":\"Zoë\",\"lines\":[%s]}"
                .formatted(message, marker, FILLER);
    }

    /** Returns a pattern for a marker of this run in ASCII. Its groups are the numbers of the lane and the message. */
    Pattern pattern() {
        return Pattern.compile(Pattern.quote(run) + "([0-9]{2})([0-9]{7})");
    }
}
