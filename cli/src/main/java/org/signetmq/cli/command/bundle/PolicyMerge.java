/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.signetmq.cli.console.Failures;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;

/**
 * The policies of a home with those of a bundle. Policies and recovery recipients of the signer's earlier bundle go or
 * change with it; others stay, and a bundle may not change them.
 *
 * @param merged the policies after the import; the version is that of the home
 * @param problems why the bundle does not fit beside the other policies
 */
record PolicyMerge(PolicySet merged, List<String> problems) {
    PolicyMerge {
        problems = List.copyOf(problems);
    }

    /**
     * Merges.
     *
     * @param there the policies of the home
     * @param own what came with the earlier bundle of the signer
     * @param bundle the policies of the bundle
     * @param mayReplace whether the bundle may change other policies, too
     */
    static PolicyMerge of(PolicySet there, ImportRecords.Brought own, PolicySet bundle, boolean mayReplace) {
        Set<String> owned = new HashSet<>(own.patterns());
        boolean isAllOwned = there.policies().stream().map(Policy::pattern).allMatch(owned::contains);
        List<String> problems = new ArrayList<>();
        if (!isAllOwned && !there.wildcards().equals(bundle.wildcards())) {
            problems.add("policies: the wildcards of the bundle ("
                    + bundle.wildcards().describe() + ") are not those of the home ("
                    + there.wildcards().describe() + ")");
        }
        if (!isAllOwned && there.unmatched() != bundle.unmatched() && !mayReplace) {
            problems.add(
                    "policies: addresses without a policy " + there.unmatched().label() + " in this home, and "
                            + bundle.unmatched().label() + " in the bundle");
        }
        boolean isRecoveryOwned = isAllOwned && own.recovery().containsAll(there.recovery());
        if (!isRecoveryOwned && !there.recovery().equals(bundle.recovery()) && !mayReplace) {
            problems.add("policies: the recovery recipients of the bundle (" + list(bundle.recovery())
                    + ") are not those of the home (" + list(there.recovery()) + ")");
        }
        Map<String, Policy> merged = new LinkedHashMap<>();
        there.policies().stream()
                .filter(policy -> !owned.contains(policy.pattern()))
                .forEach(policy -> merged.put(policy.pattern(), policy));
        for (Policy policy : bundle.policies()) {
            Policy before = merged.put(policy.pattern(), policy);
            if (before != null && !before.equals(policy) && !mayReplace) {
                problems.add("policies: '" + Failures.oneLine(policy.pattern())
                        + "' is set in this home otherwise, and not by an earlier bundle of this signer");
            }
        }
        return new PolicyMerge(
                problems.isEmpty()
                        ? PolicySet.of(there.version(), bundle.settings(), List.copyOf(merged.values()))
                        : there,
                problems);
    }

    private static String list(List<String> names) {
        return names.isEmpty() ? "none" : Failures.oneLine(String.join("; ", names));
    }
}
