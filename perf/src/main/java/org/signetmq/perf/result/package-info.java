/* SPDX-License-Identifier: Apache-2.0 */
/** Results of a measurement, and how they are written: as JSON, tables, targets, charts and documents. */
@NullMarked
package org.signetmq.perf.result;

import org.jspecify.annotations.NullMarked;

