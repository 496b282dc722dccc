/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import org.apache.activemq.artemis.logs.AuditLogger;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;

/** Checks that the broker's audit log does not contain messages in clear. */
record AuditLogCheck(PolicySet policies) implements Check {
    @Override
    public void look(Findings found) {
        if (AuditLogger.isBaseLoggingEnabled()
                && policies.policies().stream()
                        .map(policy -> policy.quality())
                        .anyMatch(QualityOfProtection::encrypts)) {
            found.warn(
                    "the logger org.apache.activemq.audit.base is on, and writes bodies that the console or JMX sends"
                            + " (AMQ601013) before Signet sees them",
                    "filter AMQ601013 out in log4j2.properties, or send no secret messages by the console");
        }
    }
}
