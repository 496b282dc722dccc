/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.control;

import java.lang.ref.SoftReference;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;

/**
 * Formats policies, and keeps the last text while there is memory, because a reader asks for it in parts. Thread-safe.
 */
final class FormattedPolicies {
    private volatile SoftReference<@Nullable Formatted> last = new SoftReference<>(null);

    private record Formatted(PolicySet policies, String text) {}

    @SuppressWarnings("ReferenceEquality") // an equal set is formatted again
    String of(PolicySet policies) {
        Formatted known = last.get();
        if (known == null || known.policies() != policies) {
            known = new Formatted(policies, PolicyFile.format(policies));
            last = new SoftReference<>(known);
        }
        return known.text();
    }
}
