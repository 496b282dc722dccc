/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import jakarta.jms.XAConnection;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XASession;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.Test;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.keystore.home.Password;
import org.springframework.aot.agent.RuntimeHintsAgent;
import org.springframework.aot.generate.GeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.agent.RuntimeHintsInvocations;
import org.springframework.aot.test.agent.RuntimeHintsRecorder;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.jms.JmsAutoConfiguration;
import org.springframework.boot.autoconfigure.jms.artemis.ArtemisAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.env.MapPropertySource;

/** What a native image must be told. The agent of Spring records the reflection of the client. */
final class Boot3NativeIT {
    private static final int PATIENCE_MILLIS = 20_000;

    @Test
    void reflectionOfTheClient_isAmongTheHints() throws Exception {
        assertThat(RuntimeHintsAgent.isLoaded()).isTrue();
        TestBroker broker = TestBroker.shared();
        RuntimeHints hints = new RuntimeHints();
        new SignetRuntimeHints().registerHints(hints, null);

        RuntimeHintsInvocations invocations = RuntimeHintsRecorder.record(() -> {
            try {
                use(broker, new ActiveMQConnectionFactory("tcp://127.0.0.1:" + broker.port()), true);
                use(broker, new JmsConnectionFactory("amqp://127.0.0.1:" + broker.port()), false);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });

        assertThat(invocations).notMatching(new RuntimeHints()).isNotEmpty();
        // a proxy class of the virtual machine looks up its methods itself, which is none of a native image
        assertThat(invocations)
                .notMatching(hints)
                .filteredOn(invocation -> invocation
                        .getStackFrames()
                        .findFirst()
                        .filter(frame -> frame.getClassName().contains(".$Proxy"))
                        .isEmpty())
                .isEmpty();
    }

    /** The configurations that have to do with connection factories. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({SignetAutoConfiguration.class, ArtemisAutoConfiguration.class, JmsAutoConfiguration.class
    })
    static class Few {}

    @Test
    void processingAheadOfTime_takesTheWrappingAndTheHints() throws Exception {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        Map<String, Object> properties = Stream.of(TestBroker.shared().properties())
                .map(property -> property.split("=", 2))
                .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        context.register(Few.class);
        TestGenerationContext generated = new TestGenerationContext();

        new ApplicationContextAotGenerator().processAheadOfTime(context, generated);
        generated.writeGeneratedContent();

        assertThat(generated.getGeneratedFiles().getGeneratedFiles(GeneratedFiles.Kind.SOURCE))
                .containsKey("org/signetmq/springboot/SignetAutoConfiguration__BeanDefinitions.java");
        assertThat(generated.getRuntimeHints())
                .matches(RuntimeHintsPredicates.proxies().forInterfaces(TextMessage.class), "proxies")
                .matches(
                        RuntimeHintsPredicates.reflection()
                                .onConstructor(SignetProperties.class.getDeclaredConstructors()[0])
                                .invoke(),
                        "properties");
    }

    /** Sends and receives all kinds of messages, in all kinds of sessions. */
    private static void use(TestBroker broker, ConnectionFactory provider, boolean hasXa) throws Exception {
        try (Password password = Password.fromFile(broker.homes.application().resolve("password"));
                SignetConnectionFactory factory =
                        SignetConnectionFactory.open(provider, broker.homes.application(), "alice", password)) {
            for (String address : List.of("orders.native", "sealed.native")) {
                try (Connection connection = factory.createConnection()) {
                    useSession(connection, connection.createSession(true, Session.SESSION_TRANSACTED), address);
                    useSession(connection, connection.createSession(false, Session.CLIENT_ACKNOWLEDGE), address);
                }
                try (JMSContext context = factory.createContext()) {
                    useContext(context, address);
                }
            }
            if (hasXa) {
                try (XAConnection connection = factory.xa().createXAConnection();
                        XAJMSContext context = factory.xa().createXAContext()) {
                    XASession session = connection.createXASession();
                    session.createProducer(session.createQueue("orders.native.xa"))
                            .close();
                    assertThat(session.getXAResource()).isNotNull();
                    assertThat(context.getXAResource()).isNotNull();
                }
            }
        }
    }

    private static void useSession(Connection connection, Session session, String address) throws Exception {
        connection.start();
        MapMessage map = session.createMapMessage();
        map.setInt("apples", 1);
        BytesMessage bytes = session.createBytesMessage();
        bytes.writeInt(1);
        StreamMessage stream = session.createStreamMessage();
        stream.writeInt(1);
        List<Message> messages = List.of(
                session.createMessage(),
                session.createTextMessage("apples"),
                session.createObjectMessage(new ArrayList<>(List.of("apples"))),
                map,
                bytes,
                stream);
        try (MessageProducer producer = session.createProducer(session.createQueue(address));
                MessageConsumer consumer = session.createConsumer(session.createQueue(address))) {
            for (Message message : messages) {
                message.setStringProperty("colour", "red");
                producer.send(message);
                if (session.getTransacted()) {
                    session.commit();
                }
                Message received = consumer.receive(PATIENCE_MILLIS);
                assertThat(received.getStringProperty("colour")).isEqualTo("red");
                assertThat(received.propertyExists("colour")).isTrue();
                received.acknowledge();
                if (session.getTransacted()) {
                    session.commit();
                }
            }
            assertThat(session.createBrowser(session.createQueue(address))
                            .getEnumeration()
                            .hasMoreElements())
                    .isFalse();
        }
    }

    private static void useContext(JMSContext context, String address) {
        context.createProducer().setProperty("colour", "red").send(context.createQueue(address), "apples");
        assertThat(context.createConsumer(context.createQueue(address)).receiveBody(String.class, PATIENCE_MILLIS))
                .isEqualTo("apples");
    }
}
