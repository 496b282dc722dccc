/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.util.List;
import org.signetmq.cli.command.policy.access.Applied;
import org.signetmq.cli.command.policy.access.EditParties;
import org.signetmq.cli.command.policy.access.EditParties.Edit;
import org.signetmq.cli.command.policy.access.PolicyTarget;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PolicyProblem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The commands of {@code signet policy} that change one list of names, and leave the policy as it is otherwise. */
final class PolicyPartyCommands {
    private PolicyPartyCommands() {}

    /** A command that edits a list: all names at once, or none. */
    abstract static class Editing extends ChangingCommand {
        private final Edit edit;

        @Parameters(index = "0", paramLabel = "ADDRESS", description = PolicyCommands.LISTED)
        private String address = "";

        @Parameters(
                index = "1..*",
                arity = "1..*",
                paramLabel = "NAME",
                description = "As in signet policy set: a name, a DN or ski:HEX; to remove one, as the policy has it.")
        private List<String> names = List.of();

        Editing(Edit edit) {
            this.edit = edit;
        }

        @Override
        public Integer call() throws IOException {
            String what = "policy for '" + address + "'";
            oneForJson(targets.existing(context)).each(what, target -> edited(what, target), (prefix, applied) -> {
                String list = String.join("; ", names);
                show(
                        prefix,
                        address + ": "
                                + (applied.isChange()
                                        ? edit.key() + " " + edit.participle() + ": " + list
                                        : "these are " + edit.key() + " already"),
                        applied);
                warn(prefix, applied);
            });
            return ExitCode.OK;
        }

        private Applied edited(String what, PolicyTarget target) throws IOException {
            try {
                return make(
                        target,
                        new EditParties(edit, address, names),
                        target.head().version());
            } catch (InvalidPolicyException e) {
                throw rejected(what, e.problems().stream().map(Editing::inWords).toList())
                        .causedBy(e);
            }
        }

        /** Leaves the index out: the command knows names, and no list with numbers. */
        private static String inWords(PolicyProblem problem) {
            return problem.path().replaceFirst("\\[.*", "") + ": " + problem.message();
        }
    }

    /** The command {@code signet policy add-recipient}. */
    @Command(
            name = "add-recipient",
            description = "Adds recipients to a policy. Messages that are sealed before stay closed to them.",
            footer = {
                "  signet policy add-recipient orders.# carol",
                "  signet policy add-recipient orders.# carol dave --broker tcp://localhost:61616 --user admin",
            })
    static final class AddRecipient extends Editing {
        AddRecipient() {
            super(Edit.ADD_RECIPIENT);
        }
    }

    /** The command {@code signet policy remove-recipient}. */
    @Command(
            name = "remove-recipient",
            description = "Removes recipients from a policy. Messages that are sealed before stay open to them.",
            footer = "  signet policy remove-recipient orders.# carol")
    static final class RemoveRecipient extends Editing {
        RemoveRecipient() {
            super(Edit.REMOVE_RECIPIENT);
        }
    }

    /** The command {@code signet policy add-signer}. */
    @Command(
            name = "add-signer",
            description =
                    "Adds accepted signers to a policy. With the first one, every other trusted signer is no longer "
                            + "accepted.",
            footer = "  signet policy add-signer prices.# feed")
    static final class AddSigner extends Editing {
        AddSigner() {
            super(Edit.ADD_SIGNER);
        }
    }

    /** The command {@code signet policy remove-signer}. */
    @Command(
            name = "remove-signer",
            description =
                    "Removes accepted signers from a policy. The last one stays: without one, every trusted signer is "
                            + "accepted.",
            footer = "  signet policy remove-signer prices.# feed")
    static final class RemoveSigner extends Editing {
        RemoveSigner() {
            super(Edit.REMOVE_SIGNER);
        }
    }
}
