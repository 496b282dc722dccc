/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.EnvelopeDescription;
import org.signetmq.envelope.EnvelopeDescription.SignatureDescription;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.SignatureSharing;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.testkit.Patience;

/** Messages of several producers that the broker seals at the same time share signatures. */
final class SharedSignatureIT extends OneBroker {
    private static final int PRODUCERS = 10;
    private static final int EACH = 8;

    /** The least bytes that a list of two hashes adds. Signatures differ by fewer. */
    private static final int TWO_HASHES = 64;

    private static final Policy.Signing SHARED = new Policy.Signing(
            SignatureAlgorithm.SHA_512, List.of(), CertificateInclusion.INCLUDED, List.of(), SignatureSharing.SHARED);

    static Stream<Arguments> ways() {
        return Stream.of(
                Arguments.of(JmsClient.CORE, TestHomes.privacy("orders").with(SHARED)),
                Arguments.of(JmsClient.CORE, Policy.integrity("orders").with(SHARED)),
                Arguments.of(JmsClient.AMQP, Policy.integrity("orders").with(SHARED)));
    }

    /** Texts of one length, so that envelopes differ by their lists alone. */
    private static String text(int number) {
        return "message %06d".formatted(number);
    }

    private static Callable<Void> sending(Connection connection, int first, CyclicBarrier start) throws JMSException {
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(session.createQueue("orders"));
        return () -> {
            start.await();
            for (int i = first; i < first + EACH; i++) {
                producer.send(session.createTextMessage(text(i)));
            }
            session.close();
            return null;
        };
    }

    @ParameterizedTest
    @MethodSource("ways")
    void messagesOfProducersAtOnce_shareSignatures_andEachOpens_oneAloneHasItsOwn(JmsClient client, Policy policy)
            throws Exception {
        PolicySet policies = homes.policies(1, policy);
        TestBroker broker = start("orders");
        Opener opener = closing(homes.opener(policies));
        ConnectionFactory factory = client.factory(broker);
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < PRODUCERS; i++) {
            connections.add(closing(factory.createConnection()));
        }
        ExecutorService threads = Executors.newFixedThreadPool(PRODUCERS);
        closing(threads::shutdownNow);

        Producers.jms(factory, "orders", session -> session.createTextMessage(text(0)));
        byte[] alone = broker.nextBody("orders");
        assertThat(isShared(alone, alone.length)).isFalse();
        assertThat(opened(opener, alone, policy)).isEqualTo(text(0));

        List<byte[]> shared = new ArrayList<>();
        long end = System.nanoTime() + Patience.LIMIT.toNanos();
        for (int next = 1; shared.isEmpty(); next += PRODUCERS * EACH) {
            assertThat(System.nanoTime() - end)
                    .as("time for a shared signature")
                    .isNegative();
            CyclicBarrier start = new CyclicBarrier(PRODUCERS);
            List<Callable<Void>> all = new ArrayList<>();
            Set<String> sent = new HashSet<>();
            for (int i = 0; i < PRODUCERS * EACH; i++) {
                sent.add(text(next + i));
                if (i % EACH == 0) {
                    all.add(sending(connections.get(i / EACH), next + i, start));
                }
            }
            for (Future<Void> ended : threads.invokeAll(all)) {
                ended.get();
            }

            List<byte[]> envelopes = new ArrayList<>();
            for (int i = 0; i < PRODUCERS * EACH; i++) {
                envelopes.add(broker.nextBody("orders"));
            }
            Collections.reverse(envelopes);
            Set<String> texts = new HashSet<>();
            for (byte[] envelope : envelopes) {
                texts.add(opened(opener, envelope, policy));
                if (isShared(envelope, alone.length)) {
                    shared.add(envelope);
                }
            }
            assertThat(texts).isEqualTo(sent);
        }

        assertThat(homes.text(shared.get(0), "orders"))
                .as("of an opener that knows no other")
                .startsWith("message ");
    }

    /** Opens a message, which the broker has signed. */
    private String opened(Opener opener, byte[] envelope, Policy policy) {
        OpenedMessage opened = opener.open(envelope, "orders");
        assertThat(opened.quality()).isEqualTo(policy.quality());
        assertThat(opened.signer()).contains("CN=broker,O=Signet tests");
        return new String(opened.payload(), UTF_8);
    }

    /** Tells whether several messages share the signature. An encrypted one shows only in the length. */
    private static boolean isShared(byte[] envelope, int alone) {
        EnvelopeDescription described = EnvelopeDescription.of(envelope);
        boolean isLonger = envelope.length >= alone + TWO_HASHES;
        if (described.quality().equals(QualityOfProtection.INTEGRITY.label())) {
            int messages = described
                    .signatureIfVisible()
                    .map(SignatureDescription::messages)
                    .orElseThrow();
            assertThat(isLonger).isEqualTo(messages > 1);
        }
        return isLonger;
    }
}
