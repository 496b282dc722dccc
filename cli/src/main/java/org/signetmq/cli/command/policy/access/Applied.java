/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy.access;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a change did, or would do.
 *
 * @param before the version that it worked on
 * @param version the version in force after it; that before if nothing changed
 * @param warnings what an administrator should know of the policies in force after it
 * @param impact what a judged change means for the messages of a broker; null if no broker judged it
 * @param replaced the policy in whose place another one was set, as JSON; null if there was none
 */
public record Applied(
        long before,
        long version,
        List<String> warnings,
        @Nullable PolicyImpact impact,
        @Nullable String replaced) {
    public Applied {
        warnings = List.copyOf(warnings);
    }

    Applied(long before, long version, List<String> warnings) {
        this(before, version, warnings, null, null);
    }

    Applied with(PolicyImpact known) {
        return new Applied(before, version, warnings, known, replaced);
    }

    Applied replacing(@Nullable String former) {
        return new Applied(before, version, warnings, impact, former);
    }

    /** Nothing: all is so already. */
    public static Applied nothing(long version) {
        return new Applied(version, version, List.of());
    }

    public boolean isChange() {
        return version != before;
    }

    /** Returns the step of versions. */
    public String step() {
        return isChange() ? "policies " + before + " -> " + version : "nothing to do";
    }
}
