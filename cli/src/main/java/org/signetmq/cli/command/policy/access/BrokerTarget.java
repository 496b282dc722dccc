/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy.access;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.signetmq.cli.command.policy.access.PolicyChange.RemovePolicy;
import org.signetmq.cli.command.policy.access.PolicyChange.ReplaceAll;
import org.signetmq.cli.command.policy.access.PolicyChange.Rollback;
import org.signetmq.cli.command.policy.access.PolicyChange.SetPolicy;
import org.signetmq.cli.command.policy.access.PolicyChange.SetRecovery;
import org.signetmq.cli.command.policy.access.PolicyChange.SetUnmatched;
import org.signetmq.cli.command.policy.access.PolicyChange.SetWildcards;
import org.signetmq.cli.connection.Management;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.Json;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;

/** The policies of a running broker, which judges every change by the certificates of its own home. */
final class BrokerTarget implements PolicyTarget {
    private static final Pattern VARIABLE = Pattern.compile("\\{[a-z][a-z0-9]{0,15}\\}");

    private final SignetOperations signet;
    private final PolicyTransfer transfer;

    BrokerTarget(Management broker, CommandContext context) {
        this.signet = new SignetOperations(broker);
        this.transfer = new PolicyTransfer(signet, context);
    }

    @Override
    public String name() {
        return signet.place();
    }

    /** A question to the plugin. */
    private interface Question<T> {
        T ask() throws Exception;
    }

