/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code signet perf report}: the document of all measurements. Imports digest, figure, filesystem, keys, mailbox,
 * micro, result and rr.
 */
@NullMarked
package org.signetmq.perf.report;

import org.jspecify.annotations.NullMarked;
