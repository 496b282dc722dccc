/* SPDX-License-Identifier: Apache-2.0 */
/** Pairs of processes, a broker and its clients, under load. */
@NullMarked
package org.signetmq.perf.pair;

import org.jspecify.annotations.NullMarked;
