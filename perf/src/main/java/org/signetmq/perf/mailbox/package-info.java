/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code signet perf mailbox}: files uploaded through brokers, with keys made ahead and without. Imports pair, result,
 * rr, setting, statistics, upload and variant.
 */
@NullMarked
package org.signetmq.perf.mailbox;

import org.jspecify.annotations.NullMarked;
