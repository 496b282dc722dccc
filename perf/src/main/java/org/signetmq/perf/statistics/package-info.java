/* SPDX-License-Identifier: Apache-2.0 */
/** What repeated measurements say: medians with intervals, comparisons, fits. Imports no other room of perf. */
@NullMarked
package org.signetmq.perf.statistics;

import org.jspecify.annotations.NullMarked;
