/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Finds the second policy for one pattern. */
final class DistinctPatterns {
    private final Map<String, String> firstPaths = new HashMap<>();

    Optional<String> problemWith(String pattern, String path) {
        String first = firstPaths.putIfAbsent(pattern, path);
        return first == null
                ? Optional.empty()
                : Optional.of("a second policy for " + Quoted.text(pattern) + ", the first is " + first
                        + "; keep one of them");
    }
}
