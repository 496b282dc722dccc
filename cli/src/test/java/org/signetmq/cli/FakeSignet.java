/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.Json;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;

/** Operations of a plugin that keeps its policies in memory, for answers that a real one gives seldom. */
public final class FakeSignet {
    private static final int PART = 30_000;
    private static final PartyValidator KNOWN = new PartyValidator(FakeSignet::problem, FakeSignet::problem);

    /** Runs before each operation, with its name. */
    volatile Consumer<String> before = operation -> {};

    /** Answers each operation in place of the policies, unless it is null. */
    volatile @Nullable String scripted;

    volatile PolicySet policies = PolicySet.EMPTY;
    final List<String> operations = new ArrayList<>();
    private final StringBuilder upload = new StringBuilder();
    private long uploadFrom;

    private static Optional<String> problem(String name) {
        return name.startsWith("un") ? Optional.of("no certificate named '" + name + "'") : Optional.empty();
    }

    /** An answer of the plugin. */
    private interface Answer {
        ObjectNode get();
    }

    private String answer(String operation, Answer answer) {
        operations.add(operation);
        before.accept(operation);
        String instead = scripted;
        return instead == null ? answer.get().toString() : instead;
    }

    public String listPolicies(long version, int offset) {
        return answer("listPolicies", () -> {
            if (version != 0 && version != policies.version()) {
                return stale();
            }
            String document = PolicyFile.format(policies);
            return Json.object()
                    .put("version", policies.version())
                    .put("length", document.length())
                    .put("offset", offset)
                    .put("text", document.substring(offset, Math.min(document.length(), offset + PART)));
        });
    }

    public String getLastChange() {
        return answer("getLastChange", this::change);
    }

    public String beginPolicies(long version) {
        return answer("beginPolicies", () -> {
            upload.setLength(0);
            uploadFrom = version;
            return Json.object().put("upload", "abcd");
        });
    }

    public String addPolicies(String id, int offset, String part) {
        return answer("addPolicies", () -> {
            if (!id.equals("abcd") || offset != upload.length() || part.length() > PART) {
                throw new IllegalArgumentException("not the next part");
            }
            upload.append(part);
            return Json.object().put("upload", id).put("length", upload.length());
        });
    }

    public String replacePolicies(String id) {
        return answer("replacePolicies", () -> changed(uploadFrom, this::replaced));
    }

    /** The consequences of each judged change. */
    volatile String impact = "{\"addresses\":[],\"addresses-left-out\":0,\"queues-left-out\":0}";

    public String judgeImpacts(String id) {
        return answer("judgeImpacts", () -> withImpact(judged(uploadFrom, this::replaced)));
    }

    private ObjectNode withImpact(ObjectNode judged) {
        return judged.path("outcome").asText().equals("accepted")
                ? judged.put("impact", "efgh")
                        .put("length", impact.length())
                        .put("text", impact.substring(0, Math.min(impact.length(), 50)))
                : judged;
    }

    public String readImpact(String id, int offset) {
        return answer("readImpact", () -> Json.object().put("text", impact.substring(offset)));
    }

    private PolicySet replaced(PolicySet before) {
        PolicySet sent = PolicyFile.parse(upload.toString(), KNOWN);
        return PolicySet.of(before.version() + 1, sent.settings(), sent.policies());
    }

    private ObjectNode changed(long version, UnaryOperator<PolicySet> change) {
        return outcome("changed", version, set -> {
            policies = change.apply(set);
            return policies;
        });
    }

    private ObjectNode judged(long version, UnaryOperator<PolicySet> change) {
        return outcome("accepted", version, change);
    }

    private ObjectNode outcome(String outcome, long version, UnaryOperator<PolicySet> change) {
        PolicySet before = policies;
        if (version != before.version()) {
            return stale();
        }
        try {
            PolicySet after = change.apply(before);
            if (after.equals(before)) {
                return Json.object().put("outcome", "unchanged").put("version", version);
            }
            ObjectNode json = Json.object()
                    .put("outcome", outcome)
                    .put("version", after.version())
                    .put("before", version);
            json.putArray("warnings").add("a certificate \u001b[1m ends soon");
            return json;
        } catch (InvalidPolicyException e) {
            ObjectNode json = Json.object().put("outcome", "rejected").put("version", version);
            ArrayNode problems = json.putArray("problems");
            e.problems()
                    .forEach(problem ->
                            problems.addObject().put("path", problem.path()).put("message", problem.message()));
            return json;
        }
    }

    private ObjectNode stale() {
        ObjectNode json = Json.object().put("outcome", "stale").put("version", policies.version());
        json.set("change", change());
        return json;
    }

    private ObjectNode change() {
        return Json.object()
                .put("version", policies.version())
                .put("store", "broker")
                .put("by", "anna\u001b[31m")
                .put("from", "10.0.0.7:51234")
                .put("at", "2026-11-25T10:00:00Z");
    }
}
