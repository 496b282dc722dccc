/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.KnownParties;
import org.signetmq.policy.PolicyFile;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code signet broker status}. */
@Command(
        name = "status",
        description =
                "Shows how the plugin fares in a running broker: version, state, large messages, policies, counters. "
                        + "Exits 1 if it protects no messages, and 5 if it refuses those of some policies.",
        footerHeading = "%nExamples:%n",
        footer = {"  signet broker status tcp://localhost:61616 --user admin --broker-password-file admin.password"})
final class BrokerStatus implements Callable<Integer> {
    private static final String BROKER = "broker";
    private static final String PLUGIN = "signet";

    private final Session session;

    @Parameters(paramLabel = "URL", description = "An acceptor of the broker, such as tcp://localhost:61616.")
    private String url = "";

    @Mixin
    private final BrokerLogin login = new BrokerLogin();

    @Option(
            names = "--management-address",
            paramLabel = "ADDRESS",
            description = "Where the broker takes management messages: the <management-address> of its broker.xml.")
    private String managementAddress = BrokerManagement.ADDRESS;

    @Mixin
    private final JsonOption json = new JsonOption();

    BrokerStatus(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() throws IOException {
        try (BrokerManagement broker = new BrokerManagement(BrokerAccess.of(url, login, session), managementAddress)) {
            Optional<Object> state = broker.attribute(PLUGIN, "state");
            if (state.isEmpty()) {
                throw CliException.failure("broker " + url + ": has no Signet, messages are stored as they come")
                        .hint("signet broker install puts it in; the broker must be started again after");
            }
            ObjectNode answer = answer(broker, state.get().toString());
            if (json.wanted) {
                Json.print(answer, session.out());
            } else {
                print(answer, policies(broker));
            }
            return switch (state.get().toString()) {
                case "READY" -> ExitCode.OK;
                case "DEGRADED" -> ExitCode.DEGRADED;
                default -> ExitCode.FAILURE;
            };
        }
    }

    private static ObjectNode answer(BrokerManagement broker, String state) {
        ObjectNode answer = Json.answer();
        answer.putObject(BROKER)
                .put("name", text(broker, BROKER, "name"))
                .put("version", text(broker, BROKER, "version"));
        answer.putObject("plugin")
                .put("version", text(broker, PLUGIN, "version"))
                .put("state", state)
                .put("reason", text(broker, PLUGIN, "reason"))
                .put("large-messages", text(broker, PLUGIN, "largeMessages"))
                .put("large-messages-reason", text(broker, PLUGIN, "largeMessagesReason"))
                .put("policy-problem", text(broker, PLUGIN, "policyProblem"))
                .put("home-finding", text(broker, PLUGIN, "homeFinding"));
        ArrayNode findings = answer.putArray("policy-findings");
        for (Object finding : findings(broker)) {
            Object[] parts = (Object[]) finding;
            findings.addObject()
                    .put("pattern", parts[0].toString())
                    .put("what", parts[1].toString())
                    .put("mend", parts[2].toString());
        }
        answer.putObject("messages")
                .put("sealed", number(broker, "sealed"))
                .put("passed", number(broker, "passed"))
                .put("rejected", number(broker, "rejected"))
                .put("unjudged", number(broker, "unjudged"))
                .put("key-waits", number(broker, "keyWaits"));
        Optional<Object> policies = broker.attribute(PLUGIN, "policies");
        answer.set("policies", policies.map(text -> Json.parse(text.toString())).orElse(null));
        return answer;
    }

    /** Lists of pattern, cause and remedy; none of a plugin that does not judge its policies yet. */
    private static List<Object> findings(BrokerManagement broker) {
        return broker.attribute(PLUGIN, "policyFindings")
                .map(list -> List.of((Object[]) list))
                .orElse(List.of());
    }

    private static @Nullable String text(BrokerManagement broker, String resource, String attribute) {
        return broker.attribute(resource, attribute).map(Object::toString).orElse(null);
    }

    private static @Nullable Long number(BrokerManagement broker, String attribute) {
        return broker.attribute(PLUGIN, attribute)
                .map(value -> ((Number) value).longValue())
                .orElse(null);
    }

    private static Optional<PolicySet> policies(BrokerManagement broker) {
        return broker.attribute(PLUGIN, "policies")
                .map(text -> PolicyFile.parse(text.toString(), KnownParties.anybody()));
    }

    private void print(ObjectNode answer, Optional<PolicySet> policies) {
        line(
                "broker",
                answer.at("/broker/name").asText() + ", Artemis "
                        + answer.at("/broker/version").asText());
        line("plugin", answer.at("/plugin/version").asText("unknown"));
        for (String key : new String[] {
            "state", "reason", "large-messages", "large-messages-reason", "policy-problem", "home-finding"
        }) {
            if (answer.at("/plugin/" + key).isTextual()) {
                line(key.replace('-', ' '), answer.at("/plugin/" + key).asText());
            }
        }
        answer.get("policy-findings")
                .forEach(finding -> line(
                        "policy",
                        Failures.oneLine(finding.get("pattern").asText() + ": "
                                + finding.get("what").asText() + "; "
                                + finding.get("mend").asText())));
        for (String counter : new String[] {"sealed", "passed", "rejected", "unjudged", "key-waits"}) {
            line(counter.replace('-', ' '), answer.at("/messages/" + counter).asText());
        }
        policies.ifPresent(set -> {
            session.out().println();
            PolicyList.table(set).lines().forEach(session.out()::println);
            if (set.unmatched() == UnmatchedAddress.REJECT) {
                session.out().println(PolicyList.others(set));
            }
        });
    }

    private void line(String label, String value) {
        session.out().printf("%-22s %s%n", label, value);
    }
}
