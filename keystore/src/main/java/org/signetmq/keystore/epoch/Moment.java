/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

/**
 * A point in time.
 *
 * @param nanos the time of the monotonic clock in nanoseconds
 * @param jumps the number of jumps of the wall clock until then, see {@link ClockJumpDetector}
 */
record Moment(long nanos, long jumps) {}
