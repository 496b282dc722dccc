/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.TextMessage;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XASession;
import jakarta.jms.XATopicConnection;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.apache.activemq.ActiveMQXAConnectionFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.testkit.Patience;
import org.signetmq.testkit.RecordingLogs;

/** XA sessions. The test begins and ends their branches as a transaction manager does. */
final class XaIT extends BrokerTest {
    private static final AtomicInteger TRANSACTIONS = new AtomicInteger();
    private static final String QUARANTINE = "SIGNET.QUARANTINE";

    /** A branch, without equals, as some transaction managers have them. */
    private static final class Branch implements Xid {
        private final byte[] number;

        private Branch(byte[] number) {
            this.number = number;
        }

        /** Starts a new one. */
        static Branch in(XAResource resource) throws XAException {
            Branch branch = new Branch(ByteBuffer.allocate(Integer.BYTES)
                    .putInt(TRANSACTIONS.incrementAndGet())
                    .array());
            resource.start(branch, XAResource.TMNOFLAGS);
            return branch;
        }

        /** The same branch, as another object. */
        Branch again() {
            return new Branch(number.clone());
        }

        @Override
        public int getFormatId() {
            return 4711;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return number.clone();
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }

    /** Makes a call in a branch, and commits it in one phase. */
    private static <T> T committed(XAResource resource, Callable<T> call) throws Exception {
        Branch branch = Branch.in(resource);
        T result = call.call();
        resource.end(branch, XAResource.TMSUCCESS);
        resource.commit(branch, true);
        return result;
    }

    private XAConnectionFactory xa(Client client) {
        return SignetConnectionFactory.wrap((ConnectionFactory) plainXa(client), keys.opener())
                .xa();
    }

    private XAConnectionFactory plainXa(Client client) {
        return client == Client.OPENWIRE
                ? new ActiveMQXAConnectionFactory("tcp://127.0.0.1:" + broker.port()
                        + "?jms.watchTopicAdvisories=false&jms.redeliveryPolicy.initialRedeliveryDelay=0"
                        + "&jms.redeliveryPolicy.redeliveryDelay=0")
                : broker.core();
    }

    /** A connection with one session and one consumer. */
    private final class Consuming implements AutoCloseable {
        final XAConnection connection;
        final XASession session;
        final XAResource resource;
        final MessageConsumer consumer;

        Consuming(Client client, String address) throws JMSException {
            connection = xa(client).createXAConnection();
            session = connection.createXASession();
            resource = session.getXAResource();
            consumer = session.createConsumer(session.createQueue(address));
            connection.start();
        }

        String receive() throws JMSException {
            return consumer.receive(Taking.PATIENCE).getBody(String.class);
        }

        @Override
        public void close() throws JMSException {
            connection.close();
        }
    }

    @ParameterizedTest
    @EnumSource(value = Client.class, names = "AMQP", mode = EnumSource.Mode.EXCLUDE)
    void branch_rolledBackAndThenCommitted_givesTheMessageTwiceAndSendsOnce(Client client) throws Exception {
        String address = address("privacy");
        String replies = address("open");
        send(address, keys.sealText(address, "one"));
        try (Consuming consuming = new Consuming(client, address)) {
            MessageProducer producer = consuming.session.createProducer(consuming.session.createQueue(replies));
            Branch first = Branch.in(consuming.resource);
            assertThat(consuming.receive()).isEqualTo("one");
            producer.send(consuming.session.createTextMessage("reply"));
            consuming.resource.end(first.again(), XAResource.TMSUCCESS);
            consuming.resource.rollback(first.again());

            Branch second = Branch.in(consuming.resource);
            assertThat(consuming.receive()).isEqualTo("one");
            producer.send(consuming.session.createTextMessage("reply"));
            consuming.resource.end(second, XAResource.TMSUCCESS);
            assertThat(consuming.resource.prepare(second)).isEqualTo(XAResource.XA_OK);
            assertThat(consuming.resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN))
                    .anySatisfy(
                            xid -> assertThat(xid.getGlobalTransactionId()).isEqualTo(second.getGlobalTransactionId()));
            assertThat(broker.messages(replies)).isZero();
            consuming.resource.commit(second, false);
        }
        assertThat(broker.messages(address)).isZero();
        assertThat(broker.messages(replies)).isEqualTo(1);
    }

