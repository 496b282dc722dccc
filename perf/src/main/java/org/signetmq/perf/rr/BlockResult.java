/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

/**
 * What came of a block.
 *
 * @param cold right after connecting, with empty caches
 * @param warm after that
 */
record BlockResult(Phase cold, Phase warm) {
    long roundTrips() {
        return cold.roundTrips() + warm.roundTrips();
    }
}
