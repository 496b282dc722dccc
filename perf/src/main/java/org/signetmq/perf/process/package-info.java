/* SPDX-License-Identifier: Apache-2.0 */
/** The runner of all experiments, in which what is compared takes turns, and processes of Java that answer requests. */
@NullMarked
package org.signetmq.perf.process;

import org.jspecify.annotations.NullMarked;
