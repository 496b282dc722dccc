/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.TransactionRolledBackException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.client.internal.message.StreamedBytesMessage;
import org.signetmq.client.internal.provider.Wrapper;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.RecordingLogs;
import org.signetmq.testkit.Tier;

/** Messages of many segments: as streams where the provider has them, in memory elsewhere. */
final class LargeMessageIT extends BrokerTest {
    private static final int LARGE = 8_500_000; // more than what is opened whole
    private static final int BLOCK = 100_000;

    private static byte[] payload(int length) {
        byte[] payload = new byte[length];
        new SplittableRandom(length).nextBytes(payload);
        return payload;
    }

    private byte[] sealed(String address, byte[] payload) throws IOException {
        return keys.sealLarge(address, BodyKind.JMS_BYTES, payload);
    }

    private Taking.InSession consumer(String address, int mode) throws Exception {
        return Way.inSession(signet(Client.CORE), address, mode);
    }

    private static byte[] read(BytesMessage message) throws JMSException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] block = new byte[BLOCK];
        for (int count = message.readBytes(block); count >= 0; count = message.readBytes(block)) {
            all.write(block, 0, count);
        }
        return all.toByteArray();
    }

    @ParameterizedTest
    @Cases({"privacy", "integrity", "confidential"})
    void bytes_areReadAsAStreamAndAcknowledgedAtTheEnd(String quality) throws Exception {
        String address = address(quality);
        byte[] payload = payload(LARGE);
        send(address, sealed(address, payload));
        try (Taking.InSession taking = consumer(address, Session.AUTO_ACKNOWLEDGE)) {
            BytesMessage message = (BytesMessage) taking.take();
            int first = message.readInt();
            byte[] rest = read(message);

            assertThat(Wrapper.behind(message, StreamedBytesMessage.class)).isNotNull();
            assertThat(first).isEqualTo(ByteBuffer.wrap(payload).getInt());
            assertThat(rest).isEqualTo(Arrays.copyOfRange(payload, 4, LARGE));
            assertThatThrownBy(message::readByte).isInstanceOf(MessageEOFException.class);
            assertThatThrownBy(() -> message.writeByte((byte) 1)).isInstanceOf(MessageNotWriteableException.class);
            assertThat(message.getStringProperty("region")).isEqualTo("eu");
            assertThat(message.getStringProperty(SignetConnectionFactory.SENDER_PROPERTY))
                    .isEqualTo(quality.equals("confidential") ? null : Keys.SENDER);
            awaitMessages(address, 0);
        }
    }

    @Tag(Tier.LONG)
    @Test
    void wholeBody_isThereForWhoAsksForIt() throws Exception {
        String address = address("privacy");
        byte[] payload = payload(LARGE);
        send(address, sealed(address, payload), keys.sealLarge(address, BodyKind.BYTES, payload));
        try (Taking.InSession taking = consumer(address, Session.AUTO_ACKNOWLEDGE)) {
            BytesMessage first = (BytesMessage) taking.take();
            byte[] read = new byte[(int) first.getBodyLength()];
            int count = first.readBytes(read);
            first.reset();
            byte again = first.readByte();
            Message second = taking.take();

            assertThat(count).isEqualTo(LARGE);
            assertThat(read).isEqualTo(payload);
            assertThat(again).isEqualTo(payload[0]);
            assertThat(second.isBodyAssignableTo(byte[].class)).isTrue();
            assertThat(second.isBodyAssignableTo(String.class)).isFalse();
            assertThat(second.getBody(byte[].class)).isEqualTo(payload);
            awaitMessages(address, 0);
        }
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @ValueSource(strings = {"JMS_AMQ_SaveStream", "JMS_AMQ_OutputStream"})
    void savedToAStream_getsVerifiedClearBytes(String property) throws Exception {
        String address = address("privacy");
        byte[] payload = payload(LARGE);
        send(
                address,
                sealed(address, payload),
                keys.seal(address, BodyKind.JMS_BYTES, new byte[] {1, 2, 3}, java.util.Map.of()));
        try (Taking.InSession taking = consumer(address, Session.AUTO_ACKNOWLEDGE)) {
            ByteArrayOutputStream large = new ByteArrayOutputStream();
            ByteArrayOutputStream small = new ByteArrayOutputStream();

            taking.take().setObjectProperty(property, large);
            taking.take().setObjectProperty(property, small);

            assertThat(large.toByteArray()).isEqualTo(payload);
            assertThat(small.toByteArray()).containsExactly(1, 2, 3);
        }
    }

    @Test
    void restNotRead_isVerifiedBeforeTheNextMessage_andCanBeReadThen() throws Exception {
        String address = address("privacy");
        byte[] payload = payload(LARGE);
        send(address, sealed(address, payload), keys.sealText(address, "next"));
        try (Taking.InSession taking = consumer(address, Session.AUTO_ACKNOWLEDGE)) {
            BytesMessage large = (BytesMessage) taking.take();
            large.readLong();
            long beforeTheEnd = broker.messages(address);
            TextMessage next = (TextMessage) taking.take();

            assertThat(beforeTheEnd).isEqualTo(2);
            assertThat(next.getText()).isEqualTo("next");
            assertThat(large.readLong())
                    .isEqualTo(ByteBuffer.wrap(payload, 8, 8).getLong());
            awaitMessages(address, 0);
        }
    }

    @Test
    void bytesReadInPartOrWhole_areReadAgain_asThoseOfThePlainClient() throws Exception {
        String address = address("integrity");
        String plain = address("open");
        byte[] payload = payload(LARGE);
        byte[] sealed = sealed(address, payload);
        send(plain, payload, payload);
        send(address, sealed, sealed);

        List<Object> seen = readAgain(signet(Client.CORE), address);

        assertThat(seen).isEqualTo(readAgain(broker.core(), plain));
        assertThat(seen).startsWith(ByteBuffer.wrap(payload).getInt(), (long) LARGE);
        awaitMessages(address, 0);
    }

    /** Reads two messages in many orders. */
    private static List<Object> readAgain(ConnectionFactory factory, String address) throws JMSException {
        List<Object> seen = new ArrayList<>();
        try (Connection connection = factory.createConnection()) {
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createQueue(address));
            connection.start();
            BytesMessage first = (BytesMessage) consumer.receive(Taking.PATIENCE);
            seen.addAll(List.of(first.readInt(), first.getBodyLength(), first.readInt()));
            first.reset();
            seen.addAll(List.of(first.readLong(), Arrays.hashCode(read(first)), first.getBodyLength()));
            first.reset();
            seen.addAll(List.of(Arrays.hashCode(read(first)), Arrays.hashCode(first.getBody(byte[].class))));

            BytesMessage second = (BytesMessage) consumer.receive(Taking.PATIENCE);
            seen.addAll(List.of(second.getBodyLength(), second.readInt()));
            seen.add(String.valueOf(consumer.receiveNoWait()));
            seen.add(second.readInt());
            second.reset();
            seen.addAll(List.of(second.readInt(), second.getBodyLength(), Arrays.hashCode(read(second))));
        }
        return seen;
    }

    @Test
    void keptBody_isDroppedWithItsConsumerOrItsSession() throws Exception {
        String address = address("integrity");
        byte[] body = sealed(address, payload(LARGE));
        send(address, body, body);
        Set<String> before = keptBodies(Set.of());
        try (Connection connection = signet(Client.CORE).createConnection()) {
            connection.start();
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createQueue(address));
            assertThat(((BytesMessage) consumer.receive(Taking.PATIENCE)).getBodyLength())
                    .isEqualTo(LARGE);
            assertThat(keptBodies(before)).hasSize(1);
            consumer.close();
            assertThat(keptBodies(before)).isEmpty();

            MessageConsumer second = session.createConsumer(session.createQueue(address));
            assertThat(((BytesMessage) second.receive(Taking.PATIENCE)).getBodyLength())
                    .isEqualTo(LARGE);
            session.close();
            assertThat(keptBodies(before)).isEmpty();
        }
    }

    /** The files without a name in which this process keeps bodies, but for earlier ones. Each once had a name. */
    private static Set<String> keptBodies(Set<String> earlier) throws IOException {
        Set<String> kept = new HashSet<>();
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            for (Path file : files.toList()) {
                try {
                    kept.add(Files.readSymbolicLink(file).toString());
                } catch (NoSuchFileException closed) {
                    // by another thread
                }
            }
        }
        kept.removeIf(file -> !file.matches(".*/signet\\d+\\.tmp \\(deleted\\)"));
        kept.removeAll(earlier);
        return kept;
    }

    @Test
    void damagedBytesReadAgain_neverReachTheirEnd() throws Exception {
        String address = address("integrity");
        send(address, damaged(address));
        try (Taking.InSession taking = consumer(address, Session.AUTO_ACKNOWLEDGE)) {
            BytesMessage message = (BytesMessage) taking.take();
            message.readInt();
            message.reset();
            message.readInt();

            assertThatThrownBy(message::getBodyLength).isInstanceOf(MessageOpenException.class);
            assertThatThrownBy(message::reset).isInstanceOf(MessageOpenException.class);
            assertThatThrownBy(message::readByte).isInstanceOf(MessageOpenException.class);
        }
        assertThat(broker.messages(address)).isEqualTo(1);
    }

    /** Ways to damage a large message behind its first segments. */
    private enum Damage {
        LAST_CHANGED,
        LAST_MISSING,
        ONE_MISSING,
        ONE_TWICE;

        byte[] of(byte[] sealed, int segment) {
            return switch (this) {
                case LAST_CHANGED -> {
                    byte[] changed = sealed.clone();
                    changed[sealed.length - 50] ^= 1;
                    yield changed;
                }
                case LAST_MISSING -> Arrays.copyOf(sealed, sealed.length / segment * segment);
                case ONE_MISSING -> spliced(sealed, 7 * segment, 8 * segment);
                case ONE_TWICE -> spliced(sealed, 8 * segment, 7 * segment);
            };
        }

        /** The part before one place, and the part behind another. */
        private static byte[] spliced(byte[] sealed, int end, int begin) {
            byte[] spliced = Arrays.copyOf(sealed, end + sealed.length - begin);
            System.arraycopy(sealed, begin, spliced, end, sealed.length - begin);
            return spliced;
        }
    }

    static Stream<Damage> damages() {
        return Tier.cases(1, Damage.LAST_MISSING, Damage.LAST_CHANGED, Damage.ONE_MISSING, Damage.ONE_TWICE);
    }

    @ParameterizedTest
    @MethodSource("damages")
    void laterSegmentWrong_readingFailsThereAndTheMessageEndsAmongTheDeadLetters(Damage damage) throws Exception {
        String address = address("confidential");
        byte[] payload = payload(LARGE + (1 << 20)); // large without a segment, too
        byte[] sealed = sealed(address, payload);
        send(address, damage.of(sealed, Keys.firstSegment(sealed)));
        try (Taking.InSession taking = consumer(address, Session.AUTO_ACKNOWLEDGE)) {
            for (int attempt = 0; attempt < TestBroker.ATTEMPTS; attempt++) {
                BytesMessage message = (BytesMessage) taking.take();
                byte[] begin = new byte[1 << 20];
                message.readBytes(begin);

                assertThat(begin).isEqualTo(Arrays.copyOf(payload, begin.length));
                assertThatThrownBy(() -> read(message)).isInstanceOf(MessageOpenException.class);
                assertThatThrownBy(message::readByte).as("the failure stays").isInstanceOf(MessageOpenException.class);
            }
            awaitMessages(address, 0);
            awaitMessages(TestBroker.DEAD_LETTERS, 1);
        }
    }

    private byte[] damaged(String address) throws Exception {
        return Damage.LAST_CHANGED.of(sealed(address, payload(LARGE)), 1);
    }

    @Tag(Tier.LONG)
    @Test
    void laterSegmentWrong_transactionCannotBeCommitted() throws Exception {
        String address = address("privacy");
        send(address, damaged(address));
        try (Taking.InSession taking = consumer(address, Session.SESSION_TRANSACTED)) {
            BytesMessage unread = (BytesMessage) taking.take();
            assertThatThrownBy(taking.session::commit).isInstanceOf(TransactionRolledBackException.class);

            BytesMessage read = (BytesMessage) taking.take();
            assertThatThrownBy(() -> read(read)).isInstanceOf(MessageOpenException.class);
            assertThatThrownBy(taking.session::commit).isInstanceOf(TransactionRolledBackException.class);
            assertThatThrownBy(unread::readByte).isInstanceOf(JMSException.class);
        }
        assertThat(broker.messages(address)).isEqualTo(1);
    }

    @Tag(Tier.LONG)
    @Test
    void laterSegmentWrong_cannotBeAcknowledged() throws Exception {
        String address = address("privacy");
        send(address, damaged(address));
        try (Taking.InSession taking = consumer(address, Session.CLIENT_ACKNOWLEDGE)) {
            Message message = taking.take();

            assertThatThrownBy(message::acknowledge).isInstanceOf(MessageOpenException.class);
        }
        assertThat(broker.messages(address)).isEqualTo(1);
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void listener_damagedMessageIsLoggedAndDeliveredAgain(boolean reads) throws Exception {
        String address = address("privacy");
        send(address, damaged(address));
        BlockingQueue<JMSException> told = new LinkedBlockingQueue<>();
        BlockingQueue<JMSException> read = new LinkedBlockingQueue<>();
        try (var connection = signet(Client.CORE).createConnection()) {
            connection.setExceptionListener(told::add);
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            session.createConsumer(session.createQueue(address)).setMessageListener(message -> {
                if (reads) {
                    readAll((BytesMessage) message, read);
                }
            });
            connection.start();

            awaitMessages(TestBroker.DEAD_LETTERS, 1);
        }
        awaitMessages(address, 0);
        assertThat(read)
                .hasSize(reads ? TestBroker.ATTEMPTS : 0)
                .allSatisfy(e -> assertThat(e).isInstanceOf(MessageOpenException.class));
        assertThat(told).isEmpty();
        assertThat(RecordingLogs.troubleOf(address)).hasSize(TestBroker.ATTEMPTS);
    }

    private static void readAll(BytesMessage message, BlockingQueue<JMSException> told) {
        try {
            read(message);
        } catch (JMSException e) {
            told.add(e);
        }
    }

    @Tag(Tier.LONG)
    @Test
    void listener_soundMessageIsAcknowledgedHoweverMuchWasRead() throws Exception {
        String address = address("privacy");
        for (int i = 0; i < 3; i++) {
            send(address, sealed(address, payload(LARGE)));
        }
        BlockingQueue<Object> got = new LinkedBlockingQueue<>();
        try (var connection = signet(Client.CORE).createConnection()) {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            session.createConsumer(session.createQueue(address)).setMessageListener(got::add);
            connection.start();

            awaitMessages(address, 0);
        }
        assertThat(got).hasSize(3);
    }

    @ParameterizedTest
    @Cases({"AMQP, 3000000", "CORE, 9000000", "CORE, 3000000"})
    void texts_arePutTogether(Client client, int length) throws Exception {
        String address = address("privacy");
        String text = "\u00fc".repeat(length / 2);
        send(address, keys.sealLarge(address, BodyKind.JMS_TEXT, text.getBytes(StandardCharsets.UTF_8)));
        try (Taking taking = Way.CONTEXT.open(signet(client), address)) {
            assertThat(((TextMessage) taking.take()).getText()).isEqualTo(text);
        }
        awaitMessages(address, 0);
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @CsvSource({"CORE, 3000000", "AMQP, 3000000", "AMQP, 9500000"})
    void bytesInMemory_areVerifiedWholeBeforeTheApplicationSeesThem(Client client, int length) throws Exception {
        String address = address("privacy");
        byte[] payload = payload(length);
        byte[] sealed = sealed(address, payload);
        send(address, sealed, Damage.LAST_CHANGED.of(sealed, 1));
        try (Taking taking = Way.RECEIVE_TIMEOUT.open(throwing(client), address)) {
            assertThat(taking.take().getBody(byte[].class)).isEqualTo(payload);
            assertThatThrownBy(taking::take).isInstanceOf(MessageOpenException.class);
        }
    }

    @Tag(Tier.LONG)
    @Test
    void browser_readsAllOfIt() throws Exception {
        String address = address("privacy");
        byte[] payload = payload(LARGE);
        send(address, sealed(address, payload));
        try (var context = signet(Client.CORE).createContext();
                var browser = context.createBrowser(context.createQueue(address))) {
            @Nullable Message message = (Message) browser.getEnumeration().nextElement();

            assertThat(message.getBody(byte[].class)).isEqualTo(payload);
        }
        assertThat(broker.messages(address)).isEqualTo(1);
    }

    @Tag(Tier.LONG)
    @Test
    void browser_showsItAsAStream_andTheNextAfterIt() throws Exception {
        String address = address("privacy");
        byte[] payload = payload(LARGE);
        send(address, sealed(address, payload), damaged(address), keys.sealText(address, "last"));
        try (var context = signet(Client.CORE).createContext();
                var browser = context.createBrowser(context.createQueue(address))) {
            var messages = browser.getEnumeration();
            BytesMessage sound = (BytesMessage) messages.nextElement();
            assertThat(Wrapper.behind(sound, StreamedBytesMessage.class)).isNotNull();
            assertThat(read(sound)).isEqualTo(payload);
            BytesMessage damaged = (BytesMessage) messages.nextElement();
            assertThat(damaged.readByte()).isEqualTo(payload[0]);
            assertThatThrownBy(() -> read(damaged)).isInstanceOf(MessageOpenException.class);
            assertThat(messages.hasMoreElements()).isTrue();
            assertThat(((TextMessage) messages.nextElement()).getText()).isEqualTo("last");
            assertThat(messages.hasMoreElements()).isFalse();
        }
        assertThat(broker.messages(address)).isEqualTo(3);
    }

    @Tag(Tier.LONG)
    @Test
    void browser_restNotRead_isVerifiedBeforeTheNextMessageAndThenGone() throws Exception {
        String address = address("privacy");
        send(address, sealed(address, payload(LARGE)), damaged(address));
        RecordingLogs.forget();
        try (var context = signet(Client.CORE).createContext()) {
            try (var browser = context.createBrowser(context.createQueue(address))) {
                var messages = browser.getEnumeration();
                BytesMessage first = (BytesMessage) messages.nextElement();
                first.readLong();
                messages.nextElement();
                assertThatThrownBy(first::readLong)
                        .as("not an end that is none")
                        .isInstanceOf(jakarta.jms.IllegalStateException.class);
                assertThat(RecordingLogs.troubleWith("browser")).isEmpty();
                assertThat(messages.hasMoreElements()).isFalse();
                assertThat(RecordingLogs.troubleWith("browser"))
                        .singleElement()
                        .asString()
                        .contains("cannot be opened");
            }
        }
    }

    @Test
    void inClearWhereThatIsTolerated_isThatOfTheProvider() throws Exception {
        String address = address("tolerant");
        byte[] payload = payload(LARGE);
        payload[0] = 'x';
        send(address, payload);
        try (Taking taking = Way.RECEIVE_TIMEOUT.open(signet(Client.CORE), address)) {
            Message message = taking.take();

            assertThat(message.getStringProperty(SignetConnectionFactory.QUALITY_PROPERTY))
                    .isEqualTo("none");
            assertThat(message.getBody(byte[].class)).isEqualTo(payload);
        }
    }

    @Tag(Tier.LONG)
    @Test
    void forwarded_carriesTheWholeBody() throws Exception {
        String address = address("privacy");
        String target = address("open");
        byte[] payload = payload(LARGE);
        send(address, sealed(address, payload));
        try (Taking.InSession taking = consumer(address, Session.AUTO_ACKNOWLEDGE)) {
            Message message = taking.take();
            taking.session.createProducer(taking.session.createQueue(target)).send(message);
        }
        try (Producer plain = new Producer(broker.factory(Client.CORE))) {
            assertThat((byte[]) plain.take(target, 1).get(0)).isEqualTo(payload);
        }
    }
}
