/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy.access;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.signetmq.cli.console.CliException;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;

/** The policies of a home. Two commands that change them at the same time come one after the other. */
public record PolicyStore(Home home) {
    /** Returns the policies; none if there is no file. */
    public PolicySet read() throws IOException {
        Path file = home.policies();
        if (!Files.exists(file)) {
            return PolicySet.EMPTY;
        }
        try {
            return PolicyFile.read(file, PartyValidator.acceptAll());
        } catch (InvalidPolicyException e) {
            throw CliException.configuration(file + ": cannot be used")
                    .details(problems(e))
                    .causedBy(e);
        }
    }

    /**
     * Makes a change under a lock, and returns the policies after it.
     *
     * @param seen the version that the caller saw
     * @throws CliException if there is another version by now
     */
    @SuppressWarnings("try") // the lock is only held
    public PolicySet change(PolicyChange change, long seen, PartyValidator known) throws IOException {
        WholeFile.makeFolder(home.root());
        try (FileChannel lock = new WholeFile(home.root().resolve(".policies.lock")).lock()) {
            PolicySet before = read();
            if (before.version() != seen) {
                throw lastChange(before.version()).overtaking(home.policies().toString(), seen);
            }
            PolicySet changed = change.on(before, known);
            if (!changed.equals(before)) {
                WholeFile file = new WholeFile(home.policies());
                file.write(PolicyFile.bytes(changed), file.permissionsOr(WholeFile.READABLE));
            }
            return changed;
        }
    }

    /** Returns what the file tells of its last change: the time. */
    LastChange lastChange(long version) throws IOException {
        Path file = home.policies();
        Instant written = Files.exists(file) ? Files.getLastModifiedTime(file).toInstant() : null;
        return new LastChange(version, null, null, written == null ? null : written.toString());
    }

    /** Returns the policy of exactly this pattern. */
    public static Policy exactly(String pattern, PolicySet policies) {
        return policies.named(pattern).orElseThrow(() -> notSet(pattern));
    }

    /** Returns the failure of a command that needs the policy of exactly this pattern. */
    public static CliException notSet(String pattern) {
        return CliException.failure("policy for '" + pattern + "': none is set")
                .hint("signet policy list shows all, signet policy explain the one that applies");
    }

    /** Returns a line for each problem. */
    public static List<String> problems(InvalidPolicyException rejection) {
        return rejection.problems().stream().map(PolicyProblem::toString).toList();
    }
}
