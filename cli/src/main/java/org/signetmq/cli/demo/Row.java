/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import org.signetmq.policy.QualityOfProtection;

/**
 * What became of the messages of one protocol under one quality.
 *
 * @param protocol how they were sent
 * @param quality how they were protected
 * @param fate what became of them
 * @param cost what the protection took
 */
public record Row(String protocol, QualityOfProtection quality, Fate fate, Cost cost) {
    /**
     * What became of messages.
     *
     * @param sent how many were sent
     * @param opened how many the consumer got as they were sent
     * @param foundInClear how many were found in clear in the broker's files
     */
    public record Fate(int sent, int opened, int foundInClear) {}

    /**
     * What protection takes per message, on average.
     *
     * @param bytesAdded how much longer a stored body is than its payload
     * @param sealMicros how long it takes to seal
     * @param openMicros how long it takes to open
     */
    public record Cost(double bytesAdded, double sealMicros, double openMicros) {}

    /** Whether the quality hides payloads; a signature alone does not. */
    public boolean hides() {
        return quality.encrypts();
    }

    /** Whether all arrived, and none is in clear on disk; or all are, where nothing hides them. */
    public boolean ok() {
        return fate.opened() == fate.sent() && fate.foundInClear() == (hides() ? 0 : fate.sent());
    }
}
