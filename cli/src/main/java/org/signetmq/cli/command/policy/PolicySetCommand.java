/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.PartyCheck;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyFile;
import org.signetmq.policy.PolicySet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code signet policy set}. */
@Command(
        name = "set",
        description = "Sets the policy of an address or pattern, in place of the whole one it may have.",
        footer = {
            "  signet policy set orders.# --quality privacy --recipient alice --recipient bob",
            "  signet policy set prices.eu --quality integrity --signer feed",
            "  signet policy set cards.* --quality confidentiality --recipient vault --key-reuse 64",
        })
public final class PolicySetCommand extends Subcommand {
    @Parameters(
            paramLabel = "ADDRESS",
            description = "An address, or a pattern with * (one word) and # (any words),\n"
                    + "or with the characters of signet policy wildcards.")
    private String address = "";

    @Mixin
    private final PolicyOptions options = new PolicyOptions();

    @Option(names = "--dry-run", description = "Judge the policy and write nothing.")
    private boolean dryRun;

    @Override
    public Integer call() throws IOException {
        Home home = context.home();
        PolicyStore store = new PolicyStore(home);
        PartyCheck check = new PartyCheck(home.recipientDirectory(), home.certificateTrust());
        PartyValidator known = new PartyValidator(check::problemWithRecipient, check::problemWithSigner);
        Policy policy = judged(known, store.read());
        requireFutureEnd(policy);
        PolicySet now = dryRun ? store.read().with(policy) : store.change(policies -> policies.with(policy));
        context.print(address + ": " + policy.quality().label() + ", " + PolicyStore.step(now)
                + (dryRun ? " (not written)" : ""));
        MeantAddress.of(address, now.wildcards()).ifPresent(meant -> context.warn(meant.warning(address)));
        warnOfOthers(now, known);
        return ExitCode.OK;
    }

    private void requireFutureEnd(Policy policy) {
        Instant until = policy.acceptance().toleration().until();
        if (until != null && !until.isAfter(context.shell().clock().instant())) {
            throw rejected(List.of("--tolerate-until: in the past, found " + until
                    + "; name a later date, or leave it out to accept no unprotected messages"));
        }
    }

    private CliException rejected(List<String> problems) {
        return CliException.failure("policy for '" + address + "': rejected, nothing was changed")
                .details(problems);
    }

    /** Returns the policy, which the reader of the policy file judges without the others. */
    private Policy judged(PartyValidator known, PolicySet now) {
        PolicySet none = PolicySet.of(now.version(), now.unmatched(), now.wildcards(), List.of());
        try {
            return PolicyFile.parsePolicy(options.fields(address), none, known)
                    .policies()
                    .get(0);
        } catch (InvalidPolicyException e) {
            throw rejected(e.problems().stream().map(options::inWords).toList()).causedBy(e);
        }
    }

    /** Warns of other policies with problems: the broker judges the file as a whole. */
    private void warnOfOthers(PolicySet policies, PartyValidator known) {
        PolicyFile.problems(policies, known).forEach(problem -> context.warn("another policy will not do: " + problem));
    }
}
