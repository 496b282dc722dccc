/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.List;
import java.util.Optional;
import org.signetmq.keystore.Finding;
import org.signetmq.keystore.Home;
import org.signetmq.keystore.PartyCheck;
import org.signetmq.keystore.TrustFindings;
import org.signetmq.policy.KnownParties;
import org.signetmq.policy.PolicySet;

/**
 * What names stand for in a home.
 *
 * @param home the home
 * @param check knows the home's certificates
 */
record HomeNames(Home home, PartyCheck check) {
    /** What policies may name. */
    KnownParties parties() {
        return KnownParties.of(check::problemWithRecipient, check::problemWithSignerInForce);
    }

    /** On one line how many names do not stand for one key, and the first of them. Reads the certificates anew. */
    Optional<String> finding(PolicySet policies) {
        List<String> signers = policies.policies().stream()
                .flatMap(policy -> policy.signing().signers().stream())
                .distinct()
                .toList();
        List<Finding> findings = TrustFindings.of(home, signers);
        return findings.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        findings.size() + " found (signet doctor home lists them), the first: " + findings.get(0));
    }
}
