/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code signet perf filesystem}: encrypted file systems beside protected messages, as a published experiment has it.
 * Imports broker, pair, published, result, rr, setting, trace and variant.
 */
@NullMarked
package org.signetmq.perf.filesystem;

import org.jspecify.annotations.NullMarked;
