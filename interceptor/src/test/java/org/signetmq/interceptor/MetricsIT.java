/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.status.MicrometerMeters.MeterName;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.testkit.Tier;

/** The metrics of a real broker, as text for Prometheus. */
final class MetricsIT extends OneBroker {
    private static final Path DASHBOARD = Path.of("..", "docs", "grafana-dashboard.json");
    private static final Pattern METRIC = Pattern.compile("artemis_signet_[a-z_]+");

    private final ScrapedBroker scraped = new ScrapedBroker();

    @BeforeEach
    void protectOrders() throws Exception {
        scraped.in(setup);
        homes.policies(
                7,
                TestHomes.privacy("orders"),
                Policy.confidentiality("bills", List.of(TestHomes.CONSUMER), KeyLimits.DEFAULT),
                LargeBodies.sealedByClients(Policy.integrity("sealed")));
    }

    private double value(String name) {
        return value(name, "");
    }

    private double value(String name, String label) {
        return scraped.value("artemis_signet_" + name, label);
    }

    @Test
    void messages_areCountedByQualityAndReason() throws Exception {
        TestBroker broker = start();
        for (int i = 0; i < 3; i++) {
            Producers.CORE.send(broker, "orders", "12345");
        }
        Producers.AMQP.send(broker, "bills", "1234567");
        Producers.CORE.send(broker, "open", "12345");
        assertThatThrownBy(() -> Producers.CORE.send(broker, "sealed", "12345")).isNotNull();

        assertThat(value("sealed_total", "quality=\"privacy\"")).isEqualTo(3);
        assertThat(value("sealed_total", "quality=\"confidentiality\"")).isEqualTo(1);
        assertThat(value("sealed_total", "quality=\"integrity\"")).isZero();
        assertThat(value("sealed_bytes_total")).isEqualTo(3 * 5 + 7);
        assertThat(value("passed_total")).isEqualTo(1);
        assertThat(value("rejected_total", "reason=\"not-sealed\"")).isEqualTo(1);
        assertThat(value("rejected_total", "reason=\"internal\"")).isZero();
        assertThat(value("unjudged_total")).isZero();
        assertThat(value("keys_begun_total")).isEqualTo(4);
        assertThat(value("key_waits_total")).isBetween(1.0, 4.0);
    }

    @Test
    void largeMessage_isCountedWithItsPayload() throws Exception {
        TestBroker broker = start();
        Producers.CORE.send(broker, "orders", LargeBodies.TEXT);

        assertThat(value("sealed_total", "quality=\"privacy\"")).isEqualTo(1);
        assertThat(value("sealed_bytes_total")).isEqualTo(LargeBodies.TEXT.length());
    }

    @Tag(Tier.LONG)
    @Test
    void timesOfSealing_areSampled() throws Exception {
        TestBroker broker = start();
        Producers.jms(Producers.core(broker), "bills", session -> {
            var producer = session.createProducer(session.createQueue("bills"));
            for (int i = 0; i < 600; i++) {
                producer.send(session.createTextMessage("12345"));
            }
            return session.createTextMessage("12345");
        });

        assertThat(value("seal_time_seconds_count")).isBetween(1.0, 300.0);
        assertThat(value("seal_time_seconds_sum")).isBetween(0.0, 10.0);
        assertThat(scraped.ofSignet()).anyMatch(line -> line.startsWith("artemis_signet_seal_time_seconds_bucket{"));
    }

    @Test
    void stateAndPolicies_areShown() throws Exception {
        TestBroker broker = start();
        assertThat(value("state")).isZero();
        assertThat(value("policy_version")).isEqualTo(7);
        assertThat(value("policies")).isEqualTo(3);
        assertThat(value("certificate_days", "of=\"identity\"")).isBetween(30.0, 4000.0);
        assertThat(value("certificate_days", "of=\"recipient\"")).isBetween(30.0, 4000.0);

        var soon = Instant.now().plusSeconds(3 * 86_400);
        try (var password = Password.fromFile(broker.homes.passwordFile)) {
            CertificateDesk.endAt(
                    soon,
                    broker.homes.consumer.identityStore().load(TestHomes.CONSUMER, password),
                    broker.homes.broker);
        }

        await().untilAsserted(() ->
                assertThat(value("certificate_days", "of=\"recipient\"")).isBetween(2.9, 3.0));

        Files.writeString(broker.homes.broker.policies(), "no policies");

        await().untilAsserted(() -> assertThat(value("state")).isEqualTo(1));
    }

    @Test
    void brokerThatStopsAndStarts_hasEachMeterOnce() throws Exception {
        try (TestBroker broker = setup.start()) {
            List<String> first = names();
            assertThat(first).doesNotHaveDuplicates();

            broker.server().stop();
            assertThat(names()).isEmpty();
            broker.server().start();
            broker.server().waitForActivation(30, TimeUnit.SECONDS);

            assertThat(names()).isEqualTo(first);
            Producers.CORE.send(broker, "orders", "12345");
            assertThat(value("sealed_total", "quality=\"privacy\"")).isEqualTo(1);
        }
        assertThat(names()).isEmpty();
    }

    private List<String> names() {
        return scraped.ofSignet().stream()
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .sorted()
                .toList();
    }

    @Test
    void pluginWithoutPolicies_failsInTheMetricsToo() throws Exception {
        Files.delete(homes.broker.policies());
        TestBroker broker = start();
        assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", "12345")).isNotNull();

        assertThat(value("state")).isEqualTo(2);
        assertThat(value("rejected_total", "reason=\"not-ready\"")).isPositive();
        assertThat(value("certificate_days", "of=\"identity\"")).isNaN();
    }

    @Test
    void tags_areThoseOfClosedLists() throws Exception {
        TestBroker broker = start();
        Producers.CORE.send(broker, "orders", "12345");

        assertThat(scraped.ofSignet())
                .hasSizeLessThan(100)
                .allMatch(line -> line.matches(
                        "artemis_signet_[a-z_]+\\{broker=\"localhost\"(,(quality|reason|of|le)=\"[^\"]*\")?} .*"));
        for (RejectionReason reason : RejectionReason.values()) {
            assertThat(value("rejected_total", "reason=\"" + reason.label() + "\""))
                    .isZero();
        }
    }

    @Test
    void dashboard_asksForEachMeterAndOnlyForMetricsThatExist() throws Exception {
        JsonNode dashboard = JsonMapper.builder().build().readTree(Files.readString(DASHBOARD));
        Set<String> asked = new HashSet<>();
        dashboard
                .findValuesAsText("expr")
                .forEach(expression -> metrics(expression).forEach(asked::add));
        TestBroker broker = start();
        Producers.CORE.send(broker, "orders", "12345");
        String text = scraped.text();

        assertThat(asked).isNotEmpty().allSatisfy(metric -> assertThat(text).contains("\n" + metric + "{"));
        for (MeterName meter : MeterName.values()) {
            String prefix = meter.text().replace('.', '_');
            assertThat(asked).anyMatch(metric -> metric.matches(prefix + "(_total|_seconds.*)?"));
        }
    }

    private static Stream<String> metrics(String expression) {
        return METRIC.matcher(expression).results().map(result -> result.group());
    }
}
