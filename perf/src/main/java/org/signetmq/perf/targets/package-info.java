/* SPDX-License-Identifier: Apache-2.0 */
/** Targets, and whether a measurement met them. */
@NullMarked
package org.signetmq.perf.targets;

import org.jspecify.annotations.NullMarked;
