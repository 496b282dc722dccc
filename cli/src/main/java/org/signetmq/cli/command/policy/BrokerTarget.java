/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.connection.Management;
import org.signetmq.cli.connection.Management.ManagementException;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.Progress;
import org.signetmq.envelope.SignedPolicies;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;

/**
 * The policies of a running broker, which judges every change by the certificates of its own home. Whole documents come
 * and go in parts that fit into management messages. No text of an answer can steer a terminal.
 */
final class BrokerTarget implements PolicyTarget {
    /** The longest part, in characters. The broker takes no longer one. */
    private static final int LONGEST_PART = 30_000;

    /** The longest text of consequences, in characters. */
    private static final long LONGEST_IMPACT = 32 << 20;

    private static final int MOST_READINGS = 5;

    /** What is said of an operation that changes nothing if its answer is missing. */
    private static final String NOTHING_CHANGED = "; nothing was changed";

    private static final String UNKNOWN =
            "; whether the change was made is unknown, and signet policy list --broker tells it";

    private final Management broker;
    private final CommandContext context;
    private final String place;

    BrokerTarget(Management broker, CommandContext context) {
        this.broker = broker;
        this.context = context;
        this.place = broker.access().name();
    }

    @Override
    public String name() {
        return place;
    }

    @Override
    public PartyValidator parties() {
        return PartyValidator.acceptAll();
    }

    @Override
    public Optional<LastChange> lastChange() throws IOException {
        return Optional.of(lastChange(call("", "getLastChange")));
    }

    @Override
    public List<LastChange> history() throws IOException {
        JsonNode answer = call("", "listHistory");
        List<LastChange> changes = new ArrayList<>(List.of(lastChange(answer)));
        answer.path("former").forEach(former -> changes.add(lastChange(former)));
        return changes;
    }

    private LastChange lastChange(JsonNode change) {
        return new LastChange(
                required(change, "version").asLong(), shown(change, "by"), shown(change, "from"), shown(change, "at"));
    }

    /** Returns the policies in force. If they change while they are read, they are read again. */
    @Override
    public PolicySet read() throws IOException {
        for (int i = 0; i < MOST_READINGS; i++) {
            Optional<PolicySet> whole = policies("listPolicies", call("", "listPolicies", 0L, 0));
            if (whole.isPresent()) {
                return whole.get();
            }
        }
        throw CliException.failure(place + ": its policies change too often to be read; try again");
    }

    /** Returns the parties. If they change while they are read, they are read again. */
    @Override
    public List<Party> known() throws IOException {
        for (int i = 0; i < MOST_READINGS; i++) {
            Optional<String> text = broker.text(
                    call("", "listParties", 0),
                    PolicyFile.LONGEST,
                    "has more parties than this command reads",
                    read -> {},
                    offset -> call("", "listParties", offset));
            if (text.isPresent()) {
                return List.of(json(text.get(), Party[].class));
            }
        }
        throw CliException.failure(place + ": its parties change too often to be read; try again");
    }

    private <T> T json(String text, Class<T> type) {
        try {
            return Objects.requireNonNull(Json.read(text, type));
        } catch (IllegalStateException | NullPointerException e) {
            throw broker.notUnderstood().causedBy(e);
        }
    }

    @Override
    public PolicySet former(long version) throws IOException {
        return policies("listFormerPolicies", call("", "listFormerPolicies", version, 0))
                .orElseThrow(() -> broker.notUnderstood());
    }

    /** Returns the policies whose document begins with this part; empty if they are no longer in force. */
    private Optional<PolicySet> policies(String operation, JsonNode first) throws IOException {
        if (first.has("outcome")) {
            String reason = shown(first, "reason");
            throw CliException.failure(
                    place + ": has no policies to show: " + (reason == null ? shown(first, "outcome") : reason));
        }
        try (Progress progress = new Progress(context)) {
            Optional<String> document = broker.text(
                    first,
                    PolicyFile.LONGEST,
                    "its policies are longer than this command reads",
                    progress.ofBytes("policies: read", first.path("length").asLong()),
                    offset -> call("", operation, required(first, "version").asLong(), offset));
            return document.map(
                    text -> text.isEmpty() ? PolicySet.EMPTY : PolicyFile.parse(text, PartyValidator.acceptAll()));
        } catch (InvalidPolicyException e) {
            throw CliException.failure(place + ": sends policies that this version of Signet does not understand")
                    .details(PolicyStore.problems(e))
                    .causedBy(e);
        }
    }

    @Override
    public Applied replace(PolicySet before, PolicySet after, boolean dryRun) throws IOException {
        return applied(send(PolicyFile.format(after), before.version(), operation(dryRun)), before, after);
    }

    @Override
    public Applied load(SignedPolicies document, PolicySet policies, boolean dryRun) throws IOException {
        PolicySet before = read();
        return applied(send(document.text(), before.version(), operation(dryRun)), before, policies);
    }

    private static String operation(boolean dryRun) {
        return dryRun ? "judgeImpacts" : "replacePolicies";
    }

