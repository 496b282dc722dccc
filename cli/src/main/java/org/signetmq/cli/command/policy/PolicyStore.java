/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.signetmq.cli.console.CliException;
import org.signetmq.keystore.file.OwnedFolder;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyFile;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;

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

    /** Reads, changes and writes the policies under a lock; returns the new ones. */
    @SuppressWarnings("try") // the lock is only held
    PolicySet change(UnaryOperator<PolicySet> change) throws IOException {
        try (OwnedFolder folder = OwnedFolder.openOrMake(home.root());
                FileChannel lock = folder.lock(".policies.lock")) {
            PolicySet changed = change.apply(read());
            String name = String.valueOf(home.policies().getFileName());
            folder.write(
                    name, PolicyFile.bytes(changed), folder.permissions(name).orElse(OwnedFolder.READABLE));
            return changed;
        }
    }

    /** Returns the policy of exactly this pattern. */
    static Policy exactly(String pattern, PolicySet policies) {
        return policies.policies().stream()
                .filter(policy -> policy.pattern().equals(pattern))
                .findFirst()
                .orElseThrow(() -> CliException.failure("policy for '" + pattern + "': none is set")
                        .hint("signet policy list shows all, signet policy explain the one that applies"));
    }

    /** Returns the step of versions that a change made. */
    static String step(PolicySet written) {
        return "policies " + (written.version() - 1) + " -> " + written.version();
    }

    static List<String> problems(InvalidPolicyException rejection) {
        return rejection.problems().stream().map(PolicyProblem::toString).toList();
    }
}
