/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Receives the lines of the audit log, except those about sealed messages. */
@FunctionalInterface
public interface AuditListener {
    /** Takes a line. It must return at once, and must not change the line. */
    void wrote(AuditEvent event, ObjectNode line);
}
