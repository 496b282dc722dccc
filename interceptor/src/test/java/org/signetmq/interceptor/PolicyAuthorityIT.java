/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import java.lang.management.ManagementFactory;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.security.auth.Subject;
import org.apache.activemq.artemis.api.core.management.ObjectNameBuilder;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.spi.core.security.jaas.RolePrincipal;
import org.apache.activemq.artemis.spi.core.security.jaas.UserPrincipal;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rights of users on the plugin's control. Each user here may do all with queues and addresses. */
final class PolicyAuthorityIT extends OneBroker {
    private static final String POLICY = "{\"pattern\": \"orders\", \"quality\": \"integrity\"}";
    private static final String FORBIDDEN = "does not have permission";

    /** Alice has every right of the broker everywhere, also to view and edit by the broker's own management. */
    @BeforeEach
    void secure() {
        setup.property("policy-store", "broker").secured().with(configuration -> {
            configuration.putSecurityRoles(
                    "#",
                    Set.of(new Role("all", true, true, true, true, true, true, true, true, true, true, true, true)));
            configuration.setJMXManagementEnabled(true);
        });
    }

    private TestBroker startWithRoles() throws Exception {
        return start(setup.policyRoles());
    }

    @Test
    void reading_isForbiddenForAUserWithAllOtherRights() throws Exception {
        TestBroker broker = startWithRoles();
        ControlClient alice = closing(new ControlClient(broker.uri(), "alice"));
        ControlClient victor = closing(new ControlClient(broker.uri(), "victor"));
        ControlClient anna = closing(new ControlClient(broker.uri(), "anna"));
        anna.call("setPolicy", 0L, POLICY);
        anna.set(1L, "unmatched", "\"reject\"");
        String query = victor.call("queryKeyUse", "").path("query").textValue();
        Map<String, List<Object>> readings = Map.ofEntries(
                Map.entry("listPolicies", List.of(0L, 0)),
                Map.entry("queryPolicy", List.of("orders")),
                Map.entry("getLastChange", List.of()),
                Map.entry("listHistory", List.of()),
                Map.entry("listFormerPolicies", List.of(1L, 0)),
                Map.entry("getBroker", List.of()),
                Map.entry("getState", List.of()),
                Map.entry("getPolicies", List.of()),
                Map.entry("getSealed", List.of()),
                Map.entry("listCertificates", List.of()),
                Map.entry("listNames", List.of("orders")),
                Map.entry("listParties", List.of(0)),
                Map.entry("listFindings", List.of()),
                Map.entry("listAudit", List.of(10)),
                Map.entry("listQueues", List.of("orders")),
                Map.entry("queryKeyUse", List.of("orders")),
                Map.entry("listKeyUse", List.of(query, 0)));
        for (Map.Entry<String, List<Object>> reading : readings.entrySet()) {
            Object[] arguments = reading.getValue().toArray();
            assertThatThrownBy(() -> alice.invoke(reading.getKey(), arguments))
                    .as(reading.getKey())
                    .hasMessageContaining(FORBIDDEN);
            Object answer = victor.invoke(reading.getKey(), arguments);
            assertThat(answer).as(reading.getKey()).isNotNull();
        }
    }

    @Test
    void attributes_areForbiddenForAUserWithAllOtherRights() throws Exception {
        TestBroker broker = startWithRoles();
        ControlClient alice = closing(new ControlClient(broker.uri(), "alice"));
        ControlClient victor = closing(new ControlClient(broker.uri(), "victor"));
        // the broker does not say why it has no answer
        assertThatThrownBy(() -> alice.attribute("state")).isInstanceOf(ControlClient.FailedOperationException.class);
        assertThat(victor.attribute("state")).isEqualTo("READY");
    }

