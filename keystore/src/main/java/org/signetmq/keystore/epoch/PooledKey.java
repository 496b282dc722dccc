/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

import org.signetmq.keystore.crypto.PreparedKey;

/**
 * A key made ahead of need.
 *
 * @param since when it came into the pool, in nanoseconds
 * @param jumps how many times the clock had jumped when its making began
 */
record PooledKey(PreparedKey key, long since, long jumps) {
    boolean isFresh(Moment now, long ageNanos) {
        return now.nanos() - since < ageNanos && now.jumps() == jumps;
    }
}
