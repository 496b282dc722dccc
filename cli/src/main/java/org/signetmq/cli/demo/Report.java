/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import java.util.List;

/** The result of a run. The names of the components are those in JSON; {@code docs/cli.md} describes them. */
record Report(List<Row> rows, long searchedFiles, long searchedBytes, boolean ok) {
    /** Microseconds to seal and to open a message, on average. */
    record Timing(double sealMicros, double openMicros) {}

    /** The fate of the messages of one protocol under one quality. */
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
            boolean ok) {

        /** It is ok if all arrived, and none is in clear on disk; or all are, where the quality hides nothing. */
        static Row of(Lane lane, DemoClients.Received received, int foundInClear, Timing timing) {
            boolean hidden = lane.quality().encrypts();
            return new Row(
                    lane.protocol().label(),
                    lane.quality().label(),
                    received.sent(),
                    received.opened(),
                    rounded(received.bytesAdded()),
                    foundInClear,
                    hidden,
                    rounded(timing.sealMicros()),
                    rounded(timing.openMicros()),
                    received.opened() == received.sent() && foundInClear == (hidden ? 0 : received.sent()));
        }

        private static double rounded(double value) {
            return Math.round(value * 10) / 10.0;
        }
    }
}
