/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code signet perf figure} and {@code tls}: published experiments of round trips, in their own manner and with
 * Signet. Imports published, result, rr, setting, statistics and variant.
 */
@NullMarked
package org.signetmq.perf.figure;

import org.jspecify.annotations.NullMarked;
