/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import org.jspecify.annotations.Nullable;

/**
 * A line from the clients' process: either what came of a block, or why nothing did.
 *
 * @param result null if it failed
 * @param failure null if it did not
 */
record Answer(@Nullable BlockResult result, @Nullable String failure) {}
