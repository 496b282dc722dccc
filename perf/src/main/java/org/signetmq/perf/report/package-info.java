/* SPDX-License-Identifier: Apache-2.0 */
/** Writes the measured figures into a document: every row of the JSON files, lucky or not. */
@NullMarked
package org.signetmq.perf.report;

import org.jspecify.annotations.NullMarked;
