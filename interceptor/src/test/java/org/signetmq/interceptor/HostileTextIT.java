/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.PrintableText;
import org.signetmq.policy.Policy;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.Toleration;
import org.signetmq.testkit.RecordingLogs;

/** Names that clients choose, where the plugin writes them. */
final class HostileTextIT extends OneBroker {
    static final List<String> HOSTILE = List.of(
            "a\nb\rc",
            "\u001b[2J",
            "\u0085\u009b31m",
            "\u202e\u2066",
            "\ufe0f\u2800\u3164",
            "\ud800",
            "x".repeat(10_000),
            "', user root: \"",
            "{\"at\":\"2026-01-01T00:00:00Z\",\"event\":\"policies-changed\",\"by\":\"root\"}");

    @Test
    void addressesOfRejectedMessages_areFitForTheLogTheAuditTheClientAndTheManagement() throws Exception {
        homes.policies(1, TestHomes.privacy("#").with(new Policy.Acceptance(Toleration.ENFORCE, SealingPlace.CLIENT)));
        TestBroker broker = start();
        ClientSession session = broker.reader().session();
        for (String hostile : HOSTILE) {
            RecordingLogs.forget();
            Throwable rejected = catchThrowable(() -> {
                try (var producer = session.createProducer("a." + hostile)) {
                    producer.send(session.createMessage(true));
                }
            });

            assertThat(rejected).isInstanceOf(ActiveMQException.class);
            assertThat(rejected).hasMessageContaining("rejected");
            assertFit(String.valueOf(rejected.getMessage()));
        }
        ControlClient admin = closing(new ControlClient(broker));
        assertFit(admin.call("listAudit", 20).toString());
        for (String hostile : HOSTILE) {
            assertThat(catchThrowable(() -> admin.call("beginBacklog", hostile)))
                    .satisfies(refused -> assertFit(String.valueOf(refused.getMessage())));
        }
        for (String line : RecordingLogs.lines()) {
            assertFit(line);
            assertThat(line.startsWith("WARN") && line.contains("\"event\""))
                    .as(line)
                    .isFalse();
        }
    }

    private static void assertFit(String text) {
        assertThat(text).isEqualTo(PrintableText.of(text)).hasSizeLessThan(5_000);
    }
}
