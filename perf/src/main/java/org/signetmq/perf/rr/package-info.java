/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code signet perf rr}: requests and replies through brokers, and the plan, the measurement and the rows of all such
 * experiments. Imports broker, pair, primitive, result, setting, statistics and variant.
 */
@NullMarked
package org.signetmq.perf.rr;

import org.jspecify.annotations.NullMarked;
