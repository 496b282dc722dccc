/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.cli.command.policy.access.Applied;
import org.signetmq.cli.command.policy.access.PolicyChange;
import org.signetmq.cli.command.policy.access.PolicyHead;
import org.signetmq.cli.command.policy.access.PolicyStore;
import org.signetmq.cli.command.policy.access.PolicyTarget;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyDifference;
import org.signetmq.policy.file.PolicyFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;

/** The command {@code signet policy set}. */
@Command(
        name = "set",
        description =
                "Sets the policy of an address or pattern, in place of the whole one it may have, and shows what differs.",
        footer = {
            "  signet policy set orders.# --quality privacy --recipient alice --recipient bob",
            "  signet policy set prices.eu --quality integrity --signer feed",
            "  signet policy set cards.* --quality confidentiality --recipient vault --key-reuse 64",
            "  signet policy set orders.# --quality integrity --broker tcp://localhost:61616 --user admin",
            "  signet policy set orders.# --quality integrity --broker tcp://localhost:61616 --user admin --dry-run",
        })
public final class PolicySetCommand extends ChangingCommand {
    /** The path of a value of a list. */
    private static final Pattern ENTRY = Pattern.compile("([a-z]+)\\[([0-9]{1,6})]");

    @Parameters(
            paramLabel = "ADDRESS",
            description = "An address, or a pattern with * (one word) and # (any words),\n"
                    + "or with the characters of signet policy wildcards.")
    private String address = "";

    @Mixin
    private final CommandSpec options = PolicyOption.all();

    private record Done(PolicyHead before, Applied applied) {}

    @Override
    public Integer call() throws IOException {
        Map<String, Object> fields = PolicyOption.fields(address, options);
        oneForJson(targets.any(context)).each(what(), target -> set(target, fields), (prefix, done) -> {
            show(prefix, address + ": " + fields.get("quality"), done.applied(), difference(done, fields));
            MeantAddress.of(address, done.before().wildcards())
                    .ifPresent(meant -> context.warn(prefix + meant.warning(address)));
            warn(prefix, done.applied());
        });
        return ExitCode.OK;
    }

    /** Returns what differs in the policy if it replaces one; else no difference. */
    private PolicyDifference difference(Done done, Map<String, Object> fields) {
        PolicySet none = PolicySet.of(0, done.before().settings().withRecovery(List.of()), List.of());
        String replaced = done.applied().replaced();
        try {
            if (replaced != null) {
                return PolicyDifference.between(
                        alone(Json.fields(replaced, "pattern", address), none), alone(fields, none));
            }
        } catch (InvalidPolicyException e) {
            context.warn("the former policy cannot be shown: " + String.join("; ", PolicyStore.problems(e)));
        }
        return PolicyDifference.between(none, none);
    }

    private static PolicySet alone(Map<String, ?> fields, PolicySet none) {
        return PolicyFile.parsePolicy(fields, none, PartyValidator.acceptAll());
    }

    private String what() {
        return "policy for '" + address + "'";
    }

    private Done set(PolicyTarget target, Map<String, Object> fields) throws IOException {
        PolicyHead before = target.head();
        PolicyChange change = new PolicyChange.SetPolicy(fields);
        Optional<String> past = endInThePast(fields);
        List<String> problems = new ArrayList<>();
        try {
            if (past.isEmpty()) {
                return new Done(before, make(target, change, before.version()));
            }
            target.judge(change, before.version()); // for the other problems
        } catch (InvalidPolicyException e) {
            e.problems().forEach(problem -> problems.add(inWords(problem, fields)));
        }
        past.filter(problem -> !problems.contains(problem)).ifPresent(problems::add); // a broker finds it, too
        throw rejected(what(), problems);
    }

    /** Returns the problem of an end of toleration that has passed. */
    private Optional<String> endInThePast(Map<String, Object> fields) {
        if (!(fields.get("toleration") instanceof Map<?, ?> toleration)) {
            return Optional.empty();
        }
        return PolicyOption.until(String.valueOf(toleration.get("until"))) // the reader of the policy rejects others
                .filter(until -> !until.isAfter(context.shell().clock().instant()))
                .map(until -> "--tolerate-until: in the past, found " + until
                        + "; name a later date, or leave it out to accept no unprotected messages");
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
        int index = Integer.parseInt(place.group(2));
        String value = index < values.size() ? String.valueOf(values.get(index)) : "";
        return value.contains(",") && !value.contains("=") ? value : "";
    }
}
