/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.signetmq.cli.command.policy.PolicyText;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicyFile;
import org.signetmq.policy.PolicySet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code signet broker status}. */
@Command(
        name = "status",
        description =
                "Shows how the plugin fares in a running broker: version, state, large messages, policies, counters. "
                        + "Exits 1 if it protects no messages, and 5 if it rejects those of some policies.",
        footer = {"  signet broker status tcp://localhost:61616 --user admin --broker-password-file admin.password"})
public final class BrokerStatus extends ReportingCommand {
    private static final String SIGNET = "signet";
    private static final List<String> PLUGIN_TEXTS = List.of(
            "version", "state", "reason", "large-messages", "large-messages-reason", "policy-problem", "home-finding");
    private static final List<String> COUNTERS = List.of("sealed", "passed", "rejected", "unjudged", "key-waits");

    @Parameters(paramLabel = "URL", description = "An acceptor of the broker, such as tcp://localhost:61616.")
    private String url = "";

    @Mixin
    private final BrokerLogin login = new BrokerLogin();

    @Option(
            names = "--management-address",
            paramLabel = "ADDRESS",
            description = "Where the broker takes management messages: the <management-address> of its broker.xml.")
    private String managementAddress = BrokerManagement.ADDRESS;

    @Override
    public Integer call() throws IOException {
        try (BrokerManagement broker = new BrokerManagement(BrokerAccess.of(url, login, context), managementAddress)) {
            String state = broker.attribute(SIGNET, "state")
                    .map(Object::toString)
                    .orElseThrow(() -> CliException.failure(
                                    "broker " + url + ": has no Signet, messages are stored as they come")
                            .hint("signet broker install puts it in; the broker must be started again after"));
            ObjectNode answer = answer(broker);
            report(answer, () -> lines(answer));
            return switch (state) {
                case "READY" -> ExitCode.OK;
                case "DEGRADED" -> ExitCode.DEGRADED;
                default -> ExitCode.FAILURE;
            };
        }
    }

    private static ObjectNode answer(BrokerManagement broker) {
        ObjectNode answer = Json.object();
        ObjectNode server = answer.putObject("broker");
        for (String key : List.of("name", "version")) {
            server.put(
                    key, broker.attribute("broker", key).map(Object::toString).orElse(null));
        }
        ObjectNode plugin = answer.putObject("plugin");
        for (String key : PLUGIN_TEXTS) {
            plugin.put(key, attribute(broker, key).map(Object::toString).orElse(null));
        }
        ArrayNode findings = answer.putArray("policy-findings");
        // earlier plugins have none
        Object[] listed = (Object[]) attribute(broker, "policy-findings").orElse(new Object[0]);
        for (Object finding : listed) {
            Object[] parts = (Object[]) finding;
            findings.addObject()
                    .put("pattern", parts[0].toString())
                    .put("what", parts[1].toString())
                    .put("mend", parts[2].toString());
        }
        ObjectNode messages = answer.putObject("messages");
        for (String key : COUNTERS) {
            messages.put(
                    key,
                    attribute(broker, key)
                            .map(value -> ((Number) value).longValue())
                            .orElse(null));
        }
        return answer.set(
                "policies",
                attribute(broker, "policies")
                        .map(text -> Json.parse(text.toString()))
                        .orElse(null));
    }

    /** Returns an attribute of the plugin by its key in JSON: {@code key-waits} is {@code keyWaits} there. */
    private static Optional<Object> attribute(BrokerManagement broker, String key) {
        String name = Pattern.compile("-(.)")
                .matcher(key)
                .replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT));
        return broker.attribute(SIGNET, name);
    }

    private static List<String> lines(ObjectNode answer) {
        LabelledLines lines = new LabelledLines(22)
                .add(
                        "broker",
                        answer.at("/broker/name").asText() + ", Artemis "
                                + answer.at("/broker/version").asText())
                .add("plugin", answer.at("/plugin/version").asText("unknown"));
        for (String key : PLUGIN_TEXTS.subList(1, PLUGIN_TEXTS.size())) {
            lines.add(key.replace('-', ' '), answer.at("/plugin/" + key).textValue());
        }
        for (JsonNode finding : answer.get("policy-findings")) {
            String text = finding.get("pattern").asText() + ": "
                    + finding.get("what").asText() + "; " + finding.get("mend").asText();
            lines.add("policy", Failures.oneLine(text));
        }
        for (String key : COUNTERS) {
            lines.add(key.replace('-', ' '), answer.at("/messages/" + key).asText());
        }
        JsonNode policies = answer.get("policies");
        if (policies.isObject()) {
            PolicySet set = PolicyFile.parse(policies.toString(), PartyValidator.acceptAll());
            lines.addAll(List.of("")).addAll(PolicyText.tableWithOtherAddresses(set));
        }
        return lines.lines();
    }
}
