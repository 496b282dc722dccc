/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Acknowledges received messages and gives back those that cannot be opened. Imports {@code opening}, {@code message},
 * {@code address}, {@code provider} and {@code failure}.
 */
@NullMarked
package org.signetmq.client.internal.settlement;

import org.jspecify.annotations.NullMarked;
