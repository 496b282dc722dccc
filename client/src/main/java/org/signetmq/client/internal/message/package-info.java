/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Presents opened messages as messages of Jakarta Messaging. Imports {@code body}, {@code provider} with its packages,
 * and {@code failure}.
 */
@NullMarked
package org.signetmq.client.internal.message;

import org.jspecify.annotations.NullMarked;
