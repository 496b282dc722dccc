/* SPDX-License-Identifier: Apache-2.0 */
/** Experiments as declarations, and what they measure: files, disks, keys and single operations. */
@NullMarked
package org.signetmq.perf.experiment;

import org.jspecify.annotations.NullMarked;
