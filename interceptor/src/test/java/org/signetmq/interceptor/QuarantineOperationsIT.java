/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.envelope.QuarantineNote;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;

/** What an administrator does with messages in quarantine. */
final class QuarantineOperationsIT extends OneBroker {
    private static final String QUARANTINE = Policy.OpenFailures.QUARANTINE;
    private static final String TEXT = "words that a consumer could not open ".repeat(8);

    private PolicySet policies = PolicySet.EMPTY;

    @BeforeEach
    void protect() throws Exception {
        policies = homes.policies(1, TestHomes.privacy("#"), Policy.integrity("signed"), Policy.integrity("other"));
    }

    private byte[] sealed(String address, String text) {
        ClearMessage message = ClearMessage.of(address, ClearMessage.Body.TEXT, Producers.utf8(text));
        return homes.sealed(message, policies, homes.brokerIdentity());
    }

    private static long only(ControlClient admin) throws Exception {
        JsonNode messages = admin.call("listQuarantine", "", "", "", 0).path("messages");
        assertThat(messages).hasSize(1);
        return messages.get(0).path("id").longValue();
    }

    private static void assertRetried(ControlClient admin) throws Exception {
        JsonNode answer = admin.call("retryQuarantined", String.valueOf(only(admin)));
        assertThat(answer.path("left")).isEmpty();
        assertThat(answer.path("retried")).hasSize(1);
    }

    private static String refusal(ControlClient admin) throws Exception {
        JsonNode answer = admin.call("retryQuarantined", String.valueOf(only(admin)));
        assertThat(answer.path("retried")).isEmpty();
        return answer.path("left").get(0).path("reason").textValue();
    }

