/* SPDX-License-Identifier: Apache-2.0 */
/** Rows of results, and what is made from them: samples, bars, published figures, tables and charts. */
@NullMarked
package org.signetmq.perf.result;

import org.jspecify.annotations.NullMarked;
