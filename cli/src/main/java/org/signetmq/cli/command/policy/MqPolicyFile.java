/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.signetmq.cli.console.Failures;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Signing;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.mq.MqImport;
import org.signetmq.policy.mq.MqPolicies;

/**
 * Policies of IBM MQ.
 *
 * @param text as MQ wrote it
 * @param toleration of policies that tolerate messages in clear
 * @param moreSigners signers that each policy with signers gets beside its own
 */
record MqPolicyFile(String text, Toleration toleration, List<String> moreSigners) {
    /**
     * Policies with those of MQ among them.
     *
     * @param report a line for each statement
     * @param read the policies of MQ
     */
    record Merged(PolicySet policies, List<String> report, MqImport read) {
        private static final Pattern PLACE = Pattern.compile("policies\\[([0-9]{1,6})]\\.(.*)");

        /** Returns a line for each problem. One of a policy of MQ begins with its line in the file and its queue. */
        List<String> problems(InvalidPolicyException rejection) {
            return rejection.problems().stream().map(this::placed).toList();
        }

        private String placed(PolicyProblem problem) {
            Matcher place = PLACE.matcher(problem.path());
            if (place.matches()
                    && Integer.parseInt(place.group(1)) < policies.policies().size()) {
                String queue = policies.policies()
                        .get(Integer.parseInt(place.group(1)))
                        .pattern();
                int line = read.line(queue);
                if (line > 0) {
                    return "line " + line + ": " + queue + ": " + place.group(2) + ": " + problem.message();
                }
            }
            return problem.toString();
        }
    }

    /** Returns the next version of these policies, with those of MQ added or in place of those with their patterns. */
    Merged into(PolicySet before) {
        MqImport read = MqPolicies.read(text, before.wildcards(), toleration);
        Map<String, Policy> merged = new LinkedHashMap<>();
        before.policies().forEach(policy -> merged.put(policy.pattern(), policy));
        read.policies().forEach(policy -> merged.put(policy.pattern(), withMoreSigners(policy)));
        List<String> report = new ArrayList<>();
        read.statements().forEach(statement -> report.add(Failures.oneLine(statement.toString())));
        if (read.queueManagers().size() > 1) {
            report.add(
                    Failures.oneLine("policies of several queue managers: " + String.join(", ", read.queueManagers())));
        }
        return new Merged(
                PolicySet.of(before.version() + 1, before.settings(), List.copyOf(merged.values())), report, read);
    }

    /** A policy without signers accepts every trusted one already. */
    private Policy withMoreSigners(Policy policy) {
        Signing signing = policy.signing();
        if (signing.signers().isEmpty()) {
            return policy;
        }
        List<String> signers = Stream.concat(signing.signers().stream(), moreSigners.stream())
                .distinct()
                .toList();
        return policy.with(new Signing(signing.algorithm(), signers, signing.certificate(), signing.brokers()));
    }
}
