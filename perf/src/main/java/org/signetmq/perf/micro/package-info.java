/* SPDX-License-Identifier: Apache-2.0 */
/** Micro-benchmarks: what one operation costs beside the primitives inside it. */
@NullMarked
package org.signetmq.perf.micro;

import org.jspecify.annotations.NullMarked;

