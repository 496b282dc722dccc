/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

/**
 * A key made ahead of need.
 *
 * @param since when it came into the pool, in nanoseconds
 */
record PooledKey(PreparedKey key, long since) {}
