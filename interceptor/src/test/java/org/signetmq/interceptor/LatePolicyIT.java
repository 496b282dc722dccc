/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.testkit.Cases;

/** Policies that come while a large message is on its way. */
final class LatePolicyIT extends OneBroker {
    private static final String LATE = "words that came after the policy; ";
    private static final int LOOKS = 20;
    private static final byte[] BODY = Producers.utf8("x".repeat(400_000) + LATE.repeat(25_000));

    @Test
    void policyForTheAddress_rejectsTheMessage_andTheRestIsNotWritten() throws Exception {
        TestBroker broker = start("orders");
        DiskWatch watch = closing(new DiskWatch(broker.disk(), LATE));
        assertThatThrownBy(() -> send(broker, "orders", interruptedBy(broker, policyFor("orders"))))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("a policy for its address came into force while it was sent");

        assertThat(watch.seen()).isEmpty();
        assertThat(broker.poll("orders")).isNull();
        assertThat(LargeBodies.openMessages(broker)).isZero();
    }

    /** The broker knows the address by other names, too. A policy names the address alone. */
    @ParameterizedTest
    @Cases({"queue://orders", "orders", "orders::orders"})
    void policyForTheAddressOfAnotherName_rejectsTheMessage_andTheRestIsNotWritten(String given) throws Exception {
        assertNoneOfTheRestIsWritten(
                given, policyFor("orders"), "a policy for its address came into force while it was sent");
    }

    @ParameterizedTest
    @Cases({"queue://orders", "orders", "orders::orders"})
    void addressesWithoutAPolicyThatAreRejectedNow_rejectTheMessage(String given) throws Exception {
        assertNoneOfTheRestIsWritten(
                given, PolicySet.of(2, UnmatchedAddress.REJECT, List.of()), "no policy covers the address");
    }

    /** Looks at the disk before the last part arrives: afterwards the broker deletes the file of a rejected message. */
    private void assertNoneOfTheRestIsWritten(String given, PolicySet later, String reason) throws Exception {
        List<String> written = new ArrayList<>();
        TestBroker broker = start("orders");
        InputStream policyComes = interruptedBy(broker, later);
        InputStream body = new InterruptedStream(policyComes, 100_000, () -> {
            for (int i = 0; i < LOOKS && written.isEmpty(); i++) {
                written.addAll(broker.disk().filesWith(LATE));
            }
        });

        assertThatThrownBy(() -> send(broker, given, body))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining(reason);

        assertThat(written).isEmpty();
        assertThat(broker.poll("orders")).isNull();
        assertThat(LargeBodies.openMessages(broker)).isZero();
    }

    @Test
    void policyForAnotherAddress_leavesTheMessageAlone() throws Exception {
        TestBroker broker = start("orders");
        send(broker, "orders", interruptedBy(broker, policyFor("another")));

        assertThat(broker.nextBody("orders")).isEqualTo(BODY);
        assertThat(LargeBodies.openMessages(broker)).isZero();
    }

    @BeforeEach
    void protectAnother() throws Exception {
        homes.policies(1, TestHomes.privacy("else"));
    }

    /** A body, within which these policies come. */
    private InputStream interruptedBy(TestBroker broker, PolicySet later) {
        return new InterruptedStream(BODY, () -> {
            homes.policies(later);
            await().until(() -> broker.state().policies().version() == 2);
        });
    }

    private static PolicySet policyFor(String address) {
        return PolicySet.of(2, UnmatchedAddress.PASS, List.of(TestHomes.privacy(address)));
    }

    private static void send(TestBroker broker, String address, InputStream body) throws Exception {
        Producers.jms(Producers.core(broker), address, session -> {
            BytesMessage message = session.createBytesMessage();
            message.setObjectProperty("JMS_AMQ_InputStream", body);
            return message;
        });
    }
}
