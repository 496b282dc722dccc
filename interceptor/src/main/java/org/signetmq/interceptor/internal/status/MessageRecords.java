/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.status;

import org.signetmq.interceptor.internal.audit.AuditLog;

/**
 * The records of messages.
 *
 * @param counters counts them
 * @param audit writes lines about some of them
 */
public record MessageRecords(Counters counters, AuditLog audit) {}
