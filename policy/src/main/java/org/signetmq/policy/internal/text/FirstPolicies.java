/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.text;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Remembers the first policy of each pattern of a document, to find the second one. For one thread. */
public final class FirstPolicies {
    private final Map<String, Integer> indexes = new HashMap<>();

    /** Returns the reason why the policy at this index cannot have this pattern; empty for the first one of it. */
    public Optional<String> problemWith(String pattern, int index) {
        return Optional.ofNullable(indexes.putIfAbsent(pattern, index))
                .map(first -> "a second policy for " + Quoted.text(pattern) + ", the first is " + PolicyKeys.POLICIES
                        + "[" + first + "]; keep one of them");
    }
}
