/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * The part of a payload that is unique to a run: {@code marker = run lane message}, so that a search for the run finds
 * every payload that is there in clear, and knows which.
 *
 * @param run the same in all payloads of a run, and nowhere else
 */
record Marker(String run) {
    private static final int LANE_DIGITS = 2;
    private static final int MESSAGE_DIGITS = 7;
    private static final String FILLER = "{\"article\":\"4711\",\"amount\":1,\"price\":\"12.50\"},".repeat(18) + "{}";

    /** How many digits follow the run. */
    static final int DIGITS = LANE_DIGITS + MESSAGE_DIGITS;

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

    /** The lane that the digits after a run name. */
    static int laneOf(String digits) {
        return Integer.parseInt(digits.substring(0, LANE_DIGITS));
    }

    /** The message that the digits after a run name. */
    static int messageOf(String digits) {
        return Integer.parseInt(digits.substring(LANE_DIGITS));
    }
}
