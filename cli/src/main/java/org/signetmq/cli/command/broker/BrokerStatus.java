/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.broker;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.policy.PolicyText;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.policy.KnownParties;
import org.signetmq.policy.PolicyFile;
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
        footer = {"  signet broker status tcp://localhost:61616 --user admin --broker-password-file admin.password"})
public final class BrokerStatus extends ReportingCommand {
    @Parameters(paramLabel = "URL", description = "An acceptor of the broker, such as tcp://localhost:61616.")
    private String url = "";

    @Mixin
    private final BrokerLogin login = new BrokerLogin();

    @Option(
            names = "--management-address",
            paramLabel = "ADDRESS",
            description = "Where the broker takes management messages: the <management-address> of its broker.xml.")
    private String managementAddress = BrokerManagement.ADDRESS;

    private record Answer(
            Broker broker,
            Plugin plugin,
            List<PolicyFinding> policyFindings,
            Counters messages,
            @Nullable JsonNode policies) {}

    private record Broker(@Nullable String name, @Nullable String version) {}

    private record Plugin(
            @Nullable String version,
            String state,
            @Nullable String reason,
            @Nullable String largeMessages,
            @Nullable String largeMessagesReason,
            @Nullable String policyProblem,
            @Nullable String homeFinding) {}

    private record PolicyFinding(String pattern, String what, String mend) {
        static PolicyFinding of(Object[] parts) {
            return new PolicyFinding(parts[0].toString(), parts[1].toString(), parts[2].toString());
        }
    }

    private record Counters(
            @Nullable Object sealed,
            @Nullable Object passed,
            @Nullable Object rejected,
            @Nullable Object unjudged,
            @Nullable Object keyWaits) {}

    /** The attributes of one resource of a broker. */
    private record Resource(BrokerManagement management, String name) {
        Optional<Object> get(String attribute) {
            return management.attribute(name, attribute);
        }

        @Nullable
        String text(String attribute) {
            return get(attribute).map(Object::toString).orElse(null);
        }

        @Nullable
        Object number(String attribute) {
            return get(attribute).orElse(null);
        }
    }

    @Override
    public Integer call() throws IOException {
        try (BrokerManagement broker = new BrokerManagement(BrokerAccess.of(url, login, context), managementAddress)) {
            Resource signet = new Resource(broker, "signet");
            String state = signet.text("state");
            if (state == null) {
                throw CliException.failure("broker " + url + ": has no Signet, messages are stored as they come")
                        .hint("signet broker install puts it in; the broker must be started again after");
            }
            Answer answer = answer(new Resource(broker, "broker"), signet, state);
            report(answer, () -> lines(answer));
            return switch (state) {
                case "READY" -> ExitCode.OK;
                case "DEGRADED" -> ExitCode.DEGRADED;
                default -> ExitCode.FAILURE;
            };
        }
    }

    private static Answer answer(Resource broker, Resource signet, String state) {
        Plugin plugin = new Plugin(
                signet.text("version"),
                state,
                signet.text("reason"),
                signet.text("largeMessages"),
                signet.text("largeMessagesReason"),
                signet.text("policyProblem"),
                signet.text("homeFinding"));
        Counters messages = new Counters(
                signet.number("sealed"),
                signet.number("passed"),
                signet.number("rejected"),
                signet.number("unjudged"),
                signet.number("keyWaits"));
        Stream<Object> findings = signet.get("policyFindings").stream() // absent in earlier plugins
                .flatMap(list -> Stream.of((Object[]) list));
        return new Answer(
                new Broker(broker.text("name"), broker.text("version")),
                plugin,
                findings.map(parts -> PolicyFinding.of((Object[]) parts)).toList(),
                messages,
                signet.get("policies").map(text -> Json.parse(text.toString())).orElse(null));
    }

    private static List<String> lines(Answer answer) {
        Plugin plugin = answer.plugin();
        LabelledLines lines = new LabelledLines(22)
                .add(
                        "broker",
                        answer.broker().name() + ", Artemis " + answer.broker().version())
                .add("plugin", plugin.version() == null ? "unknown" : plugin.version())
                .add("state", plugin.state())
                .add("reason", plugin.reason())
                .add("large messages", plugin.largeMessages())
                .add("large messages reason", plugin.largeMessagesReason())
                .add("policy problem", plugin.policyProblem())
                .add("home finding", plugin.homeFinding());
        for (PolicyFinding finding : answer.policyFindings()) {
            String text = finding.pattern() + ": " + finding.what() + "; " + finding.mend();
            lines.add("policy", Failures.oneLine(text));
        }
        Counters messages = answer.messages();
        lines.add("sealed", messages.sealed())
                .add("passed", messages.passed())
                .add("rejected", messages.rejected())
                .add("unjudged", messages.unjudged())
                .add("key waits", messages.keyWaits());
        if (answer.policies() != null) {
            lines.addAll(List.of(""))
                    .addAll(PolicyText.tableWithOtherAddresses(
                            PolicyFile.parse(answer.policies().toString(), KnownParties.anybody())));
        }
        return lines.lines();
    }
}
