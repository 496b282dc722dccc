/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.time.Duration;

/**
 * How long one data key may serve; it ends at the first limit reached.
 *
 * @param messages at most so many, at least 1
 * @param bytes at most so many, at least 1; one larger message gets a key of its own
 * @param age at most so long after its first use
 */
public record EpochLimits(long messages, long bytes, Duration age) {}
