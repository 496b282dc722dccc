/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import java.util.List;

/**
 * The result of a run. The names of the components are those in JSON.
 *
 * @param rows one per protocol and quality
 * @param searchedFiles the number of files of the broker that were searched
 * @param searchedBytes their length in all
 * @param ok whether every row is as it should be
 */
record Report(List<Row> rows, long searchedFiles, long searchedBytes, boolean ok) {
    /**
     * The fate of the messages of one protocol under one quality.
     *
     * @param sent the number of messages
     * @param opened the number of messages that the consumer received as they were sent
     * @param bytesAdded how much longer a stored body is than its payload, on average
     * @param foundInClear the number of messages in clear in the broker's files
     * @param hidden whether the quality hides payloads; a signature alone does not
     * @param sealMicros microseconds to seal a message, on average
     * @param openMicros microseconds to open a message, on average
     * @param ok whether all arrived, and none is in clear on disk; or all are, where nothing hides them
     */
    record Row(
            String protocol,
            String quality,
            int sent,
            int opened,
            double bytesAdded,
            int foundInClear,
            boolean hidden,
            double sealMicros,
            double openMicros,
            boolean ok) {}

    /** The numbers of messages that were sent, opened, and found in clear. */
    record Counts(int sent, int opened, int foundInClear) {}

    /** Microseconds to seal and to open a message. */
    record Timing(double sealMicros, double openMicros) {}

    static Row row(Lane lane, Counts counts, double bytesAdded, Timing timing) {
        boolean hidden = lane.quality().encrypts();
        return new Row(
                lane.protocol().label(),
                lane.quality().label(),
                counts.sent(),
                counts.opened(),
                rounded(bytesAdded),
                counts.foundInClear(),
                hidden,
                rounded(timing.sealMicros()),
                rounded(timing.openMicros()),
                counts.opened() == counts.sent() && counts.foundInClear() == (hidden ? 0 : counts.sent()));
    }

    private static double rounded(double value) {
        return Math.round(value * 10) / 10.0;
    }
}
