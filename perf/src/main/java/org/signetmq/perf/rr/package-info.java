/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code signet perf rr}: requests and replies through a broker in a process of its own. Imports result and variant.
 */
@NullMarked
package org.signetmq.perf.rr;

import org.jspecify.annotations.NullMarked;