    @Test
    void changes_areForbiddenForAllButTheAdministrator() throws Exception {
        Map<String, Object[]> changes = Map.ofEntries(
                Map.entry("setPolicy", new Object[] {0L, POLICY}),
                Map.entry("removePolicy", new Object[] {0L, "orders"}),
                Map.entry("beginPolicies", new Object[] {0L}),
                Map.entry("addPolicies", new Object[] {"id", 0, "text"}),
                Map.entry("replacePolicies", new Object[] {"id"}),
                Map.entry("restorePolicies", new Object[] {"id"}),
                Map.entry("beginBacklog", new Object[] {"orders"}),
                Map.entry("judgeImpact", new Object[] {0L, POLICY}),
                Map.entry("judgeRemoval", new Object[] {0L, "orders"}),
                Map.entry("judgeImpacts", new Object[] {"id"}),
                Map.entry("readImpact", new Object[] {"id", 0}));
        TestBroker broker = startWithRoles();
        ControlClient alice = closing(new ControlClient(broker.uri(), "alice"));
        ControlClient victor = closing(new ControlClient(broker.uri(), "victor"));
        ControlClient anna = closing(new ControlClient(broker.uri(), "anna"));
        for (Map.Entry<String, Object[]> change : changes.entrySet()) {
            for (ControlClient client : List.of(alice, victor)) {
                assertThatThrownBy(() -> client.invoke(change.getKey(), change.getValue()))
                        .as(change.getKey())
                        .hasMessageContaining(FORBIDDEN);
            }
        }
        assertThat(broker.state().policies().version()).isZero();

        assertThat(anna.outcome("setPolicy", 0L, POLICY)).isEqualTo("changed");
        assertThat(anna.call("getLastChange").path("by").textValue()).isEqualTo("anna");
    }

    /** Without a setting for Signet alone, the rights of a setting for all addresses count for nothing. */
    @Test
    void brokerWithoutASettingForSignet_permitsNothing() throws Exception {
        TestBroker broker = start();
        ControlClient alice = closing(new ControlClient(broker.uri(), "alice"));
        ControlClient anna = closing(new ControlClient(broker.uri(), "anna"));
        for (ControlClient client : List.of(alice, anna)) {
            assertThatThrownBy(() -> client.invoke("getState"))
                    .hasMessageContaining(FORBIDDEN)
                    .hasMessageContaining("--viewer-role");
            assertThatThrownBy(() -> client.invoke("setPolicy", 0L, POLICY))
                    .hasMessageContaining(FORBIDDEN)
                    .hasMessageContaining("--admin-role");
        }
    }

    @Test
    void userOfTheCluster_changesNothing() throws Exception {
        setup.policyRoles().with(configuration -> {
            configuration.setClusterUser("cluster");
            configuration.setClusterPassword("secret");
        });
        TestBroker broker = startWithRoles();
        ControlClient cluster = closing(new ControlClient(broker.uri(), "cluster"));
        assertThatThrownBy(() -> cluster.invoke("setPolicy", 0L, POLICY)).hasMessageContaining(FORBIDDEN);
    }

    @Test
    void amqpRequests_haveTheSameRights() throws Exception {
        TestBroker broker = startWithRoles();
        assertThat(byAmqp(broker, "alice", "setPolicy", "[0,\"" + POLICY.replace("\"", "\\\"") + "\"]"))
                .contains(FORBIDDEN);
        assertThat(byAmqp(broker, "victor", "setPolicy", "[0,\"" + POLICY.replace("\"", "\\\"") + "\"]"))
                .contains(FORBIDDEN);
        assertThat(byAmqp(broker, "alice", "getState", "[]")).contains(FORBIDDEN);
        assertThat(byAmqp(broker, "victor", "getState", "[]")).contains("READY");
        assertThat(broker.state().policies().version()).isZero();

        assertThat(byAmqp(broker, "anna", "setPolicy", "[0,\"" + POLICY.replace("\"", "\\\"") + "\"]"))
                .contains("changed");
    }

