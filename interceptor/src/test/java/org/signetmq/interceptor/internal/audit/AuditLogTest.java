/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.signetmq.interceptor.internal.audit.AuditLog.AuditEvent;
import org.signetmq.interceptor.internal.audit.AuditLog.AuditedFolder;
import org.signetmq.interceptor.internal.audit.AuditLog.Author;
import org.signetmq.interceptor.internal.audit.AuditLog.SealedMessage;
import org.signetmq.interceptor.internal.log.RejectionLog;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.MessageAudit;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.testkit.RecordingLogs;

final class AuditLogTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final RejectionLog.Subject MALLORY = new RejectionLog.Subject("orders", "mallory", "10.0.0.7:51234");
    private static final Author ANNA = new Author("anna", "jmx");

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-25T10:00:00Z"));
    private final AuditLog audit = new AuditLog(((InstantSource) now::get).withZone(ZoneOffset.UTC));

    @BeforeEach
    void begin() {
        RecordingLogs.forget();
        audit.begin("amq", (event, line) -> {});
    }

    private static PolicySet set(long version, Policy... policies) {
        return PolicySet.of(version, UnmatchedAddress.PASS, List.of(policies));
    }

    private JsonNode last() throws Exception {
        return JSON.readTree(audit.tail(1)).get("lines").get(0);
    }

    @Test
    void changedPolicies_areShownBeforeAndAfter() throws Exception {
        Policy kept = Policy.integrity("kept");
        audit.policiesChanged(
                set(17, kept, Policy.integrity("removed"), Policy.integrity("changed")),
                PolicySet.of(
                        18,
                        UnmatchedAddress.REJECT,
                        List.of(kept, Policy.privacy("changed", List.of("alice")), Policy.integrity("added"))),
                ANNA);

        assertThat(last().toString())
                .isEqualTo("{\"at\":\"2026-11-25T10:00:00Z\",\"event\":\"policies-changed\",\"broker\":\"amq\","
                        + "\"by\":\"anna\",\"from\":\"jmx\",\"version\":18,\"before\":17,"
                        + "\"unmatched\":{\"before\":\"pass\",\"after\":\"reject\"},\"policies\":["
                        + "{\"pattern\":\"changed\",\"before\":{\"pattern\":\"changed\",\"quality\":\"integrity\","
                        + "\"signature-algorithm\":\"SHA-512\"},\"after\":{\"pattern\":\"changed\",\"quality\":\"privacy\","
                        + "\"signature-algorithm\":\"SHA-512\",\"encryption-algorithm\":\"AES-256\","
                        + "\"recipients\":[\"alice\"]}},"
                        + "{\"pattern\":\"added\",\"after\":{\"pattern\":\"added\",\"quality\":\"integrity\","
                        + "\"signature-algorithm\":\"SHA-512\"}},"
                        + "{\"pattern\":\"removed\",\"before\":{\"pattern\":\"removed\",\"quality\":\"integrity\","
                        + "\"signature-algorithm\":\"SHA-512\"}}]}");
        assertThat(RecordingLogs.lines()).containsExactly("INFO " + last() + " null");
    }

    @Test
    void manyChangedPolicies_fiftyAreShownAndTheOthersCounted() throws Exception {
        Policy[] many = IntStream.range(0, 10_000)
                .mapToObj(i -> Policy.integrity("orders." + i))
                .toArray(Policy[]::new);

        audit.policiesChanged(PolicySet.EMPTY, set(1, many), ANNA);

        assertThat(last().get("policies")).hasSize(AuditLine.MOST_ENTRIES);
        assertThat(last().get("left-out").asInt()).isEqualTo(10_000 - AuditLine.MOST_ENTRIES);
    }

    @Test
    void longPolicies_lineStaysWithinItsLimit() throws Exception {
        List<String> recipients = IntStream.range(0, 200)
                .mapToObj(i -> "reader" + "\u20ac".repeat(5) + i)
                .toList();
        Policy[] long20 = IntStream.range(0, 20)
                .mapToObj(i -> Policy.privacy("orders." + i, recipients))
                .toArray(Policy[]::new);
        List<String> veryMany =
                IntStream.range(0, 10_000).mapToObj(i -> "reader" + i).toList();

        audit.policiesChanged(set(1, Policy.privacy("a", veryMany)), set(2, long20), ANNA);

        assertThat(audit.tail(1).length()).isLessThan(AuditLine.LONGEST + 20);
        assertThat(last().get("policies").size() + last().get("left-out").asInt())
                .isEqualTo(21);
        assertThat(last().get("policies").toString()).contains("too long to show: ");
    }

    @Test
    void namesThatStrangersChoose_areBoundedAndWithoutControlCharacters() throws Exception {
        String hostile = "a\n{\"event\":\"fake\"}\u001b[2J\u0085\u009b\u202e\"".repeat(1000);

        audit.messageRejected(
                RejectionReason.NO_PERMISSION, "no", new RejectionLog.Subject(hostile, hostile, hostile), hostile);
        audit.messageSealed(sealed(hostile, hostile));
        audit.policiesChanged(PolicySet.EMPTY, set(1), new Author(hostile, hostile));

        assertThat(RecordingLogs.lines())
                .hasSize(3)
                .allSatisfy(line ->
                        assertThat(line).hasSizeLessThan(AuditLine.LONGEST).matches("[ -~]*"));
        for (String line : RecordingLogs.lines()) {
            JsonNode json = JSON.readTree(line.substring("INFO ".length(), line.length() - " null".length()));
            assertThat(json.get("event").asText()).isNotEqualTo("fake");
        }
    }

    private static SealedMessage sealed(String address, String sender) {
        Policy policy = Policy.privacy("orders.#", List.of("alice", "bob"))
                .with(Policy.Acceptance.DEFAULT.with(MessageAudit.EACH));
        return new SealedMessage("0".repeat(32), "1".repeat(64), address, sender, new EffectivePolicy(policy, 17));
    }

    @Test
    void sealedMessage_isInTheLogAndNotInTheTail() {
        audit.messageSealed(sealed("orders.eu", "anna"));

        assertThat(RecordingLogs.lines())
                .containsExactly(
                        "INFO {\"at\":\"2026-11-25T10:00:00Z\",\"event\":\"message-sealed\",\"broker\":\"amq\","
                                + "\"message-id\":\"00000000000000000000000000000000\",\"sha256\":\"" + "1".repeat(64)
                                + "\",\"address\":\"orders.eu\","
                                + "\"sender\":\"anna\",\"policy\":\"orders.#@17\",\"recipients\":[\"alice\",\"bob\"]} null");
        assertThat(audit.tail(10)).isEqualTo("{\"lines\":[]}");
    }

    @Test
    void manyRejections_areOneLineAndACount() throws Exception {
        for (int i = 0; i < 1000; i++) {
            audit.messageRejected(RejectionReason.NO_POLICY, "no policy", MALLORY, "no policy");
        }
        now.set(Instant.parse("2026-11-25T10:00:10Z"));
        audit.messageRejected(RejectionReason.NO_POLICY, "no policy", MALLORY, "no policy");

        assertThat(JSON.readTree(audit.tail(200)).get("lines")).hasSize(2);
        assertThat(last().toString())
                .isEqualTo("{\"at\":\"2026-11-25T10:00:10Z\",\"event\":\"message-rejected\",\"broker\":\"amq\","
                        + "\"reason\":\"no-policy\",\"address\":\"orders\",\"user\":\"mallory\","
                        + "\"from\":\"10.0.0.7:51234\",\"text\":\"no policy\",\"left-out\":999}");
    }

    @Test
    void tail_keepsTheNewestWithinBothLimits() throws Exception {
        for (int i = 0; i < 1000; i++) {
            audit.started(set(i));
        }

        assertThat(JSON.readTree(audit.tail(1000)).get("lines")).hasSize(AuditLog.MOST_LINES);
        assertThat(JSON.readTree(audit.tail(2)).findValuesAsText("version")).containsExactly("998", "999");
        assertThat(audit.tail(0)).isEqualTo("{\"lines\":[]}");
        assertThat(audit.tail(-1)).isEqualTo("{\"lines\":[]}");

        String longName = "x".repeat(1000);
        for (int i = 0; i < AuditLog.MOST_LINES; i++) {
            audit.policiesChanged(PolicySet.EMPTY, set(i), new Author(longName, longName));
        }

        assertThat(audit.tail(1000)).hasSizeBetween(AuditLog.MOST_CHARACTERS / 2, AuditLog.MOST_CHARACTERS + 100);
    }

    @Test
    void listenerThatFails_noExceptionLeavesTheLog() {
        audit.begin("amq", (event, line) -> {
            throw new OutOfMemoryError("of the test");
        });

        assertThatCode(() -> audit.policiesChanged(PolicySet.EMPTY, set(1), ANNA))
                .doesNotThrowAnyException();
    }

    @Test
    void listener_receivesAllEventsButSealedMessages() {
        List<AuditEvent> events = new ArrayList<>();
        audit.begin("amq", (event, line) -> events.add(event));

        audit.started(set(1));
        audit.folderChanged(AuditedFolder.CRL, Map.of("a.crl", "1"), Map.of("a.crl", "2"));
        audit.messageSealed(sealed("orders", "anna"));
        audit.end();
        audit.started(set(1));

        assertThat(events).containsExactly(AuditEvent.STARTED, AuditEvent.TRUST_CHANGED);
    }

    @Test
    void replacedList_isNamed() throws Exception {
        audit.folderChanged(AuditedFolder.CRL, Map.of("a.crl", "1", "b.crl", "1"), Map.of("a.crl", "2", "c.crl", "1"));

        assertThat(last().toString())
                .endsWith("\"folder\":\"crl\",\"added\":[{\"name\":\"c.crl\"}],\"removed\":[{\"name\":\"b.crl\"}],"
                        + "\"replaced\":[{\"name\":\"a.crl\"}]}");
    }

    @Test
    void logWithoutABroker_worksToo() {
        AuditLog other = new AuditLog(Clock.systemUTC());

        other.started(PolicySet.EMPTY);

        assertThat(other.tail(1)).contains("\"broker\":\"\"");
    }
}
