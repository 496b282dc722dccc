/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

/**
 * A point in time.
 *
 * @param nanos by the monotonic clock
 * @param jumps how many times the wall clock had jumped, see {@link ClockJumpDetector}
 */
record Moment(long nanos, long jumps) {}