    @Override
    public Applied restore(String document, PolicySet policies) throws IOException {
        JsonNode answer = send(document, 0, "restorePolicies");
        Applied restored = applied(answer, PolicySet.EMPTY, policies);
        return new Applied(
                PolicySet.of(required(answer, "before").asLong(), PolicySet.Settings.DEFAULT, List.of()),
                PolicySet.of(required(answer, "version").asLong(), policies.settings(), policies.policies()),
                restored.warnings(),
                null);
    }

    /** Hands a document over, and then has the broker judge it or put it in force. */
    private JsonNode send(String document, long seen, String operation) throws IOException {
        String upload =
                required(call(NOTHING_CHANGED, "beginPolicies", seen), "upload").asText();
        try (Progress progress = new Progress(context)) {
            LongConsumer shown = progress.ofBytes("policies: sent", document.length());
            for (int offset = 0; offset < document.length(); ) {
                String part = document.substring(offset, end(document, offset));
                var unused = call(NOTHING_CHANGED, "addPolicies", upload, offset, part);
                offset += part.length();
                shown.accept(offset);
            }
            progress.ofWork("policies: the broker checks them");
            return call(operation.equals("judgeImpacts") ? NOTHING_CHANGED : UNKNOWN, operation, upload);
        }
    }

    /** Returns the end of the part from an offset. No part ends inside a character. */
    private static int end(String document, int offset) {
        int end = Math.min(offset + LONGEST_PART, document.length());
        return end < document.length() && Character.isHighSurrogate(document.charAt(end - 1)) ? end - 1 : end;
    }

    /** Returns what a change did, or throws the reason why it did nothing. */
    private Applied applied(JsonNode answer, PolicySet before, PolicySet after) throws IOException {
        String outcome = Failures.oneLine(required(answer, "outcome").asText());
        return switch (outcome) {
            case "changed", "accepted" -> {
                List<String> warnings = new ArrayList<>();
                answer.path("warnings").forEach(warning -> warnings.add(Failures.oneLine(warning.asText())));
                yield new Applied(before, after, warnings, impact(answer));
            }
            case "unchanged" -> Applied.nothing(before);
            case "rejected" -> throw new InvalidPolicyException(problems(answer));
            case "stale" -> {
                JsonNode change = answer.path("change");
                throw lastChange(change.has("version") ? change : answer).overtaking(place, before.version());
            }
            case "refused" ->
                throw CliException.failure(place + ": refused, nothing was changed: " + shown(answer, "reason"));
            default ->
                throw CliException.failure(
                        place + ": its Signet answers an outcome that this one does not know: " + outcome);
        };
    }

    private static List<PolicyProblem> problems(JsonNode answer) {
        List<PolicyProblem> problems = new ArrayList<>();
        answer.path("problems")
                .forEach(problem -> problems.add(new PolicyProblem(
                        Failures.oneLine(problem.path("path").asText()),
                        Failures.oneLine(problem.path("message").asText()))));
        return problems.isEmpty() ? List.of(new PolicyProblem("$", "rejected without a reason")) : problems;
    }

    /** Returns the consequences that begin in an answer; null if it has none. */
    private @Nullable PolicyImpact impact(JsonNode answer) throws IOException {
        String problem = shown(answer, "impact-problem");
        if (problem != null) {
            return PolicyImpact.unknown(problem);
        }
        if (!answer.has("impact")) {
            return null;
        }
        String id = required(answer, "impact").asText();
        String text = broker.text(
                        answer,
                        LONGEST_IMPACT,
                        "tells more consequences than this command reads",
                        read -> {},
                        offset -> call(NOTHING_CHANGED, "readImpact", id, offset))
                .orElseThrow(broker::notUnderstood);
        return json(text, PolicyImpact.class);
    }

    /**
     * Calls an operation of the plugin and returns its answer, an object.
     *
     * @param consequence what is said of the policies if there is no answer
     */
    private JsonNode call(String consequence, String operation, Object... arguments) throws IOException {
        try {
            return broker.object(operation, arguments);
        } catch (ManagementException e) {
            throw unanswered(e, consequence);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private CliException unanswered(ManagementException e, String consequence) {
        return switch (e.reason()) {
            case LOST -> CliException.unreachable(place + ": the connection was lost" + consequence);
            case SILENT ->
                CliException.failure(place + ": " + e.getMessage() + consequence)
                        .hint("if its broker.xml has a <management-address>, --management-address says so");
            case NO_RESOURCE ->
                CliException.failure(place + ": has no Signet")
                        .hint("signet broker install puts it in; the broker must be started again after");
            case NO_OPERATION ->
                CliException.failure(
                                place + ": its Signet is of an earlier version, and keeps its policies in a file alone")
                        .hint("change them in the broker's home, or install this version with signet broker install");
        };
    }

    private JsonNode required(JsonNode answer, String key) {
        if (answer.hasNonNull(key)) {
            return answer.path(key);
        }
        throw CliException.failure(place + ": its Signet answers without '" + key + "'");
    }

    /** Returns a text for messages, or null if the answer has none. */
    private static @Nullable String shown(JsonNode answer, String key) {
        return answer.hasNonNull(key) ? Failures.oneLine(answer.path(key).asText()) : null;
    }
}
