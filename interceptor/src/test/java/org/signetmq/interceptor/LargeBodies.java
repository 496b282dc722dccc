/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.awaitility.Awaitility;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.interceptor.internal.large.SealingStorage;
import org.signetmq.interceptor.internal.storage.BrokerField;
import org.signetmq.interceptor.internal.storage.StorageGate;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.testkit.Tier;

/** Bodies, and policies for the address {@code orders}, of tests of large messages. */
final class LargeBodies {
    static final String MARK = "a large message's secret words";
    /** More than the broker keeps of one message in memory. */
    static final int LENGTH = Tier.isLong() ? 3_000_000 : 1_200_000;

    static final String TEXT = text(LENGTH);

    private LargeBodies() {}

    /** A number of ASCII characters; each part differs from the others. */
    static String text(int length) {
        StringBuilder text = new StringBuilder(length + 64);
        for (int i = 0; text.length() < length; i++) {
            text.append(MARK).append(", time ").append(i).append("; ");
        }
        text.setLength(length);
        return text.toString();
    }

    static PolicySet policies(QualityOfProtection quality) {
        return PolicySet.of(1, UnmatchedAddress.PASS, List.of(EveryProtocolIT.policy("orders", quality)));
    }

    /** The policy, which wants messages to arrive sealed. */
    static Policy sealedByClients(Policy policy) {
        Policy.Acceptance acceptance = policy.acceptance();
        return new Policy(
                policy.pattern(),
                policy.quality(),
                policy.signing(),
                policy.encryption(),
                new Policy.Acceptance(acceptance.toleration(), SealingPlace.CLIENT));
    }

    /** A text as a client seals it. */
    static byte[] sealed(TestHomes homes, PolicySet policies, String text) throws IOException {
        ClearMessage head = ClearMessage.of("orders", ClearMessage.Body.TEXT, new byte[0]);
        return homes.sealed(head, Producers.utf8(text), policies, homes.brokerIdentity());
    }

    /** How many large messages are on their way into their files. */
    static int openMessages(TestBroker broker) throws Exception {
        return storage(broker).map(SealingStorage::openMessages).orElse(0);
    }

    /** How many bytes of memory large messages take that wait for their judgement. */
    static long heldBytes(TestBroker broker) throws Exception {
        return storage(broker).map(SealingStorage::heldBytes).orElse(0L);
    }

    /** Waits until no large message is on its way, and none is in a file. A bridge may send it again in between. */
    static void awaitNothingLeft(TestBroker broker) {
        Awaitility.await()
                .pollInterval(10, TimeUnit.MILLISECONDS)
                .ignoreExceptions() // a file may go while it is looked at
                .untilAsserted(() -> {
                    assertThat(openMessages(broker)).isZero();
                    assertThat(broker.disk().largeFiles()).isEmpty();
                });
    }

    private static Optional<SealingStorage> storage(TestBroker broker) throws Exception {
        StorageManager seen =
                BrokerField.of(broker.server(), StorageManager.class).get();
        return StorageGate.of(seen) instanceof SealingStorage storage ? Optional.of(storage) : Optional.empty();
    }
}