    @ParameterizedTest
    @EnumSource(
            value = Producers.class,
            names = {"CORE", "AMQP", "OPENWIRE"})
    void retriedMessage_liesOnceAsItArrived_andMayComeAgain(Producers consumer) throws Exception {
        TestBroker broker = start("signed");
        broker.reader().subscription("signed.copy", "signed");
        ControlClient admin = closing(new ControlClient(broker));
        byte[] body = sealed("signed", TEXT);

        for (int time = 0; time < 2; time++) {
            QuarantineIT.send(broker, consumer, QUARANTINE, body, QuarantineIT.note(body));
            assertRetried(admin);

            ClientMessage back = broker.next("signed");
            assertThat(homes.text(QueueReader.body(back), "signed")).isEqualTo(TEXT);
            assertThat(back.getPropertyNames().stream().map(String::valueOf))
                    .noneMatch(QuarantineNote::isNote)
                    .doesNotContain(QuarantineNote.DUPLICATE_ID);
            assertThat(broker.poll("signed")).isNull();
            assertThat(broker.waiting(QUARANTINE)).isZero();
        }
        assertThat(broker.waiting("signed.copy")).isZero();
        assertThat(broker.sealed()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = Producers.class,
            names = {"CORE", "AMQP"})
    void largeMessage_isExportedInParts_andRetried(Producers consumer) throws Exception {
        TestBroker broker = start("signed");
        ControlClient admin = closing(new ControlClient(broker));
        ClearMessage head = ClearMessage.of("signed", ClearMessage.Body.TEXT, new byte[0]);
        byte[] body = homes.sealed(head, Producers.utf8(LargeBodies.TEXT), policies, homes.brokerIdentity());
        QuarantineIT.send(broker, consumer, QUARANTINE, body, QuarantineIT.note(body));

        ByteArrayOutputStream exported = new ByteArrayOutputStream();
        JsonNode part;
        do {
            part = admin.call("exportQuarantined", only(admin), exported.size());
            exported.writeBytes(Base64.getDecoder().decode(part.path("bytes").textValue()));
        } while (part.path("more").booleanValue());
        assertThat(exported.toByteArray()).isEqualTo(body);
        assertThat(admin.call("queryQuarantined", only(admin))
                        .at("/envelope/structure")
                        .textValue())
                .isEqualTo("SignedData");
        assertRetried(admin);

        broker.queue("signed")
                .forEach(back -> assertThat(back.getMessage().getPropertyNames())
                        .noneMatch(name -> QuarantineNote.isNote(name.toString())));
        assertThat(broker.nextBody("signed")).isEqualTo(body);
        broker.awaitNoLargeFiles();
    }

    @Test
    void messageThatStillDoesNotSatisfyItsPolicy_isRefused_andStays() throws Exception {
        TestBroker broker = start("signed");
        ControlClient admin = closing(new ControlClient(broker));
        byte[] body = sealed("other", TEXT);
        QuarantineIT.send(broker, Producers.CORE, QUARANTINE, body, QuarantineIT.note(body));

        assertThat(refusal(admin)).contains("sealed for address 'other', not for 'signed'");

        assertThat(broker.waiting("signed")).isZero();
        assertThat(QueueReader.body(broker.next(QUARANTINE))).isEqualTo(body);
    }

    @Test
    void forgedNote_bringsAMessageNowhere() throws Exception {
        homes.policies(2, Policy.integrity("signed"));
        TestBroker broker = start("signed", "open");
        ControlClient admin = closing(new ControlClient(broker));
        Map<String, String> expected = Map.of(
                "signed",
                "in clear",
                "open",
                "does not exist at its address",
                "activemq.management",
                "one of the broker",
                QUARANTINE,
                "a quarantine");

        for (Map.Entry<String, String> forged : expected.entrySet()) {
            Map<String, String> note = new HashMap<>(Map.of(
                    QuarantineNote.REASON,
                    "malformed",
                    QuarantineNote.ADDRESS,
                    forged.getKey(),
                    QuarantineNote.QUEUE,
                    forged.getKey().equals(QUARANTINE) ? QUARANTINE : "signed"));
            QuarantineIT.send(broker, Producers.CORE, QUARANTINE, Producers.utf8("clear words"), note);

            assertThat(refusal(admin)).containsAnyOf(forged.getValue(), "does not satisfy", "does not exist");
            assertThat(admin.call("discardQuarantined", String.valueOf(only(admin)))
                            .path("discarded"))
                    .hasSize(1);
        }
        assertThat(broker.waiting("signed") + broker.waiting("open")).isZero();
    }

    @Test
    void manyMessages_areListedInPages_andFiltered() throws Exception {
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));
        byte[] body = sealed("signed", TEXT);
        ClientSession session = broker.reader().session();
        try (ClientProducer producer = session.createProducer(QUARANTINE)) {
            for (int i = 0; i < 1000; i++) {
                ClientMessage message =
                        session.createMessage(org.apache.activemq.artemis.api.core.Message.BYTES_TYPE, i % 100 == 0);
                message.getBodyBuffer().writeBytes(body);
                message.putStringProperty(QuarantineNote.REASON, i < 3 ? "malformed" : "policy-violation");
                message.putStringProperty(QuarantineNote.ADDRESS, "signed");
                message.putStringProperty(QuarantineNote.SIGNER, "long\n".repeat(1000));
                producer.send(message);
            }
        }

        TreeSet<Long> ids = new TreeSet<>();
        int pages = 0;
        JsonNode answer;
        int offset = 0;
        do {
            answer = admin.call("listQuarantine", "", "signed", "", offset);
            answer.path("messages").forEach(each -> ids.add(each.path("id").longValue()));
            offset = answer.path("next").intValue();
            pages++;
        } while (offset > 0);

