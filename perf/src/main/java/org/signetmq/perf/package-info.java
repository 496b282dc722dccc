/* SPDX-License-Identifier: Apache-2.0 */
/** The command {@code signet perf}: benchmarks, and published experiments again. Imports all other rooms of perf. */
@NullMarked
package org.signetmq.perf;

import org.jspecify.annotations.NullMarked;
