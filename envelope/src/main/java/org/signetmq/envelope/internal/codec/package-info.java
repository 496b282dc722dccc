/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The resources that sealing and opening share: buffers, budgets, the pipeline of threads. It imports
 * {@code internal.entity}, {@code internal.recipient} and packages below them.
 */
@NullMarked
package org.signetmq.envelope.internal.codec;

import org.jspecify.annotations.NullMarked;
