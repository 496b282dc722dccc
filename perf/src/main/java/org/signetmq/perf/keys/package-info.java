/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code signet perf keys}: where making data keys ahead of need gains throughput, where it cannot, and what
 * remembering opened keys saves.
 */
@NullMarked
package org.signetmq.perf.keys;

import org.jspecify.annotations.NullMarked;