    private static String byAmqp(TestBroker broker, String user, String operation, String arguments) throws Exception {
        try (Connection connection =
                new JmsConnectionFactory("amqp://127.0.0.1:" + broker.port).createConnection(user, "secret")) {
            connection.start();
            Session session = connection.createSession();
            TemporaryQueue replies = session.createTemporaryQueue();
            TextMessage request = session.createTextMessage(arguments);
            request.setStringProperty("_AMQ_ResourceName", "signet");
            request.setStringProperty("_AMQ_OperationName", operation);
            request.setJMSReplyTo(replies);
            session.createProducer(session.createQueue("activemq.management")).send(request);
            try (MessageConsumer consumer = session.createConsumer(replies)) {
                Message reply = consumer.receive(180_000);
                return reply == null ? "no answer" : reply.getBody(String.class);
            }
        }
    }

    @Test
    void callsByJmx_haveTheSameRights() throws Exception {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        TestBroker broker = startWithRoles();
        ObjectName name = name(broker);

        assertThatThrownBy(() -> beans.getAttribute(name, "State")).hasStackTraceContaining(FORBIDDEN);
        assertThatThrownBy(() -> as("alice", List.of("all"), () -> beans.getAttribute(name, "State")))
                .hasStackTraceContaining(FORBIDDEN);
        assertThat(as("victor", List.of("signet-viewer"), () -> beans.getAttribute(name, "State")))
                .isEqualTo("READY");
        for (List<String> roles : List.of(List.of("all"), List.of("signet-viewer"))) {
            assertThatThrownBy(() -> as("victor", roles, () -> set(beans, name)))
                    .hasStackTraceContaining(FORBIDDEN);
        }
        assertThat(broker.state().policies().version()).isZero();

        assertThat(as("anna", List.of("signet-admin"), () -> set(beans, name)).toString())
                .contains("changed");
        assertThat(as("anna", List.of("signet-admin"), () -> beans.getAttribute(name, "LastChange"))
                        .toString())
                .contains("\"by\":\"anna\"", "\"from\":\"jmx\"");
    }

    private static Object set(MBeanServer beans, ObjectName name) throws Exception {
        return beans.invoke(
                name, "setPolicy", new Object[] {0L, POLICY}, new String[] {"long", String.class.getName()});
    }

    private static ObjectName name(TestBroker broker) throws Exception {
        ObjectNameBuilder names = broker.server().getManagementService().getObjectNameBuilder();
        return new ObjectName(names.getActiveMQServerObjectName() + ",component=signet");
    }

    /** Runs a call as a user that the broker's JMX has authenticated. */
    private static Object as(String user, List<String> roles, PrivilegedExceptionAction<Object> call) throws Exception {
        Subject subject = new Subject();
        subject.getPrincipals().add(new UserPrincipal(user));
        Stream.ofNullable(roles)
                .flatMap(List::stream)
                .forEach(role -> subject.getPrincipals().add(new RolePrincipal(role)));
        return Subject.doAs(subject, call);
    }

    /** An administrator of queues may send messages by JMX, also to the address of the management. */
    @Test
    void messageThatIsSentByJmx_hasTheRightsOfItsUser() throws Exception {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        TestBroker broker = startWithRoles();
        ControlClient alice = closing(new ControlClient(broker.uri(), "alice"));
        ObjectNameBuilder names = broker.server().getManagementService().getObjectNameBuilder();
        alice.server("createAddress", "activemq.management", "MULTICAST");
        ObjectName address =
                names.getAddressObjectName(org.apache.activemq.artemis.api.core.SimpleString.of("activemq.management"));

        Object unused = as("anna", List.of("all", "signet-admin"), () -> {
            try {
                return beans.invoke(
                        address,
                        "sendMessage",
                        new Object[] {
                            Map.of("_AMQ_ResourceName", "signet", "_AMQ_OperationName", "setPolicy"),
                            3,
                            "[0,\"" + POLICY.replace("\"", "\\\"") + "\"]",
                            false,
                            "alice",
                            "secret"
                        },
                        new String[] {
                            Map.class.getName(),
                            "int",
                            String.class.getName(),
                            "boolean",
                            String.class.getName(),
                            String.class.getName()
                        });
            } catch (javax.management.JMException rejected) {
                return "rejected";
            }
        });

        assertThat(broker.state().policies().version()).isZero();
    }
}
