/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSContext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.deployers.impl.FileConfigurationParser;
import org.apache.activemq.artemis.spi.core.remoting.Acceptor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Cases;

/** The broker looks at its file every few seconds, and takes its acceptors and connections from there once more. */
final class ReloadIT extends OneBroker {
    private static final String TEXT = LargeBodies.text(200_000); // more than the default limit of small messages
    private static final String AS_LARGE = "amqpMinLargeMessageSize=102400;stompMinLargeMessageSize=102400";
    private static final String IN_MEMORY = "amqpMinLargeMessageSize=-1;stompMinLargeMessageSize=-1";

    private final PolicySet policies = LargeBodies.policies(QualityOfProtection.PRIVACY);

    @BeforeEach
    void prepare() throws Exception {
        homes.policies(policies);
    }

    /** A broker with this file. */
    private TestBroker.Setup setup(String parameters, String connections) {
        TestBroker.Setup setup = new TestBroker.Setup(homes, folder.resolve("data"));
        return setup.with(configuration -> readFrom(write(setup, parameters, connections), configuration));
    }

    private Path write(TestBroker.Setup setup, String parameters, String connections) throws IOException {
        return Files.writeString(folder.resolve("broker.xml"), """
                <configuration xmlns="urn:activemq">
                  <core xmlns="urn:activemq:core">
                    <acceptors>
                      <acceptor name="all">%s?protocols=CORE,AMQP,STOMP,MQTT;anycastPrefix=queue://,to-queue.;%s</acceptor>
                    </acceptors>
                    <broker-connections>%s</broker-connections>
                    <address-settings>
                      <address-setting match="#">
                        <auto-delete-queues>false</auto-delete-queues>
                        <auto-delete-addresses>false</auto-delete-addresses>
                      </address-setting>
                    </address-settings>
                    <addresses>
                      <address name="orders"><anycast><queue name="orders"/></anycast></address>
                    </addresses>
                  </core>
                </configuration>
                """.formatted(setup.uri(), parameters, connections));
    }

    private static void readFrom(Path file, Configuration configuration) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            Configuration said = new FileConfigurationParser().parseMainConfig(in);
            configuration.setAcceptorConfigurations(said.getAcceptorConfigurations());
            configuration.setAMQPConnectionConfigurations(said.getAMQPConnection());
            configuration.setAddressSettings(said.getAddressSettings());
            configuration.setAddressConfigurations(said.getAddressConfigurations());
            configuration.setConfigurationUrl(file.toUri().toURL());
        }
    }

    private void assertOpens(byte[] stored) {
        String opened = homes.text(stored, "orders", policies);
        assertThat(opened.equals(TEXT)).isTrue();
    }

    @ParameterizedTest
    @Cases({"AMQP, queue://orders", "AMQP, orders", "STOMP_TEXT, orders", "STOMP_BYTES, to-queue.orders"})
    void reloadedFile_restartsNoAcceptor_andLargeMessagesAreStillSealed(Producers producer, String address)
            throws Exception {
        TestBroker broker = start(setup(AS_LARGE, ""));
        DiskWatch watch = closing(new DiskWatch(broker.disk(), LargeBodies.MARK));
        Acceptor before = broker.server().getRemotingService().getAcceptor("all");
        broker.server().reloadConfigurationFile();
        assertThat(broker.server().getRemotingService().getAcceptor("all")).isSameAs(before);

        producer.send(broker, address, TEXT);

        assertThat(watch.seen()).isEmpty();
        assertThat(broker.disk().filesWith(LargeBodies.MARK)).isEmpty();
        broker.assertNext("orders", TEXT);
    }

    @Test
    void reloadedFile_thatLetsNothingBeLarge_endsNoConnection() throws Exception {
        TestBroker broker = start(setup(IN_MEMORY, ""));
        JMSContext context = closing(Producers.amqp(broker).createContext());
        Acceptor before = broker.server().getRemotingService().getAcceptor("all");

        broker.server().reloadConfigurationFile();

        assertThat(broker.server().getRemotingService().getAcceptor("all")).isSameAs(before);
        context.createProducer().send(context.createQueue("orders"), "still connected");
    }

    @ParameterizedTest
    @CsvSource({"CORE, ''", "AMQP, ''", "AMQP, <property key='minLargeMessageSize' value='-1'/>"})
    void federationThatIsSetBack_stillSealsLargeMessages(Producers producer, String property) throws Exception {
        TestBroker.Setup source = new TestBroker.Setup(homes, folder.resolve("source")).bare();
        String connection = """
                <amqp-connection uri="%s" name="other" retry-interval="100">
                  <federation>
                    %s
                    <local-queue-policy name="queues"><include address-match="#" queue-match="orders"/></local-queue-policy>
                  </federation>
                </amqp-connection>
                """.formatted(source.uri(), property);
        TestBroker from = start(source);
        TestBroker broker = start(setup(IN_MEMORY, connection));
        DiskWatch watch = closing(new DiskWatch(broker.disk(), LargeBodies.MARK));
        broker.server().reloadConfigurationFile();
        producer.send(from, "orders", TEXT);

        byte[] stored = broker.nextBody("orders");

        assertOpens(stored);
        assertThat(watch.seen()).isEmpty();
        Awaitility.await().until(() -> broker.sealed() == 1);
    }
}
