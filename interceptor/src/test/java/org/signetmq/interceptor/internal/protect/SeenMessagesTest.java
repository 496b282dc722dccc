/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.server.impl.RoutingContextImpl;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.apache.activemq.artemis.core.transaction.impl.TransactionImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.envelope.EnvelopeChain.SignedMessage;
import org.signetmq.interceptor.SignetPlugin;
import org.signetmq.interceptor.TestBroker;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/** The memory of signed messages when it is full, in the journal of a real broker. */
final class SeenMessagesTest {
    private static final int MOST = 3;
    private static final Duration WINDOW = Duration.ofHours(1);
    private static final String KNOWN = "took this message before";
    private static final String UNKNOWN = "can know only of messages signed after";

    private final Instant start = Instant.now().minusSeconds(600);

    @TempDir
    private Path folder;

    private TestBroker.Setup setup;
    private TestBroker broker;
    private SeenMessages seen;

    @BeforeEach
    void open() throws Exception {
        setup = new TestBroker.Setup(folder).own();
        setup.homes().policies(1);
        broker = setup.start();
        seen = memory();
    }

    private SeenMessages memory() {
        return new SeenMessages(broker.server(), () -> WINDOW, InstantSource.fixed(start), MOST);
    }

    @AfterEach
    void close() {
        broker.close();
    }

    private SignedMessage signed(int second) {
        return new SignedMessage(
                UUID.randomUUID().toString().replace("-", ""), OptionalLong.of(start.getEpochSecond() + second));
    }

    private Message arrive(SignedMessage signed, @Nullable Transaction transaction) throws Exception {
        Message message = new CoreMessage(1, 100);
        SeenMessages.note(message, signed, WINDOW);
        SeenMessages.sentIn(message, transaction);
        seen.admit(message, new RoutingContextImpl(transaction));
        return message;
    }

    private SignedMessage taken(int second) throws Exception {
        SignedMessage signed = signed(second);
        seen.sent(arrive(signed, null));
        return signed;
    }

    private void assertRejected(SignedMessage signed, String reason) {
        assertThatThrownBy(() -> arrive(signed, null))
                .isInstanceOfSatisfying(
                        MessageRejectedException.class,
                        rejected -> assertThat(rejected.reason()).isEqualTo(RejectionReason.REPLAYED))
                .hasMessageContaining(reason);
    }

    @Test
    void fullMemory_rejectsWhatItCannotKnow_alsoAfterARestart() throws Exception {
        SignedMessage first = taken(1);
        SignedMessage second = taken(2);
        SignedMessage sameSecond = taken(2);
        assertRejected(first, KNOWN);

        SignedMessage last = taken(3);

        await().untilAsserted(() -> assertRejected(first, UNKNOWN));
        assertRejected(signed(1), UNKNOWN);
        assertRejected(signed(0), UNKNOWN);
        assertRejected(second, KNOWN);
        assertRejected(sameSecond, KNOWN);
        broker.close();
        broker = setup.plugin(new SignetPlugin()).start();
        seen = memory();
        assertRejected(first, UNKNOWN);
        assertRejected(signed(1), UNKNOWN);
        assertRejected(second, KNOWN);
        assertRejected(last, KNOWN);
        SignedMessage further = taken(4);
        await().untilAsserted(() -> assertRejected(signed(2), UNKNOWN));
        assertRejected(last, KNOWN);
        assertRejected(further, KNOWN);
    }

    /** A message of the transaction was signed before the oldest known second when it ends. */
    @Test
    void openTransaction_takesNoPlace_andItsMessagesComeOnce() throws Exception {
        Transaction transaction = new TransactionImpl(broker.server().getStorageManager());
        SignedMessage[] inside = new SignedMessage[2 * MOST];
        for (int i = 0; i < inside.length; i++) {
            inside[i] = signed(1);
            arrive(inside[i], transaction);
        }
        SignedMessage other = taken(1);
        assertRejected(other, KNOWN);
        assertRejected(inside[0], KNOWN);

        transaction.commit();

        for (SignedMessage each : inside) {
            await().untilAsserted(() -> assertRejected(each, UNKNOWN));
        }
    }

    @Test
    void failedSend_isForgotten_andItsTransactionCanOnlyRollBack() throws Exception {
        SignedMessage alone = signed(1);
        seen.failed(arrive(alone, null));
        seen.sent(arrive(alone, null));
        Transaction transaction = new TransactionImpl(broker.server().getStorageManager());
        SignedMessage inside = signed(1);
        seen.failed(arrive(inside, transaction));
        assertThat(transaction.getState()).isEqualTo(Transaction.State.ROLLBACK_ONLY);

        transaction.rollback();

        seen.sent(arrive(inside, null));
    }

    @Test
    void messageSignedBeforeThePlugin_inARunningBroker_isRejected() {
        assertRejected(signed(0), UNKNOWN);
    }

    @Test
    void messageWithoutASigningTime_isRejected() {
        SignedMessage without = new SignedMessage("0123456789abcdef".repeat(2), OptionalLong.empty());

        assertThatThrownBy(() -> arrive(without, null))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("states no signing time");
    }
}
