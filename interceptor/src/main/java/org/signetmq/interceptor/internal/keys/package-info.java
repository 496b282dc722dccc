/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tells which keys the messages in queues need. It changes no message, and uses no key. It imports large and control.
 */
@NullMarked
package org.signetmq.interceptor.internal.keys;

import org.jspecify.annotations.NullMarked;
