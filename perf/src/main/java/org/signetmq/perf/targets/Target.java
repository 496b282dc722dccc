/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.targets;

/**
 * What Signet wants to reach, and what was measured.
 *
 * @param name what is compared
 * @param measured NaN if it was not
 * @param bar what it is held against
 * @param verdict whether it was reached
 */
public record Target(String name, double measured, Bar bar, Verdict verdict) {}
