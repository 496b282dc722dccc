/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The audit log: a line of JSON for each change of policies, keys and trust, for rejected messages, and for sealed
 * messages whose policy asks for it. It imports the log.
 */
@NullMarked
package org.signetmq.interceptor.internal.audit;

import org.jspecify.annotations.NullMarked;
