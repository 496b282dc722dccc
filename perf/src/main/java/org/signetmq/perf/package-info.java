/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The command {@code signet perf}: benchmarks, and the reproduction of published experiments. Imports all other rooms.
 */
@NullMarked
package org.signetmq.perf;

import org.jspecify.annotations.NullMarked;
