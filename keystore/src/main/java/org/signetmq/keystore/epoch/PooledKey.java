/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

import org.signetmq.keystore.crypto.PreparedKey;

/**
 * A key in a pool.
 *
 * @param since the time when the key came into the pool, in nanoseconds
 * @param jumps the number of jumps of the clock when its generation began
 */
record PooledKey(PreparedKey key, long since, long jumps) {
    boolean isFresh(Moment now, long ageNanos) {
        return now.nanos() - since < ageNanos && now.jumps() == jumps;
    }
}
