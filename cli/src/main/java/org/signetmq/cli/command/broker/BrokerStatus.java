/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.policy.PolicyText;
import org.signetmq.cli.connection.LoginOptions.ManagementOptions;
import org.signetmq.cli.connection.Management;
import org.signetmq.cli.connection.Management.ManagementException;
import org.signetmq.cli.connection.Management.ManagementException.Reason;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.keystore.trust.CertificateEnd;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.file.PolicyFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code signet broker status}. It asks for attributes of the broker by management messages. */
@Command(
        name = "status",
        description =
                "Shows how the plugin fares in a running broker: version, state, large messages, policies, counters. "
                        + "Exits 1 if it protects no messages, and 5 if it rejects those of some policies.",
        footer = {
            "  signet broker status --broker tcp://localhost:61616 --user admin --broker-password-file admin.password"
        })
public final class BrokerStatus extends ReportingCommand {
    private static final String SIGNET = "signet";
    private static final List<String> PLUGIN_TEXTS = List.of(
            "version", "state", "reason", "large-messages", "large-messages-reason", "policy-problem", "home-finding");
    private static final List<String> COUNTERS =
            List.of("sealed", "passed", "rejected", "unjudged", "key-waits", "quarantined");

    @Option(
            names = "--broker",
            paramLabel = "URL",
            description = "An acceptor of the broker, such as tcp://localhost:61616; default $SIGNET_BROKER.")
    private @Nullable String url;

    @Parameters(arity = "0..1", paramLabel = "URL", description = "The same without the option.")
    private @Nullable String argument;

    @Mixin
    private final ManagementOptions management = new ManagementOptions();

    private record Answer(
            Map<String, @Nullable Object> broker,
            Map<String, @Nullable Object> plugin,
            List<Finding> policyFindings,
            @Nullable List<EndingCertificate> certificates,
            Map<String, @Nullable Object> messages,
            @Nullable JsonNode policies) {}

    private record Finding(String pattern, String what, String mend) {
        private static Finding of(Object[] parts) {
            return new Finding(parts[0].toString(), parts[1].toString(), parts[2].toString());
        }
    }

    @Override
    public Integer call() throws IOException {
        if (url != null && argument != null) {
            throw usage("--broker: a second broker beside the argument");
        }
        Answer answer = management.ask(management.to(url == null ? argument : url, context), this::answer);
        Instant now = context.shell().clock().instant();
        report(answer, () -> lines(answer, now));
        return switch (String.valueOf(answer.plugin().get("state"))) {
            case "READY" -> ExitCode.OK;
            case "DEGRADED" -> ExitCode.DEGRADED;
            default -> ExitCode.FAILURE;
        };
    }

    private Answer answer(Management broker) throws Exception {
        Map<String, @Nullable Object> plugin = broker.attributes(SIGNET, PLUGIN_TEXTS);
        if (plugin.get("state") == null) {
            throw CliException.failure(broker.access().name() + ": has no Signet, messages are stored as they come")
                    .hint("signet broker install puts it in; the broker must be started again after");
        }
        Object findings = broker.attribute(SIGNET, "policy-findings"); // earlier plugins have none
        Object policies = broker.attribute(SIGNET, "policies");
        return new Answer(
                broker(broker.attribute(SIGNET, "broker")),
                plugin,
                Stream.of((Object[]) Objects.requireNonNullElse(findings, new Object[0]))
                        .map(finding -> Finding.of((Object[]) finding))
                        .toList(),
                EndingCertificate.of(broker, SIGNET),
                broker.attributes(SIGNET, COUNTERS),
                policies == null ? null : Json.parse(policies.toString()));
    }

    /** Returns name and version as the plugin tells them: a viewer of Signet's state needs no other right. */
    private static Map<String, @Nullable Object> broker(@Nullable Object answer) {
        JsonNode told = answer == null ? MissingNode.getInstance() : Json.parse(answer.toString());
        Map<String, @Nullable Object> broker = new LinkedHashMap<>();
        broker.put("name", told.path("name").textValue());
        broker.put("version", told.path("version").textValue());
        return broker;
    }

    private static List<String> lines(Answer answer, Instant now) {
        String broker =
                answer.broker().get("name") + ", Artemis " + answer.broker().get("version");
        LabelledLines lines = new LabelledLines(22)
                .add("broker", Failures.oneLine(broker))
                .add("plugin", Objects.requireNonNullElse(answer.plugin().get("version"), "unknown"));
        PLUGIN_TEXTS.stream()
                .skip(1)
                .forEach(key -> lines.add(key.replace('-', ' '), answer.plugin().get(key)));
        for (Finding finding : answer.policyFindings()) {
            String text = finding.pattern() + ": " + finding.what() + "; " + finding.mend();
            lines.add("policy", Failures.oneLine(text));
        }
        if (answer.certificates() != null) {
            answer.certificates().forEach(each -> lines.add("certificate", each.inWords(now)));
        }
        COUNTERS.forEach(key -> lines.add(
                key.replace('-', ' '), String.valueOf(answer.messages().get(key))));
        if (answer.policies() != null) {
            lines.addAll(List.of(""))
                    .addAll(PolicyText.tableWithOtherAddresses(
                            PolicyFile.parse(answer.policies().toString(), PartyValidator.acceptAll())));
        }
        return lines.lines();
    }

    /**
     * A certificate of a broker that has ended or ends within 30 days.
     *
     * @param name its file in the home, or {@code identity} for the broker's own
     * @param until its end
     * @param days the days to its end; negative after it
     */
    record EndingCertificate(String name, String subject, String until, long days) {
        private static final int SOON = 30;
        private static final int MOST = 20;

        /** Asks a broker for the first 20 to end. Returns null if its plugin is of a version that does not tell. */
        static @Nullable List<EndingCertificate> of(Management broker, String resource) throws Exception {
            try {
                JsonNode answer = Json.parse(String.valueOf(broker.call(resource, "listCertificates")));
                return StreamSupport.stream(answer.path("certificates").spliterator(), false)
                        .filter(each -> each.path("days").asLong(SOON) < SOON)
                        .limit(MOST)
                        .map(EndingCertificate::of)
                        .toList();
            } catch (ManagementException e) {
                if (e.reason() == Reason.NO_OPERATION) {
                    return null;
                }
                throw e;
            } catch (IllegalStateException noJson) {
                return null;
            }
        }

        private static EndingCertificate of(JsonNode json) {
            return new EndingCertificate(
                    text(json, "name"),
                    text(json, "subject"),
                    text(json, "until"),
                    json.path("days").asLong());
        }

        private static String text(JsonNode json, String key) {
            return Failures.oneLine(json.path(key).asText());
        }

        /** Returns it as a sentence. */
        String inWords(Instant now) {
            try {
                return name + " " + new CertificateEnd(Instant.parse(until), now).inWords();
            } catch (DateTimeException noTime) { // a broker may send any text
                return name + " ends at " + until;
            }
        }
    }
}
