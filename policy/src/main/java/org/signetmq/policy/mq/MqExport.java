/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import java.util.List;
import org.signetmq.policy.PolicyProblem;

/**
 * Policies as commands for MQ.
 *
 * @param text the lines, each with a line break behind it
 * @param refused the policies that MQ cannot express: the pattern as path, and the reason
 */
public record MqExport(String text, List<PolicyProblem> refused) {
    public MqExport {
        refused = List.copyOf(refused);
    }
}