    /** Returns an answer. What is no failure of the command already is one of the connection. */
    private static <T> T answer(Question<T> question) throws IOException {
        try {
            return question.ask();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public PolicyHead head() throws IOException {
        return answer(() -> {
            Reply first = transfer.firstPart();
            return first.number("length") == 0 ? PolicyHead.of(PolicySet.EMPTY) : PolicyHead.parse(first.text("text"));
        });
    }

    @Override
    public PolicySet read() throws IOException {
        return parsed(transfer::read);
    }

    @Override
    public List<LastChange> history() throws IOException {
        Reply reply = answer(() -> signet.ask("listHistory"));
        List<LastChange> changes = new ArrayList<>(List.of(reply.lastChange()));
        changes.addAll(reply.changes("former"));
        return changes;
    }

    @Override
    public PolicySet former(long version) throws IOException {
        return parsed(() -> transfer.readFormer(version));
    }

    private PolicySet parsed(Question<String> document) throws IOException {
        try {
            return PolicyFile.parse(answer(document), PartyValidator.acceptAll());
        } catch (InvalidPolicyException e) {
            throw CliException.failure(name() + ": sends policies that this version of Signet does not understand")
                    .details(PolicyStore.problems(e))
                    .causedBy(e);
        }
    }

    @Override
    public LastChange lastChange() throws IOException {
        return answer(() -> signet.ask("getLastChange").lastChange());
    }

    @Override
    public Explanation explain(String address) throws IOException {
        Reply reply = answer(() -> signet.ask("queryPolicy", address));
        JsonNode definition = reply.json().path("definition");
        return new Explanation(
                address,
                Optional.ofNullable(reply.shown("policy")),
                definition.isObject() ? Optional.of(policy(definition)) : Optional.empty(),
                reply.texts("recovery"),
                String.valueOf(reply.shown("reason")),
                reply.texts("overruled"));
    }

    /** Reads a policy whose pattern may be in other wildcards than those of Artemis. */
    private Policy policy(JsonNode definition) {
        String pattern = definition.path("pattern").asText();
        try {
            Policy read = PolicyFile.parsePolicy(
                            Json.fields(definition.toString(), "pattern", withVariablesOf(pattern)),
                            PolicySet.EMPTY,
                            PartyValidator.acceptAll())
                    .policies()
                    .get(0);
            return new Policy(pattern, read.quality(), read.signing(), read.encryption(), read.acceptance());
        } catch (InvalidPolicyException e) {
            throw CliException.failure(name() + ": sends a policy that this version of Signet does not understand")
                    .details(PolicyStore.problems(e))
                    .causedBy(e);
        }
    }

    /** Returns a pattern in the wildcards of Artemis that has the variables of another one. */
    private static String withVariablesOf(String pattern) {
        return VARIABLE.matcher(pattern)
                .results()
                .map(MatchResult::group)
                .distinct()
                .limit(4)
                .collect(Collectors.joining(".", "x.", ".x"));
    }

    @Override
    public Applied apply(PolicyChange change, long seen) throws IOException {
        return answer(() -> {
            Optional<PolicyChange> single = single(change);
            return single.isEmpty()
                    ? Applied.nothing(seen)
                    : changed(single.get(), seen).applied(seen);
        });
    }

    private Reply changed(PolicyChange change, long seen) throws Exception {
        if (change instanceof SetPolicy set) {
            return signet.change("setPolicy", seen, Json.text(set.fields()));
        }
        if (change instanceof RemovePolicy removal) {
            return signet.change("removePolicy", seen, removal.pattern());
        }
        if (change instanceof SetUnmatched unmatched) {
            return signet.change("setUnmatched", seen, unmatched.rule().label());
        }
        if (change instanceof SetRecovery recovery) {
            return signet.change("setRecovery", seen, Json.text(recovery.names()));
        }
        if (change instanceof SetWildcards wildcards) {
            return signet.change("setWildcards", seen, Json.text(wildcards.wildcards()));
        }
        if (change instanceof Rollback rollback) {
            return signet.change("rollbackPolicies", seen, rollback.version());
        }
        return transfer.send(after(change), seen, "replacePolicies");
    }

    @Override
    public Applied restore(PolicySet policies) throws IOException {
        return answer(() ->
                transfer.send(PolicyFile.format(policies), 0, "restorePolicies").applied(0));
    }

    @Override
    public Applied judge(PolicyChange change, long seen) throws IOException {
        return answer(() -> {
            Optional<PolicyChange> single = single(change);
            return single.isEmpty() ? Applied.nothing(seen) : withImpact(judged(single.get(), seen), seen);
        });
    }

    private Reply judged(PolicyChange change, long seen) throws Exception {
        if (change instanceof SetPolicy set) {
            return signet.prepare("judgeImpact", seen, Json.text(set.fields()));
        }
        return change instanceof Rollback rollback
                ? signet.prepare("judgeRollback", seen, rollback.version())
                : transfer.send(after(change), seen, "judgeImpacts");
    }

    private Applied withImpact(Reply reply, long seen) throws Exception {
        Applied applied = reply.applied(seen);
        String problem = reply.shown("impact-problem");
        if (problem != null) {
            return applied.with(PolicyImpact.unknown(problem));
        }
        return reply.shown("impact") == null
                ? applied
                : applied.with(PolicyImpact.parse(name(), transfer.readImpact(reply)));
    }

    /** Returns the document after a change, which the broker has not judged. */
    private String after(PolicyChange change) throws IOException {
        return PolicyFile.format(
                change instanceof ReplaceAll all ? all.policies() : change.on(read(), PartyValidator.acceptAll()));
    }

    /**
     * Returns a change that is one operation of the plugin. The edit of several names is that of one policy. If others
     * change the policies meanwhile, the version is stale.
     *
     * @return empty if there is nothing to change
     */
    private Optional<PolicyChange> single(PolicyChange change) throws IOException {
        if (!(change instanceof EditParties edit)) {
            return Optional.of(change);
        }
        PolicySet before = read();
        PolicySet after = edit.on(before, PartyValidator.acceptAll());
        return after.equals(before)
                ? Optional.empty()
                : Optional.of(new SetPolicy(Json.fields(
                        PolicyFile.format(PolicyStore.exactly(edit.pattern(), after)), "pattern", edit.pattern())));
    }
}
