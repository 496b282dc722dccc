/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.testkit.BrokerInstance;
import org.signetmq.testkit.Distribution;
import org.signetmq.testkit.Ports;
import org.signetmq.testkit.Run;
import org.signetmq.testkit.Tier;

/** The metrics and the audit log of published brokers. */
@Tag(Tier.LONG)
final class WatchedBrokerIT {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir
    private Path folder;

    /** Gives the instance a registry that is read at a port, by the commands of docs/operations.md. */
    private void serveMetrics(BrokerInstance broker, Distribution distribution, int port) throws IOException {
        Matcher block = Pattern.compile("(?s)```bash\n([^`]*PrometheusPage[^`]*)```")
                .matcher(Files.readString(Path.of("../docs/operations.md")));
        assertThat(block.find()).isTrue();
        String commands = block.group(1)
                .replace(
                        "mvn ",
                        System.getProperty("signet.maven", "mvn") + " -o -Dmaven.repo.local="
                                + Maven.repositoryOfBuild() + " ")
                .replace("/opt/artemis", distribution.home().toAbsolutePath().toString())
                .replace("/var/lib/artemis", broker.folder().toAbsolutePath().toString())
                .replace("/tmp/page", folder.resolve("page").toString())
                .replace("9404", Integer.toString(port));
        String path = Path.of(System.getProperty("java.home"), "bin") + ":" + System.getenv("PATH");
        Run.of(Path.of(".."), List.of("bash", "-euc", commands), Map.of("PATH", path))
                .ok();
    }

    private static List<String> metrics(int port) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofLines())
                .body()
                .filter(line -> line.startsWith("artemis_signet_"))
                .toList();
    }

    private static double value(List<String> metrics, String name, String label) {
        return metrics.stream()
                .filter(line -> line.startsWith(name + "{") && line.contains(label))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** The lines of the audit in the log of the broker, which stand behind the words of its layout. */
    private static List<JsonNode> audit(BrokerInstance broker) throws IOException {
        try (Stream<String> lines = Files.lines(broker.folder().resolve("log/artemis.log"))) {
            return lines.filter(line -> line.contains("[org.signetmq.audit]"))
                    .map(line -> json(line.substring(line.indexOf('{'))))
                    .toList();
        }
    }

    private static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (IOException e) {
            throw new AssertionError(text, e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void sealedAndRejectedMessages_areCounted_andChangesAreRecorded(Distribution distribution) throws Exception {
        Signet signet = Signet.withHomes(folder, "orders", "privacy");
        int port = Ports.free();
        try (BrokerInstance broker = BrokerInstance.create(distribution, folder.resolve("broker"))) {
            signet.install(broker, "--admin-role", BrokerInstance.ROLE, "--viewer-role", BrokerInstance.ROLE)
                    .ok();
            serveMetrics(broker, distribution, port);
            broker.start();
            try (PlainClient client = new PlainClient(broker)) {
                client.send("orders", "first");
                client.send("orders", "second");
                client.send("open", "third");
            }
            String[] command = {
                "policy",
                "set",
                "orders",
                "--quality",
                "privacy",
                "--recipient",
                "alice",
                "--signer",
                "alice",
                "--broker",
                broker.url(),
                "--user",
                BrokerInstance.USER
            };
            signet.in("no-home", command).ok();
            try (PlainClient client = new PlainClient(broker)) {
                assertThatThrownBy(() -> client.send("orders", "fourth")).hasMessageContaining("orders");
            }

            await().untilAsserted(() -> {
                List<String> metrics = metrics(port);
                assertThat(value(metrics, "artemis_signet_sealed_total", ""))
                        .as("sealed of %s", metrics)
                        .isEqualTo(2);
                assertThat(value(metrics, "artemis_signet_rejected_total", ""))
                        .as("rejected of %s", metrics)
                        .isEqualTo(1);
                assertThat(value(metrics, "artemis_signet_policy_version", "")).isEqualTo(2);
            });
            await().untilAsserted(() -> {
                List<JsonNode> lines = audit(broker);
                assertThat(lines)
                        .extracting(line -> line.path("event").textValue())
                        .contains("policies-changed", "message-rejected");
                JsonNode change = lines.stream()
                        .filter(line -> line.path("event").textValue().equals("policies-changed"))
                        .findFirst()
                        .orElseThrow();
                assertThat(change.path("by").textValue()).isEqualTo(BrokerInstance.USER);
                assertThat(change.path("from").textValue()).startsWith("127.0.0.1:");
                assertThat(lines.toString()).doesNotContain("fourth");
            });
        }
    }
}
