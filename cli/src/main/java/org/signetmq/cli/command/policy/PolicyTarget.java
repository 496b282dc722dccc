/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.Failures;
import org.signetmq.envelope.SignedPolicies;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicySet;

/**
 * A place where policies live: the file of a home, or a running broker. A command reads the policies, edits them in
 * memory, and puts them in place of those that it read. Not thread-safe.
 */
public interface PolicyTarget {
    /** Returns the place for messages. */
    String name();

    /** Returns the policies in force. */
    PolicySet read() throws IOException;

    /** Returns a check of names before an edit. That of a broker accepts all, because the broker checks them itself. */
    PartyValidator parties();

    /**
     * Returns the parties that policies may name.
     *
     * @throws CliException if the place is a home
     */
    default List<Party> known() throws IOException {
        throw CliException.usage("--broker: missing");
    }

    /**
     * A party of a broker.
     *
     * @param source {@code home}, or {@code policies} if these bring its certificate
     * @param former the number of its former certificates
     */
    record Party(String name, String source, String dn, String notAfter, String keyId, int former) {
        public Party {
            name = Failures.oneLine(name);
            source = Failures.oneLine(source);
            dn = Failures.oneLine(dn);
            notAfter = Failures.oneLine(notAfter);
            keyId = Failures.oneLine(keyId);
        }
    }

    /** Returns the change that made the policies in force; empty if the place does not tell its maker. */
    default Optional<LastChange> lastChange() throws IOException {
        return Optional.empty();
    }

    /**
     * Returns the changes that made the policies in force, and the former ones that a broker keeps, the newest first.
     *
     * @throws CliException if the place keeps none
     */
    default List<LastChange> history() throws IOException {
        throw CliException.usage("--broker: missing; a home keeps no former policies, a broker does");
    }

    /**
     * Returns the former policies with this version.
     *
     * @throws CliException if the place does not keep them
     */
    default PolicySet former(long version) throws IOException {
        throw CliException.usage("--broker: missing; a home keeps no former policies, a broker does");
    }

    /**
     * Puts other policies in place of those that were read.
     *
     * @param dryRun whether the change is only judged
     * @throws InvalidPolicyException if the change is rejected; with all of its problems
     * @throws CliException if there is another version by now, or the place takes no changes
     */
    Applied replace(PolicySet before, PolicySet after, boolean dryRun) throws IOException;

    /**
     * Puts a signed document as it is in place of all policies.
     *
     * @param policies those in the document
     * @throws InvalidPolicyException if it is rejected, for example because its version is not greater
     */
    Applied load(SignedPolicies document, PolicySet policies, boolean dryRun) throws IOException;

    /**
     * Puts policies in place of lost ones.
     *
     * @param document their text, with its signature if it has one
     * @throws CliException if none are lost
     */
    default Applied restore(String document, PolicySet policies) throws IOException {
        throw CliException.usage("--restore: only with --broker; a home loses no policies that it would know of");
    }

    /** Edits policies. */
    @FunctionalInterface
    interface Edit {
        /**
         * Returns the next version with the edit.
         *
         * @throws InvalidPolicyException with all problems of the edit
         */
        PolicySet on(PolicySet before, PartyValidator known) throws IOException;
    }

    /** Makes an edit, or has it judged. */
    default Applied change(Edit edit, boolean dryRun) throws IOException {
        PolicySet before = read();
        PartyValidator known =
                parties().withCertificates().apply(before.settings().certificates());
        PolicySet after = edit.on(before, known);
        return isSame(before, after) ? Applied.nothing(before) : replace(before, after, dryRun);
    }

    /** Returns whether two sets have the same policies, whatever their versions are. */
    static boolean isSame(PolicySet one, PolicySet other) {
        return one.settings().equals(other.settings()) && one.policies().equals(other.policies());
    }

    /**
     * What a change did, or would do.
     *
     * @param after the policies after it; those before if nothing changed
     * @param warnings what an administrator should know of the policies after it
     * @param impact what a judged change means for the messages of a broker; null if no broker judged it
     */
    record Applied(
            PolicySet before,
            PolicySet after,
            List<String> warnings,
            @Nullable PolicyImpact impact) {
        public Applied {
            warnings = List.copyOf(warnings);
        }

        /** Nothing: all is so already. */
        static Applied nothing(PolicySet policies) {
            return new Applied(policies, policies, List.of(), null);
        }

        public boolean isChange() {
            return after.version() != before.version();
        }

        /** Returns the step of versions. */
        public String step() {
            return isChange() ? "policies " + before.version() + " -> " + after.version() : "nothing to do";
        }
    }

    /**
     * The change that made the policies in force.
     *
     * @param by the user who made it, or null if that is unknown
     * @param from the address of the user's client, or null
     * @param at the time (ISO 8601), or null
     */
    record LastChange(
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
}
