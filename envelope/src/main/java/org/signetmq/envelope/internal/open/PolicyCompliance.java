/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.policy.Policy;
import org.signetmq.policy.QualityOfProtection;

/** Whether what protected a message is enough for its policy. */
final class PolicyCompliance {
    private PolicyCompliance() {}

    /** Privacy is as good as either of the others; else the quality must be the policy's own. */
    static void check(QualityOfProtection found, @Nullable Policy policy) {
        if (policy == null) {
            return;
        }
        QualityOfProtection wanted = policy.quality();
        boolean enough = wanted == found || wanted == QualityOfProtection.NONE || found == QualityOfProtection.PRIVACY;
        if (!enough) {
            throw new PolicyViolationException("envelope: quality " + found.label() + " where policy '"
                    + policy.pattern() + "' asks for " + wanted.label());
        }
    }
}
