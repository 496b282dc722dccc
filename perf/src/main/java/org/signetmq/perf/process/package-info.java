/* SPDX-License-Identifier: Apache-2.0 */
/** Processes of Java that answer requests, and what they use. */
@NullMarked
package org.signetmq.perf.process;

import org.jspecify.annotations.NullMarked;
