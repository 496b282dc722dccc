/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Seals messages that lay in queues in clear when their address got a policy, and tells what a change of policies means
 * for messages in queues. It imports the gate and the control.
 */
@NullMarked
package org.signetmq.interceptor.internal.backlog;

import org.jspecify.annotations.NullMarked;
