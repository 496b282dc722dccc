/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.PartyCheck;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyFile;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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
    /** The path of a value of a list. */
    private static final Pattern ENTRY = Pattern.compile("([a-z]+)\\[([0-9]{1,6})]");

    @Parameters(
            paramLabel = "ADDRESS",
            description = "An address, or a pattern with * (one word) and # (any words),\n"
                    + "or with the characters of signet policy wildcards.")
    private String address = "";

    @Mixin
    private final CommandSpec options = PolicyOption.all();

    @Option(names = "--dry-run", description = "Judge the policy and write nothing.")
    private boolean dryRun;

    @Override
    public Integer call() throws IOException {
        Home home = context.home();
        PolicyStore store = new PolicyStore(home);
        PartyCheck check = new PartyCheck(home.recipientDirectory(), home.certificateTrust());
        PartyValidator known = new PartyValidator(check::problemWithRecipient, check::problemWithSigner);
        Policy policy = judged(known, store.read());
        PolicySet now = dryRun ? store.read().with(policy) : store.change(policies -> policies.with(policy));
        context.print(address + ": " + policy.quality().label() + ", " + PolicyStore.step(now)
                + (dryRun ? " (not written)" : ""));
        MeantAddress.of(address, now.wildcards()).ifPresent(meant -> context.warn(meant.warning(address)));
        // the broker judges the file as a whole
        PolicyFile.problems(now, known).forEach(problem -> context.warn("another policy will not do: " + problem));
        return ExitCode.OK;
    }

    /** Returns the policy, which the reader of the policy file judges without the others. */
    private Policy judged(PartyValidator known, PolicySet now) {
        PolicySet none = PolicySet.of(now.version(), now.unmatched(), now.wildcards(), List.of());
        Map<String, Object> fields = PolicyOption.fields(address, options);
        try {
            Policy policy =
                    PolicyFile.parsePolicy(fields, none, known).policies().get(0);
            Instant until = policy.acceptance().toleration().until();
            if (until == null || until.isAfter(context.shell().clock().instant())) {
                return policy;
            }
            throw rejected(List.of("--tolerate-until: in the past, found " + until
                    + "; name a later date, or leave it out to accept no unprotected messages"));
        } catch (InvalidPolicyException e) {
            throw rejected(e.problems().stream()
                            .map(problem -> inWords(problem, fields))
                            .toList())
                    .causedBy(e);
        }
    }

    private CliException rejected(List<String> problems) {
        return CliException.failure("policy for '" + address + "': rejected, nothing was changed")
                .details(problems);
    }

    /** Returns a problem in words of the command line: the reader of the file knows keys, and no options. */
    static String inWords(PolicyProblem problem, Map<String, Object> fields) {
        String option = PolicyOption.at(problem.path());
        String message = problem.message()
                .replaceAll("write \"([a-z-]+)\": \"([a-z]+)\" or \"([a-z]+)\"", "say --$1 $2 or --$1 $3")
                .replaceAll("write \"([a-z-]+)\": \"([a-z]+)\"", "say --$1 $2")
                .replaceAll("remove (them|it),", "leave " + option + " out,")
                .replaceAll("\\bwrite \\[.*?\\]", "repeat " + option);
        String repeated = Stream.of(listed(problem.path(), fields).split(","))
                .filter(name -> !name.isBlank())
                .map(name -> " " + option + " " + name.strip())
                .collect(Collectors.joining());
        return option + ": " + message + (repeated.isEmpty() ? "" : "; repeat the option:" + repeated);
    }

    /** Returns the value at a path if it has commas and is no distinguished name, as no name can be; else empty. */
    private static String listed(String path, Map<String, Object> fields) {
        Matcher place = ENTRY.matcher(path);
        if (!place.matches() || !(fields.get(place.group(1)) instanceof List<?> values)) {
            return "";
        }
        String value = String.valueOf(values.get(Integer.parseInt(place.group(2))));
        return value.contains(",") && !value.contains("=") ? value : "";
    }
}
