/* SPDX-License-Identifier: Apache-2.0 */
/** Statistics of repeated measurements. Imports no other room of perf. */
@NullMarked
package org.signetmq.perf.statistics;

import org.jspecify.annotations.NullMarked;
