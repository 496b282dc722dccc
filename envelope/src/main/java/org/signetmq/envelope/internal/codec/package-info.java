/* SPDX-License-Identifier: Apache-2.0 */
/** The resources that sealing and opening share: buffers, budgets, the pipeline of threads. */
@NullMarked
package org.signetmq.envelope.internal.codec;

import org.jspecify.annotations.NullMarked;
