/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.text;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks the recovery recipients of a set of policies. */
public final class RecoveryNames {
    private RecoveryNames() {}

    /** Returns the reasons why a set cannot have these recovery recipients, by their paths; empty if it can. */
    public static Map<String, String> problems(List<String> names) {
        Map<String, String> problems = new LinkedHashMap<>();
        DocumentLimits.problemWithRecovery(names.size())
                .ifPresent(message -> problems.put(PolicyKeys.RECOVERY, message));
        for (int i = 0; i < Math.min(names.size(), DocumentLimits.MOST_RECOVERY); i++) {
            String path = PolicyKeys.RECOVERY + "[" + i + "]";
            problem(names, i).ifPresent(message -> problems.put(path, message));
        }
        return problems;
    }

    private static Optional<String> problem(List<String> names, int index) {
        String name = names.get(index);
        if (name.isBlank()) {
            return Optional.of("not a name, found " + Quoted.text(name)
                    + "; write a name, a distinguished name or a key identifier");
        }
        if (Variables.areIn(name)) {
            return Optional.of("a variable, found " + Quoted.text(name)
                    + "; a recovery recipient is the same for all addresses: name it");
        }
        if (names.indexOf(name) < index) {
            return Optional.of("named before, found " + Quoted.text(name) + "; remove one of them");
        }
        return DocumentLimits.problemWithLength(name);
    }
}
