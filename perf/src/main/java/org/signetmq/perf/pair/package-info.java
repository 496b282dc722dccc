/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Pairs of a broker process and a client process. Each pair serves one setting, so that Java compiles its code for that
 * setting alone. Imports broker, clients, process, result, setting, upload and variant.
 */
@NullMarked
package org.signetmq.perf.pair;

import org.jspecify.annotations.NullMarked;
