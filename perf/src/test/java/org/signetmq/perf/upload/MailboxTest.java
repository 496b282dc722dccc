/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.perf.upload.Mailbox.Share;
import org.signetmq.perf.upload.Mailbox.Turn;
import org.signetmq.perf.upload.Uploads.Arrival;
import org.signetmq.testkit.EmbeddedBroker;
import org.signetmq.testkit.Tier;

@Tag(Tier.LONG)
final class MailboxTest {
    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    @SuppressWarnings("NullAway.Init") // before all tests
    private static EmbeddedBroker broker;

    private static final AtomicInteger QUEUES = new AtomicInteger();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final String queue = "mailbox." + QUEUES.getAndIncrement();
    private final List<Integer> sizes = new CopyOnWriteArrayList<>();
    private final List<Long> times = new CopyOnWriteArrayList<>();
    private final ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(broker.url());

    @SuppressWarnings("NullAway.Init") // set before each test
    private Connection connection;

    @BeforeAll
    static void start() throws Exception {
        broker = new EmbeddedBroker("").start();
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @BeforeEach
    void connect() throws JMSException {
        connection = factory.createConnection();
        connection.start();
    }

    @AfterEach
    void disconnect() throws JMSException {
        connection.close();
        factory.close();
        threads.shutdownNow();
    }

    @Test
    void stream_bringsAllFilesOfTheMix() throws Exception {
        FileMix mix = new FileMix(80);
        Share second = new Share(1, 4);

        upload(second, Arrival.STREAM, turns(30, FileMix.LARGEST));

        assertThat(sizes)
                .containsExactlyElementsOf(IntStream.range(0, 30)
                        .mapToObj(i -> mix.size(1 + 4L * i))
                        .toList());
        assertThat(times).hasSize(30).allMatch(micros -> micros > 0);
    }

    @Test
    void turnOfSmallFiles_shortensLargerOnes() throws Exception {
        upload(new Share(0, 1), Arrival.STREAM, turns(20, FileMix.SMALLEST));

        assertThat(sizes).hasSize(20).containsOnly(FileMix.SMALLEST);
    }

    @Test
    void bursts_beginAtTheirTimes() throws Exception {
        long start = System.nanoTime();

        upload(new Share(0, 50), Arrival.BURSTS, turns(3, FileMix.SMALLEST)); // a file of each burst is its share

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(2 * BURST_NANOS);
        assertThat(sizes).hasSize(3);
        assertThat(times).as("without the pauses").allMatch(micros -> micros < 2 * BURST_NANOS / 1_000);
    }

    @Test
    void nextBurst_isNeverInThePast() {
        assertThat(Mailbox.nextBurst(1_000, 500)).isEqualTo(1_000);
        assertThat(Mailbox.nextBurst(1_000, 1_000)).isEqualTo(1_000);
        assertThat(Mailbox.nextBurst(1_000, 1_001)).isEqualTo(1_000 + BURST_NANOS);
        assertThat(Mailbox.nextBurst(1_000, 1_000 + BURST_NANOS)).isEqualTo(1_000 + BURST_NANOS);
        assertThat(Mailbox.nextBurst(1_000, 1_001 + BURST_NANOS)).isEqualTo(1_000 + 2 * BURST_NANOS);
    }

    @Test
    void shares_areABurstTogether() {
        for (int mailboxes : List.of(1, 3, 8, 50)) {
            assertThat(IntStream.range(0, mailboxes)
                            .map(i -> new Share(i, mailboxes).files())
                            .sum())
                    .isEqualTo(50);
        }
    }

    @Test
    void fileThatIsNotWhatWasSent_failsTheReader() throws Exception {
        assertThatReading("7 3", "abc").hasMessage(queue + ": file 7 is not what was sent");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"seven", "7", "7 three"})
    void messageThatIsNoFile_failsTheReader(@Nullable String id) throws Exception {
        assertThatReading(id, "abc").hasMessage(queue + ": message is no file");
    }

    @Test
    void messageThatFailsItsCheck_failsTheReader() throws Exception {
        Mailbox mailbox = mailbox(new Share(0, 1), Arrival.STREAM);
        Future<Void> reader = threads.submit(mailbox.reader(session(), () -> false, message -> {
            throw new JMSException("clear");
        }));
        var unused = threads.submit(mailbox.uploader(session(), turns(1, FileMix.LARGEST), times::add));

        assertThatThrownBy(reader::get).isInstanceOf(ExecutionException.class).hasRootCauseMessage("clear");
    }

    @Test
    void connectionClosedTooEarly_failsTheReader() throws Exception {
        Future<Void> reader =
                threads.submit(mailbox(new Share(0, 1), Arrival.STREAM).reader(session(), () -> false, message -> {}));

        connection.close();

        assertThatThrownBy(reader::get)
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage(queue + ": the connection of its reader was closed");
    }

    @Test
    void connectionClosedBetweenTwoMessages_failsTheReader_withTheSameMessage() throws Exception {
        Callable<Void> reader = mailbox(new Share(0, 1), Arrival.STREAM).reader(session(), () -> false, message -> {});

        connection.close();

        assertThatThrownBy(reader::call).hasMessage(queue + ": the connection of its reader was closed");
    }

    private AbstractThrowableAssert<?, ? extends Throwable> assertThatReading(@Nullable String id, String content)
            throws Exception {
        Session session = session();
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(content.getBytes(StandardCharsets.UTF_8));
        message.setJMSCorrelationID(id);
        session.createProducer(session.createQueue(queue)).send(message);
        Callable<Void> reader = mailbox(new Share(0, 1), Arrival.STREAM).reader(session(), () -> true, checked -> {});
        return assertThatThrownBy(reader::call).isInstanceOf(JMSException.class);
    }

    private void upload(Share share, Arrival arrival, Mailbox.Turns turns) throws Exception {
        Mailbox mailbox = mailbox(share, arrival);
        CompletableFuture<Void> over = new CompletableFuture<>();
        Future<Void> reader = threads.submit(mailbox.reader(
                session(), over::isDone, message -> sizes.add(message.getBody(byte[].class).length)));
        threads.submit(mailbox.uploader(session(), turns, times::add)).get();
        over.complete(null);
        connection.close();
        reader.get();
    }

    private Mailbox mailbox(Share share, Arrival arrival) {
        return new Mailbox(queue, share, new Uploads(80, arrival));
    }

    private Session session() throws JMSException {
        return connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    }

    /** Returns this number of turns, which begin now. */
    private static Mailbox.Turns turns(int files, int largest) {
        long begin = System.nanoTime();
        List<Turn> turns = new ArrayList<>(Collections.nCopies(files, new Turn(begin, largest)));
        return () -> turns.isEmpty() ? null : turns.remove(0);
    }
}
