/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Makes the exceptions that an application sees when a message cannot be opened. Imports no other package of the
 * client; the public API implements its interface.
 */
@NullMarked
package org.signetmq.client.internal.failure;

import org.jspecify.annotations.NullMarked;