    @Test
    void messagesThatCannotBeOpened_aloneInTheirBranches_areSkippedAndGivenUp() throws Exception {
        String address = address("privacy");
        byte[] flawed = FailureIT.Flaw.TAMPERED.body(keys, address);
        send(address, flawed, flawed, keys.sealText(address, "one"), flawed, keys.sealText(address, "two"));
        List<String> texts = new ArrayList<>();
        try (Consuming consuming = new Consuming(Client.CORE, address)) {
            for (int i = 0; i < 2; i++) {
                texts.add(committed(consuming.resource, consuming::receive));
            }
        }
        assertThat(texts).containsExactly("one", "two");
        awaitMessages(address, 0);
        awaitMessages(TestBroker.DEAD_LETTERS, 3);
        assertThat(RecordingLogs.troubleOf(address)).hasSize(3 * TestBroker.ATTEMPTS);
    }

    @ParameterizedTest
    @EnumSource(value = Client.class, names = "AMQP", mode = EnumSource.Mode.EXCLUDE)
    void messageThatCannotBeOpened_besideOthersInABranch_throwsAndTheBranchCannotBeCommitted(Client client)
            throws Exception {
        String address = address("privacy");
        send(address, keys.sealText(address, "one"), FailureIT.Flaw.TAMPERED.body(keys, address));
        try (Consuming consuming = new Consuming(client, address)) {
            Branch branch = Branch.in(consuming.resource);
            assertThat(consuming.receive()).isEqualTo("one");
            assertThatThrownBy(consuming::receive).isInstanceOf(MessageOpenException.class);

            XAException ending = catchThrowableOfType(
                    XAException.class, () -> consuming.resource.end(branch.again(), XAResource.TMSUCCESS));
            assertThat(ending.errorCode).isEqualTo(XAException.XA_RBROLLBACK);
            XAException committing =
                    catchThrowableOfType(XAException.class, () -> consuming.resource.commit(branch.again(), true));
            assertThat(committing.errorCode).isEqualTo(XAException.XA_RBROLLBACK);
        }
        assertThat(broker.messages(address)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(value = Client.class, names = "AMQP", mode = EnumSource.Mode.EXCLUDE)
    void messageForTheQuarantine_goesThereWithItsBranch(Client client) throws Exception {
        String address = address("moved");
        long before = broker.messages(QUARANTINE);
        send(address, FailureIT.Flaw.TAMPERED.body(keys, address), keys.sealText(address, "one"));
        try (Consuming consuming = new Consuming(client, address)) {
            Branch first = Branch.in(consuming.resource);
            assertThat(consuming.receive()).isEqualTo("one");
            consuming.resource.end(first, XAResource.TMSUCCESS);
            consuming.resource.rollback(first);
            awaitMessages(address, 2);
            assertThat(broker.messages(QUARANTINE)).isEqualTo(before);

            Branch second = Branch.in(consuming.resource);
            assertThat(consuming.receive()).isEqualTo("one");
            consuming.resource.end(second, XAResource.TMSUCCESS);
            assertThat(consuming.resource.prepare(second)).isEqualTo(XAResource.XA_OK);
            assertThat(broker.messages(QUARANTINE)).isEqualTo(before);
            consuming.resource.commit(second, false);
            awaitMessages(QUARANTINE, before + 1);
            awaitMessages(address, 0);
        }
    }

    @Test
    void messageForTheQuarantine_outsideOfABranch_goesThereAtOnce() throws Exception {
        String address = address("moved");
        long before = broker.messages(QUARANTINE);
        byte[] flawed = FailureIT.Flaw.TAMPERED.body(keys, address);
        send(address, flawed);
        try (Consuming consuming = new Consuming(Client.CORE, address)) {
            assertThat(consuming.consumer.receive(500)).isNull();
            awaitMessages(QUARANTINE, before + 1);
            send(address, flawed, keys.sealText(address, "one"));
            List<String> texts = Collections.synchronizedList(new ArrayList<>());
            consuming.consumer.setMessageListener(message -> texts.add(text(message)));
            Awaitility.await().until(() -> texts.contains("one"));
            awaitMessages(QUARANTINE, before + 2);
            awaitMessages(address, 0);
        }
    }

    @Test
    void branchThatWasRolledBackAtItsEnd_canBeRolledBackByTheTransactionManager() throws Exception {
        String address = address("privacy");
        send(address, keys.sealText(address, "one"), FailureIT.Flaw.TAMPERED.body(keys, address));
        try (Consuming consuming = new Consuming(Client.CORE, address)) {
            Branch branch = Branch.in(consuming.resource);
            consuming.receive();
            assertThatThrownBy(consuming::receive).isInstanceOf(MessageOpenException.class);
            assertThatThrownBy(() -> consuming.resource.end(branch, XAResource.TMFAIL))
                    .isInstanceOf(XAException.class);

            consuming.resource.rollback(branch);

            assertThat(committed(consuming.resource, () -> consuming.receive())).isEqualTo("one");
        }
        assertThat(broker.messages(address)).isEqualTo(1);
    }

    /** The plain ActiveMQ client receives in branches only. */
    @Test
    void receivingOutsideAndInsideBranches_isAsThePlainClientHasIt() throws Exception {
        List<String> redelivered = receivedInAndOutOfBranches(xa(Client.CORE));

        assertThat(redelivered).isEqualTo(receivedInAndOutOfBranches(plainXa(Client.CORE)));
        assertThat(redelivered).containsExactly("false", "false", "false", "true", "false", "none");
    }

    /** Whether each received message was delivered before. */
    private List<String> receivedInAndOutOfBranches(XAConnectionFactory factory) throws Exception {
        String address = address("privacy");
        byte[] body = keys.sealText(address, "text");
        send(address, body, body, body, body);
        List<Message> received = new ArrayList<>();
        try (XAConnection connection = factory.createXAConnection()) {
            XASession session = connection.createXASession();
            XAResource resource = session.getXAResource();
            MessageConsumer consumer = session.createConsumer(session.createQueue(address));
            connection.start();
            received.add(Taking.poll(consumer::receiveNoWait));
            awaitMessages(address, 3);
            received.add(consumer.receive(Taking.PATIENCE));
            awaitMessages(address, 2);
            Branch branch = Branch.in(resource);
            received.add(consumer.receive(Taking.PATIENCE));
            resource.end(branch, XAResource.TMSUCCESS);
            resource.rollback(branch);
            awaitMessages(address, 2);
            received.add(consumer.receive(Taking.PATIENCE));
            received.add(consumer.receive());
            awaitMessages(address, 0);
            received.add(consumer.receiveNoWait());
        }
        List<String> redelivered = new ArrayList<>();
        for (Message message : received) {
            redelivered.add(message == null ? "none" : String.valueOf(message.getJMSRedelivered()));
        }
        return redelivered;
    }

    @ParameterizedTest
    @EnumSource(value = Client.class, names = "AMQP", mode = EnumSource.Mode.EXCLUDE)
    void messageThatCannotBeOpened_outsideOfABranch_isSkippedAndGivenUp(Client client) throws Exception {
        String address = address("privacy");
        send(address, FailureIT.Flaw.TAMPERED.body(keys, address), keys.sealText(address, "one"));
        try (Consuming consuming = new Consuming(client, address)) {
            assertThat(consuming.receive()).isEqualTo("one");
            assertThat(consuming.consumer.receiveNoWait()).isNull();
            awaitMessages(address, 0);
        }
        awaitMessages(TestBroker.DEAD_LETTERS, 1);
    }

    @Test
    void largeMessage_outsideOfABranch_isReadWhole() throws Exception {
        String address = address("privacy");
        byte[] payload = new byte[8_500_000];
        payload[payload.length - 1] = 5;
        send(address, keys.sealLarge(address, BodyKind.JMS_BYTES, payload));
        try (Consuming consuming = new Consuming(Client.CORE, address)) {
            BytesMessage message = (BytesMessage) consuming.consumer.receive(Taking.PATIENCE);
            awaitMessages(address, 0);

            assertThat(message.readByte()).isZero();
            assertThat(message.getBody(byte[].class)).isEqualTo(payload);
        }
    }

    /** The plain ActiveMQ client calls listeners in branches only. */
    @Test
    void listenerOutsideOfBranches_isCalledAsThePlainClientCallsIt() throws Exception {
        List<String> seen = listenedOutsideOfBranches(xa(Client.CORE));

        assertThat(seen).isEqualTo(listenedOutsideOfBranches(plainXa(Client.CORE)));
        assertThat(seen).containsExactly("false", "false", "none left", "2 replies");
    }

    /** What a listener sees that sends a reply in a branch for each message, and then fails. */
    private List<String> listenedOutsideOfBranches(XAConnectionFactory factory) throws Exception {
        String address = address("privacy");
        String replies = address("open");
        send(address, keys.sealText(address, "one"), keys.sealText(address, "two"));
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        try (XAConnection connection = factory.createXAConnection()) {
            XASession session = connection.createXASession();
            MessageProducer producer = session.createProducer(session.createQueue(replies));
            session.createConsumer(session.createQueue(address)).setMessageListener(message -> {
                try {
                    Branch branch = Branch.in(session.getXAResource());
                    producer.send(session.createTextMessage("reply"));
                    session.getXAResource().end(branch, XAResource.TMSUCCESS);
                    session.getXAResource().commit(branch, true);
                    seen.add(String.valueOf(message.getJMSRedelivered()));
                } catch (JMSException | XAException e) {
                    seen.add(e.toString());
                }
                throw new IllegalStateException("fails, as tests want it");
            });
            connection.start();
            Awaitility.await().until(() -> seen.size() == 2);
        }
        seen.add(broker.messages(address) == 0 ? "none left" : "some left");
        seen.add(broker.messages(replies) + " replies");
        return seen;
    }

    @ParameterizedTest
    @EnumSource(value = Client.class, names = "AMQP", mode = EnumSource.Mode.EXCLUDE)
    void listenerInABranch_isCalledAsThePlainClientCallsIt(Client client) throws Exception {
        assertThat(leftAfterABranchWithAListener(xa(client), true))
                .isEqualTo(leftAfterABranchWithAListener(plainXa(client), true))
                .isZero();
        assertThat(leftAfterABranchWithAListener(xa(client), false))
                .isEqualTo(leftAfterABranchWithAListener(plainXa(client), false))
                .isEqualTo(1);
    }

    private long leftAfterABranchWithAListener(XAConnectionFactory factory, boolean commits) throws Exception {
        String address = address("privacy");
        send(address, keys.sealText(address, "one"));
        CountDownLatch called = new CountDownLatch(1);
        try (XAConnection connection = factory.createXAConnection()) {
            XASession session = connection.createXASession();
            XAResource resource = session.getXAResource();
            session.createConsumer(session.createQueue(address)).setMessageListener(message -> called.countDown());
            Branch branch = Branch.in(resource);
            connection.start();
            assertThat(called.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            connection.stop();
            resource.end(branch, XAResource.TMSUCCESS);
            if (commits) {
                resource.commit(branch, true);
            } else {
                resource.rollback(branch);
            }
        }
        Awaitility.await().until(() -> broker.delivering(address) == 0);
        return broker.messages(address);
    }

    @Test
    void messageThatCannotBeOpened_forAListenerOutsideOfBranches_isSkippedAndGivenUp() throws Exception {
        String address = address("privacy");
        byte[] payload = new byte[8_500_000];
        send(
                address,
                FailureIT.Flaw.TAMPERED.body(keys, address),
                keys.sealLarge(address, BodyKind.JMS_BYTES, payload),
                keys.sealText(address, "last"));
        List<Class<?>> seen = Collections.synchronizedList(new ArrayList<>());
        try (Consuming consuming = new Consuming(Client.CORE, address)) {
            consuming.consumer.setMessageListener(
                    message -> seen.add(message instanceof BytesMessage ? BytesMessage.class : TextMessage.class));
            awaitMessages(address, 0);
            assertThat(consuming.consumer.getMessageListener()).isNotNull();
        }
        assertThat(seen).containsExactly(BytesMessage.class, TextMessage.class);
        awaitMessages(TestBroker.DEAD_LETTERS, 1);
    }

    /** Its library acknowledges a message before it calls the listener. */
    @Test
    void listenerOfAContext_isRejected() {
        try (XAJMSContext context = xa(Client.CORE).createXAContext()) {
            var consumer = context.createConsumer(context.createQueue(address("privacy")));
            assertThatThrownBy(() -> consumer.setMessageListener(message -> {}))
                    .isInstanceOf(IllegalStateRuntimeException.class)
                    .hasMessageContaining("a session in place of a context");
        }
    }

    @Test
    void closedSession_outsideOfABranch_rejectsReceiving() throws Exception {
        try (Consuming consuming = new Consuming(Client.CORE, address("privacy"))) {
            consuming.session.close();
            assertThatThrownBy(consuming.consumer::receiveNoWait).isInstanceOf(jakarta.jms.IllegalStateException.class);
        }
    }

    @Test
    void context_inABranch_receivesAndIsCommitted() throws Exception {
        String address = address("privacy");
        send(address, FailureIT.Flaw.TAMPERED.body(keys, address), keys.sealText(address, "one"));
        try (XAJMSContext context = xa(Client.CORE).createXAContext()) {
            var consumer = context.createConsumer(context.createQueue(address));
            assertThat(committed(context.getXAResource(), () -> consumer.receiveBody(String.class, Taking.PATIENCE)))
                    .isEqualTo("one");
            send(address, keys.sealText(address, "two"));
            assertThat(consumer.receiveBody(String.class, Taking.PATIENCE)).isEqualTo("two");
            assertThat(context.getContext()).isSameAs(context);
            assertThat(context.getTransacted()).isTrue();
        }
        assertThat(broker.messages(address)).isZero();
    }

    @Test
    void sessionsOfAllKinds_openWhatTheyReceive() throws Exception {
        SignetXAConnectionFactory factory = (SignetXAConnectionFactory) xa(Client.CORE);
        String address = address("privacy");
        send(address, keys.sealText(address, "one"));
        try (XAQueueConnection queues = factory.createXAQueueConnection();
                XATopicConnection topics = factory.createXATopicConnection()) {
            var session = queues.createXAQueueSession();
            var receiver = session.getQueueSession().createReceiver(session.createQueue(address));
            queues.start();
            assertThat(committed(
                            session.getXAResource(),
                            () -> receiver.receive(Taking.PATIENCE).getBody(String.class)))
                    .isEqualTo("one");

            String topic = address("privacy");
            var topicSession = topics.createXATopicSession();
            var subscriber = topicSession.getTopicSession().createSubscriber(topicSession.createTopic(topic));
            topics.start();
            try (Producer producer = new Producer(broker.core())) {
                producer.send(producer.context.createTopic(topic), keys.sealText(topic, "two"));
            }
            assertThat(committed(
                            topicSession.getXAResource(),
                            () -> subscriber.receive(Taking.PATIENCE).getBody(String.class)))
                    .isEqualTo("two");
            assertThat(session.getXAResource().isSameRM(topicSession.getXAResource()))
                    .isFalse();
            assertThat(session.getXAResource().isSameRM(session.getXAResource()))
                    .isTrue();
        }
    }

    @Test
    void connectionsAndContextsWithoutATransactionManager_workAsOthersDo() throws Exception {
        String address = address("privacy");
        send(address, keys.sealText(address, "one"));
        SignetXAConnectionFactory factory = (SignetXAConnectionFactory) xa(Client.CORE);
        try (JMSContext context = factory.createContext();
                var consumer = context.createConsumer(context.createQueue(address))) {
            assertThat(consumer.receiveBody(String.class, Taking.PATIENCE)).isEqualTo("one");
        }
    }

    @Test
    void factoryThatMakesNoXaConnections_isRejected() {
        assertThatThrownBy(() -> signet(Client.AMQP).xa())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("makes no XA connections");
    }
}
