/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy.access;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.signetmq.cli.console.Json;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;

/**
 * Adds names to a list of one policy, or takes them away. All of them, or none.
 *
 * @param pattern of the policy
 */
public record EditParties(Edit edit, String pattern, List<String> names) implements PolicyChange {
    /** The edits of lists of names. */
    public enum Edit {
        ADD_RECIPIENT("recipients", true),
        REMOVE_RECIPIENT("recipients", false),
        ADD_SIGNER("signers", true),
        REMOVE_SIGNER("signers", false);

        private final String key;
        private final boolean adds;

        Edit(String key, boolean adds) {
            this.key = key;
            this.adds = adds;
        }

        /** Returns the list in a document. */
        public String key() {
            return key;
        }

        /** Returns what happened to the names. */
        public String participle() {
            return adds ? "added" : "removed";
        }
    }

    public EditParties {
        names = List.copyOf(names);
    }

    @Override
    public PolicySet on(PolicySet before, PartyValidator known) {
        Policy policy = PolicyStore.exactly(pattern, before);
        List<String> there = edit.key.equals("signers")
                ? policy.signing().signers()
                : policy.encryption().recipients();
        List<String> wanted = edit.adds ? with(there) : without(there);
        if (wanted.equals(there)) {
            return before;
        }
        return PolicyFile.parsePolicy(
                Json.fields(PolicyFile.format(policy), edit.key, wanted),
                before,
                new PartyValidator(ofNames(known.recipientProblem()), ofNames(known.signerProblem())));
    }

    @Override
    public List<Policy> touched(PolicySet after) {
        return List.of(PolicyStore.exactly(pattern, after));
    }

    private List<String> with(List<String> there) {
        List<String> wanted = new ArrayList<>(there);
        names.stream().filter(name -> !wanted.contains(name)).distinct().forEach(wanted::add);
        return wanted;
    }

    private List<String> without(List<String> there) {
        List<PolicyProblem> problems = new ArrayList<>();
        names.stream()
                .filter(name -> !there.contains(name))
                .forEach(name -> problems.add(
                        new PolicyProblem(edit.key, "'" + name + "' is not on this list, which has " + list(there))));
        List<String> left = new ArrayList<>(there);
        left.removeAll(names);
        if (edit == Edit.REMOVE_SIGNER && left.isEmpty() && problems.isEmpty()) {
            problems.add(new PolicyProblem(
                    edit.key,
                    "none would be left, and then every trusted signer is accepted; signet policy set without --signer "
                            + "says that this is meant"));
        }
        if (!problems.isEmpty()) {
            throw new InvalidPolicyException(problems);
        }
        return left;
    }

    private static String list(List<String> names) {
        return names.isEmpty() ? "no names" : String.join("; ", names);
    }

    /** Judges the new names alone: a name that was there and no longer works must not keep others from coming. */
    private Function<String, Optional<String>> ofNames(Function<String, Optional<String>> problem) {
        return name -> names.contains(name) ? problem.apply(name) : Optional.empty();
    }
}
