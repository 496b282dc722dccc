/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The messages that lie in queues: sealing those in clear, the consequences of a change of policies for them, and the
 * keys that they need. It imports the gate, large, control and the home.
 */
@NullMarked
package org.signetmq.interceptor.internal.backlog;

import org.jspecify.annotations.NullMarked;
