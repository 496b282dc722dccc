/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.management.ManagementHelper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.signetmq.policy.PolicySet;
import org.signetmq.testkit.Cases;

/** With a policy on every address there is, the broker's own traffic must stay as it is. */
final class ManagementIT extends OneBroker {
    @BeforeEach
    void protectAll() throws Exception {
        homes.policies(1, TestHomes.privacy("#"));
    }

    @Test
    void managementRequestAndReply_areLeftAlone() throws Exception {
        TestBroker broker = start();
        ControlClient client = closing(new ControlClient(broker));

        assertThat(client.attribute("state")).isEqualTo("READY");
        assertThat(broker.sealed()).isZero();
    }

    /** Such a request may carry a message, as {@code sendMessage} of a queue does. */
    @ParameterizedTest
    @Cases({"CORE", "AMQP"})
    void largeRequest_isRejectedAndNeverInClearOnTheDisk(Producers producer) throws Exception {
        String text = LargeBodies.TEXT;
        TestBroker broker = start();
        DiskWatch watch = closing(new DiskWatch(broker.disk(), LargeBodies.MARK));
        assertThatThrownBy(() -> producer.send(broker, "activemq.management", text))
                .hasMessageContaining("too large for a management request");

        assertThat(watch.seen()).isEmpty();
    }

    @Test
    void largeRequest_passesWhereNoPolicyProtectsAnything() throws Exception {
        homes.policies(PolicySet.EMPTY);
        TestBroker broker = start();
        assertThatCode(() -> Producers.CORE.send(broker, "activemq.management", LargeBodies.TEXT))
                .doesNotThrowAnyException();
    }

    /** The requester chooses a text in the answer, and where the answer goes. */
    @Test
    void replyToAProtectedQueue_isSealed() throws Exception {
        String chosen = "words that the requester chose";
        TestBroker broker = start("orders");
        ClientSession session = broker.reader().session();
        ClientMessage request = session.createMessage(true);
        ManagementHelper.putOperationInvocation(request, "broker", "no such operation: " + chosen);
        request.setReplyTo(SimpleString.of("orders"));

        session.createProducer("activemq.management").send(request);

        assertThat(new String(broker.nextBody("orders"), StandardCharsets.ISO_8859_1))
                .doesNotContain(chosen);
        assertThat(broker.sealed()).isEqualTo(1);
    }

    @Test
    void notifications_areLeftAlone() throws Exception {
        TestBroker broker = start();
        broker.reader().subscription("notifications", "activemq.notifications");
        broker.reader().queue("another");

        ClientMessage notification = broker.next("notifications");
        assertThat(notification.getStringProperty("_AMQ_NotifType")).isNotNull();
        assertThat(broker.sealed()).isZero();
        assertThat(broker.rejected()).isZero();
    }

    @Test
    void control_isRegisteredWhileTheBrokerRuns() throws Exception {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        setup.with(configuration -> configuration.setJMXManagementEnabled(true));
        ObjectName name;
        try (TestBroker broker = setup.start()) {
            name = new ObjectName(
                    broker.server()
                                    .getManagementService()
                                    .getObjectNameBuilder()
                                    .getActiveMQServerObjectName() + ",component=signet");
            assertThat(beans.getAttribute(name, "State")).isEqualTo("READY");
            assertThat(beans.getAttribute(name, "PolicyVersion")).isEqualTo(1L);
        }

        assertThat(beans.isRegistered(name)).isFalse();
    }

    @Test
    void control_hasNoMethodsButThoseOfItsInterface() {
        Set<String> declared = Arrays.stream(SignetControl.class.getMethods())
                .filter(method -> method.getDeclaringClass() != Object.class)
                .map(java.lang.reflect.Method::getName)
                .collect(Collectors.toSet());

        assertThat(declared)
                .containsExactlyInAnyOrder(
                        "getState",
                        "getReason",
                        "getPolicyVersion",
                        "getPolicyProblem",
                        "getPolicyFindings",
                        "getHomeFinding",
                        "getLargeMessages",
                        "getLargeMessagesReason",
                        "getSealed",
                        "getPassed",
                        "getRejected",
                        "getUnjudged",
                        "getQuarantined",
                        "getKeysBegun",
                        "getKeyWaits",
                        "getVersion",
                        "getBroker",
                        "getPolicies",
                        "getLastChange",
                        "listCertificates",
                        "listNames",
                        "listParties",
                        "listHistory",
                        "listFormerPolicies",
                        "listFindings",
                        "listPolicies",
                        "queryPolicy",
                        "setPolicy",
                        "removePolicy",
                        "beginPolicies",
                        "addPolicies",
                        "replacePolicies",
                        "restorePolicies",
                        "listQueues",
                        "listAudit",
                        "listQuarantine",
                        "queryQuarantined",
                        "exportQuarantined",
                        "retryQuarantined",
                        "discardQuarantined",
                        "beginBacklog",
                        "sealBacklog",
                        "judgeBacklog",
                        "judgeImpact",
                        "judgeImpacts",
                        "judgeRemoval",
                        "readImpact",
                        "queryKeyUse",
                        "listKeyUse");
    }
}
