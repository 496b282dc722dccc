/* SPDX-License-Identifier: Apache-2.0 */
/** Experiments as declarations, and the runner of all. */
@NullMarked
package org.signetmq.perf.experiment;

import org.jspecify.annotations.NullMarked;
