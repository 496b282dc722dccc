/* SPDX-License-Identifier: Apache-2.0 */
/** The command {@code signet perf}: it runs experiments and writes the page of their results. */
@NullMarked
package org.signetmq.perf;

import org.jspecify.annotations.NullMarked;
