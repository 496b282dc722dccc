/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy.access;

import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;

/**
 * The change that made the policies in force.
 *
 * @param by the user who made it, or null if that is unknown
 * @param from the address of the user's client, or null
 * @param at the time (ISO 8601), or null
 */
public record LastChange(
        long version,
        @Nullable String by,
        @Nullable String from,
        @Nullable String at) {
    /** Returns what is known of the maker and the time, with a blank before each part; or an empty text. */
    public String maker() {
        return (by == null ? "" : " by '" + by + "'")
                + (from == null ? "" : " from " + from)
                + (at == null ? "" : " at " + at);
    }

    /** Returns the failure of a command that works on an earlier version. */
    CliException overtaking(String place, long seen) {
        return CliException.failure(
                        place + ": the policies were changed meanwhile, and nothing was changed now: version "
                                + version + " was made" + (maker().isEmpty() ? " by another command" : maker())
                                + ", and this command saw version " + seen)
                .hint("run the command again; it then works on version " + version);
    }
}