        assertThat(ids).hasSize(1000);
        assertThat(pages).isBetween(10, 30);
        assertThat(answer.at("/queues/0/messages").intValue()).isEqualTo(1000);
        assertThat(admin.call("listQuarantine", "malformed", "", "", 0).path("messages"))
                .hasSize(3);
        assertThat(admin.call("listQuarantine", "", "elsewhere", "", 0).path("messages"))
                .isEmpty();
    }

    @Test
    void discardedMessage_isAuditedWithItsDigest() throws Exception {
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));
        byte[] body = sealed("signed", TEXT);
        QuarantineIT.send(broker, Producers.CORE, QUARANTINE, body, QuarantineIT.note(body));

        JsonNode answer = admin.call("discardQuarantined", only(admin) + " 1");

        assertThat(answer.path("left").get(0).path("reason").textValue()).contains("no such message");
        assertThat(broker.waiting(QUARANTINE)).isZero();
        JsonNode line = AuditLines.of("quarantine-used").get(0);
        assertThat(line.path("action").textValue()).isEqualTo("discard");
        assertThat(line.path("sha256").textValue())
                .isEqualTo(HexFormat.of()
                        .formatHex(CryptoProviders.digest("SHA-256").digest(body)));
        assertThatThrownBy(() -> admin.call("discardQuarantined", "x")).hasMessageContaining("identifiers");
        assertThatThrownBy(() -> admin.call("queryQuarantined", 1L)).hasMessageContaining("not in quarantine");
    }

    @Test
    void check_warnsOfMessagesInQuarantine_andOfALostQueue() throws Exception {
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));
        byte[] body = sealed("signed", TEXT);
        QuarantineIT.send(broker, Producers.CORE, QUARANTINE, body, QuarantineIT.note(body));

        assertThat(admin.attribute("quarantined")).isEqualTo(1L);
        assertThat(admin.call("listFindings").path("findings").toString())
                .contains("1 message is in quarantine at 'SIGNET.QUARANTINE'");
        broker.queue(QUARANTINE).deleteQueue(true);
        assertThat(admin.call("listFindings").path("findings").toString()).contains("has no durable queue");
    }

    @Test
    void viewer_seesTheQuarantine_andChangesNothing() throws Exception {
        TestBroker broker = start(setup.policyRoles());
        byte[] body = sealed("signed", TEXT);
        QuarantineIT.send(broker, Producers.CORE, QUARANTINE, body, QuarantineIT.note(body));

        ControlClient viewer = closing(new ControlClient(broker.uri(), "victor"));
        long id = only(viewer);
        assertThat(viewer.call("queryQuarantined", id).path("reason").textValue())
                .isEqualTo("policy-violation");
        for (String operation : List.of("retryQuarantined", "discardQuarantined")) {
            assertThatThrownBy(() -> viewer.call(operation, String.valueOf(id)))
                    .hasMessageContaining("does not have permission='EDIT'");
        }
        assertThatThrownBy(() -> viewer.call("exportQuarantined", id, 0)).hasMessageContaining("permission='EDIT'");
        ControlClient stranger = closing(new ControlClient(broker.uri(), "alice"));
        assertThatThrownBy(() -> stranger.call("listQuarantine", "", "", "", 0))
                .hasMessageContaining("does not have permission='VIEW'");
        assertThat(broker.waiting(QUARANTINE)).isOne();
    }

    @Test
    void quarantine_keepsItsMessagesAndIdentifiers_overARestart() throws Exception {
        setup.own().queues(List.of("signed"));
        byte[] body = sealed("signed", TEXT);
        try (TestBroker broker = setup.start()) {
            QuarantineIT.send(broker, Producers.CORE, QUARANTINE, body, QuarantineIT.note(body));
        }
        TestBroker broker = start();
        ControlClient admin = closing(new ControlClient(broker));

        QuarantineIT.send(broker, Producers.CORE, QUARANTINE, body, QuarantineIT.note(body));

        assertRetried(admin);
        assertThat(broker.nextBody("signed")).isEqualTo(body);
        QuarantineIT.send(broker, Producers.CORE, QUARANTINE, body, QuarantineIT.note(body));
        assertThat(broker.waiting(QUARANTINE)).isOne();
    }
}
