/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.apache.activemq.ActiveMQXAConnectionFactory;
import org.apache.activemq.artemis.core.transaction.impl.XidImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.testkit.Stomp;

/** Messages sent as part of a transaction. */
final class TransactionIT extends WayIn {
    @ParameterizedTest
    @ValueSource(strings = {"CORE", "AMQP"})
    void transactedSend_isSealedOnceAndThereAfterTheCommit(String protocol) throws Exception {
        String address = safeQueue();
        String text = Letter.text("a transaction by " + protocol);
        ConnectionFactory factory = protocol.equals("CORE") ? Producers.core(broker) : Producers.amqp(broker);
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                var producer = Letter.dress(session.createProducer(session.createQueue(address)))) {
            producer.send(Letter.write(session, "never committed, " + text));
            session.rollback();
            producer.send(Letter.write(session, text));
            assertThat(waiting(address)).isZero();

            session.commit();
        }

        Message stored = take(address);
        assertThat(open(stored, address)).isEqualTo(text);
        Letter.assertDressed(stored, 1);
        assertThat(waiting(address)).isZero();
    }

    @Test
    void transactedSendByOpenWire_isSealedOnce() throws Exception {
        String address = safeQueue();
        String text = Letter.text("a transaction by OpenWire");

        OpenWire.inTransaction(broker, session -> {
            var producer = session.createProducer(session.createQueue(address));
            producer.send(session.createTextMessage(text));
            assertThat(waiting(address)).isZero();
        });

        assertSealedOnce(address, text);
    }

    @Test
    void transactedSendByStomp_isSealedOnce() throws Exception {
        String address = safeQueue();
        String text = Letter.text("a transaction by STOMP");
        try (Stomp client = Producers.stomp(broker)) {
            client.command("BEGIN\ntransaction:t1");
            client.sendText(address + "\ntransaction:t1", text);
            assertThat(waiting(address)).isZero();

            client.command("COMMIT\ntransaction:t1");
        }

        assertSealedOnce(address, text);
    }

    @Test
    void preparedTransaction_isSealedOnDiskBeforeItsCommit() throws Exception {
        String address = safeQueue();
        String text = Letter.text("two phases");
        Xid xid = xid("core");
        try (XAConnection connection = Producers.core(broker).createXAConnection();
                XASession session = connection.createXASession();
                var producer = Letter.dress(session.createProducer(session.createQueue(address)))) {
            XAResource resource = session.getXAResource();
            resource.start(xid, XAResource.TMNOFLAGS);
            producer.send(Letter.write(session, text));
            resource.end(xid, XAResource.TMSUCCESS);
            resource.prepare(xid);
        }
        assertNothingInClear();

        restart();
        try (XAConnection connection = Producers.core(broker).createXAConnection();
                XASession session = connection.createXASession()) {
            session.getXAResource().commit(xid, false);
        }

        Message stored = take(address);
        assertThat(open(stored, address)).isEqualTo(text);
        Letter.assertDressed(stored, 1);
        assertThat(sealed()).isZero();
    }

    @Test
    void preparedTransactionByOpenWire_isSealedOnce() throws Exception {
        String address = safeQueue();
        String text = Letter.text("two phases by OpenWire");
        Xid xid = xid("openwire");
        try (var connection = new ActiveMQXAConnectionFactory(OpenWire.uri(broker)).createXAConnection();
                var session = connection.createXASession()) {
            XAResource resource = session.getXAResource();
            resource.start(xid, XAResource.TMNOFLAGS);
            session.createProducer(session.createQueue(address)).send(session.createTextMessage(text));
            resource.end(xid, XAResource.TMSUCCESS);
            resource.prepare(xid);
            assertNothingInClear();
            resource.commit(xid, false);
        }

        assertSealedOnce(address, text);
    }

    @Test
    void rejectedSendInATwoPhaseTransaction_cannotBePrepared() throws Exception {
        Xid xid = xid("rejected");
        try (XAConnection connection = Producers.core(broker).createXAConnection();
                XASession session = connection.createXASession();
                var producer = session.createProducer(session.createQueue("rejecting.messages"))) {
            XAResource resource = session.getXAResource();
            resource.start(xid, XAResource.TMNOFLAGS);

            assertThatThrownBy(() -> {
                        producer.send(session.createTextMessage(Letter.text("a rejection")));
                        resource.end(xid, XAResource.TMSUCCESS);
                        resource.prepare(xid);
                    })
                    .isInstanceOfAny(JMSException.class, XAException.class);

            assertThat(session.getXAResource().recover(XAResource.TMSTARTRSCAN)).isEmpty();
        }
    }

    private static Xid xid(String name) {
        return new XidImpl(Producers.utf8("branch"), 1, Producers.utf8(name));
    }
}
