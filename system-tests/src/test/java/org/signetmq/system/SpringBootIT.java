/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.system.SpringApplication.Event;
import org.signetmq.testkit.BrokerInstance;
import org.signetmq.testkit.Distribution;
import org.signetmq.testkit.Run;
import org.signetmq.testkit.Tier;

/**
 * An application of Spring Boot, with a published broker that seals the messages of plain producers and of the
 * application.
 */
@Tag(Tier.LONG)
final class SpringBootIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int USUAL_PATIENCE_MILLIS = 10_000;
    private static final int SHORT_PATIENCE_MILLIS = 2000;
    private static final long USUAL_GAP_MILLIS = 1000;

    /**
     * A container whose setup failed would pause for 5 s before its next attempt. The first message that cannot be
     * opened finds cold code: on a loaded machine it takes longer than the others.
     */
    private static final long LONGEST_GAP_MILLIS = 4500;

    /**
     * Ten messages at the head of a queue, ten attempts each. A container whose setup failed would pause for 5 s before
     * the next one; that it never does, the log proves. This limit lets a loaded machine be slow, and allows no two
     * pauses.
     */
    private static final long LONGEST_GAP_OF_GOOD_ONES_MILLIS = 9000;

    private static final int POISON = 10;
    private static final int PAUSE_MILLIS = 20;
    private static final String DEAD_LETTERS = "DLQ";

    @TempDir
    static Path folder;

    private static Signet signet;
    private static BrokerInstance broker;
    private static PlainClient client;
    private static SpringApplication application;

    @BeforeAll
    static void start() throws Exception {
        Awaitility.setDefaultTimeout(PATIENCE);
        signet = Signet.withHomes(folder, "orders.#", "privacy");
        policy(
                "set",
                "orders.#",
                "--quality",
                "privacy",
                "--recipient",
                Signet.CONSUMER,
                "--vouching-broker",
                "broker",
                "--where",
                "broker",
                "--on-failure",
                "reject");
        policy("set", "parked", "--quality", "privacy", "--recipient", Signet.CONSUMER, "--vouching-broker", "broker");
        signet.handPolicies();
        broker = BrokerInstance.create(Distribution.ARTEMIS_2_56, folder.resolve("broker"));
        signet.install(broker).ok();
        broker.start();
        client = new PlainClient(broker);
        application = SpringApplication.start(folder, signet, broker);
        await().until(() -> {
            assertThat(application.isAlive()).as(application.log()).isTrue();
            return !application.events("started").isEmpty();
        });
    }

    @AfterAll
    static void stop() throws Exception {
        try {
            assertThat(application.stop()).isZero();
        } finally {
            application.close();
            client.close();
            broker.close();
        }
    }

    /** Changes the broker's policies, and waits until the broker has them. */
    private static void change(String... arguments) throws Exception {
        policy(arguments);
        long version = json(signet.in("broker-home", "policy", "list", "--json"))
                .path("version")
                .asLong();
        await().until(() ->
                json(signet.in("broker-home", "broker", "status", broker.url(), "--user", "admin", "--json"))
                                .at("/policies/version")
                                .asLong()
                        == version);
    }

    private static void policy(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("policy"));
        command.addAll(List.of(arguments));
        signet.in("broker-home", command.toArray(String[]::new)).ok();
    }

    private static JsonNode json(Run run) throws IOException {
        return new ObjectMapper().readTree(run.ok().out());
    }

    /** The value of the next event of the application after this command. */
    private static Event answer(String command) throws Exception {
        List<String> answers =
                List.of("reply", "no-reply", "ask-failed", "ask-acknowledged-failed", "ask-with-queue-failed");
        int before = application.events().size();
        application.command(command);
        await().until(() ->
                application.events().stream().skip(before).anyMatch(event -> answers.contains(event.what())));
        return application.events().stream()
                .skip(before)
                .filter(event -> answers.contains(event.what()))
                .findFirst()
                .orElseThrow();
    }

    /** As {@link #answer}, where no reply is expected: the application waits for it for a short time only. */
    private static Event impatientAnswer(String command) throws Exception {
        application.command("patience " + SHORT_PATIENCE_MILLIS);
        try {
            return answer(command);
        } finally {
            application.command("patience " + USUAL_PATIENCE_MILLIS);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "simple"})
    void container_receivesWhatAPlainProducerSent(String container) throws Exception {
        client.send("orders." + container, "apples for " + container);

        await().until(() -> application.events(container).stream()
                .anyMatch(event -> event.text().equals("apples for " + container)
                        && event.quality().equals("privacy")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "simple"})
    void container_givenTenMessagesThatCannotBeOpened_receivesGoodOnesMeanwhile(String container) throws Exception {
        String queue = "orders." + container;
        IntStream.range(0, POISON).forEach(i -> client.send("parked", "poison " + i));
        long before = client.count(DEAD_LETTERS);
        int logged = application.log().length();
        List<Long> deaths = new ArrayList<>();

        try (GoodOnes producer = GoodOnes.to(queue)) {
            await().until(() -> !good(container).isEmpty());
            deaths.add(System.currentTimeMillis());
            assertThat(client.move("parked", queue)).isEqualTo(POISON);
            await().pollInterval(Duration.ofMillis(PAUSE_MILLIS)).until(() -> {
                for (long dead = client.count(DEAD_LETTERS) - before; deaths.size() <= dead; ) {
                    deaths.add(System.currentTimeMillis());
                }
                return deaths.size() > POISON;
            });
            long last = deaths.get(POISON);
            await().until(() -> good(container).stream().anyMatch(millis -> millis > last));
            producer.requireNoFailure();
        }

        List<Long> good = good(container);
        assertThat(gaps(deaths)).hasSize(POISON).allMatch(gap -> gap < LONGEST_GAP_MILLIS);
        assertThat(gaps(deaths).stream().sorted().toList().get(POISON / 2)).isLessThan(USUAL_GAP_MILLIS);
        assertThat(good)
                .anyMatch(millis -> millis > deaths.get(POISON) && millis < deaths.get(POISON) + LONGEST_GAP_MILLIS);
        assertThat(gaps(good)).allMatch(gap -> gap < LONGEST_GAP_OF_GOOD_ONES_MILLIS);
        assertThat(application.events(container))
                .noneMatch(event -> event.text().startsWith("poison"));
        assertThat(application.log().substring(logged))
                .contains("ADDRESS_MISMATCH")
                .doesNotContain("Setup of JMS message listener invoker failed")
                .doesNotContain("resetting the underlying JMS Connection");
        await().until(() -> client.count(queue) == 0);
    }

    /** Sends a good message, and after each one waits for a while, until it is closed. */
    private record GoodOnes(PlainClient sender, ScheduledExecutorService clock, Future<?> sending)
            implements AutoCloseable {
        static GoodOnes to(String queue) {
            PlainClient sender = new PlainClient(broker);
            ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
            AtomicInteger number = new AtomicInteger();
            return new GoodOnes(
                    sender,
                    clock,
                    clock.scheduleWithFixedDelay(
                            () -> sender.send(queue, "good " + number.incrementAndGet()),
                            0,
                            PAUSE_MILLIS,
                            TimeUnit.MILLISECONDS));
        }

        void requireNoFailure() {
            assertThat(sending).isNotDone();
        }

        @Override
        public void close() {
            clock.shutdown();
            await().until(clock::isTerminated);
            sender.close();
        }
    }

    private static List<Long> good(String container) throws IOException {
        return application.events(container).stream()
                .filter(event -> event.text().startsWith("good "))
                .map(Event::millis)
                .toList();
    }

    private static List<Long> gaps(List<Long> times) {
        return IntStream.range(1, times.size())
                .mapToObj(i -> times.get(i) - times.get(i - 1))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"orders.transacted, transacted-default", "orders.transacted.simple, transacted-simple"})
    void listenerInATransaction_thatFailsOnce_getsTheMessageAgain_andSendsOnce(String queue, String container)
            throws Exception {
        long before = client.count("orders.done");

        client.send(queue, "apples");

        await().until(() -> application.events(container + "-2").size() == 1 && client.count(queue) == 0);
        assertThat(application.events(container + "-1")).hasSize(1);
        assertThat(application.events(container + "-2").get(0).quality()).isEqualTo("privacy");
        assertThat(client.count("orders.done") - before).isEqualTo(1);
    }

    @Test
    void templateInATransaction_sendsAllOrNothing() throws Exception {
        application.command("rollback apples");
        application.command("commit pears");

        await().until(() -> application.events("committed").size() == 1);
        assertThat(application.events("rolled-back")).hasSize(1);
        assertThat(client.count("orders.sent")).isEqualTo(2);
    }

    @Test
    void requests_getRepliesOnTemporaryQueues_asThePoliciesSayOfThese() throws Exception {
        Event clear = answer("ask in clear");
        assertThat(clear.text()).isEqualTo("answer to in clear");
        assertThat(clear.quality()).as("no policy covers the reply").isEqualTo("null");
        assertThat(application.events("request"))
                .allMatch(event -> event.quality().equals("privacy"));

        change("set", "#", "--quality", "privacy", "--recipient", Signet.CONSUMER, "--vouching-broker", "broker");
        signet.handPolicies();
        Event sealed = answer("ask sealed");
        assertThat(sealed.text()).isEqualTo("answer to sealed");
        assertThat(sealed.quality()).as("the policy for # covers the reply").isEqualTo("privacy");

        change("remove", "#");
        signet.handPolicies();
        await().until(() -> answer("ask again").quality().equals("null"));
    }

    @Test
    void temporaryQueues_whereUnmatchedAddressesAreRejected_getNoReplies() throws Exception {
        change("unmatched", "reject");
        assertThat(impatientAnswer("ask-acknowledged rejected").what())
                .as("the broker rejects the reply")
                .isEqualTo("no-reply");
        assertThat(application.log()).contains("no policy covers the address");
        Event named = answer("ask-with-queue on a queue");
        assertThat(named.text()).isEqualTo("answer to on a queue");
        assertThat(named.quality()).isEqualTo("privacy");

        int logged = application.log().length();
        assertThat(impatientAnswer("ask in a transaction").what()).isIn("no-reply", "ask-failed");
        await().until(() -> application
                .log()
                .substring(logged)
                .contains("Setup of JMS message listener invoker failed for destination 'orders.requests'"));

        change("unmatched", "pass");
        client.purge("orders.requests");
        await().until(() -> answer("ask once more").text().equals("answer to once more"));
        await().until(() -> client.count("orders.requests") == 0);
        signet.in("consumer-home", "policy", "unmatched", "reject").ok();
        await().until(() -> impatientAnswer("ask-acknowledged unheard").what().equals("no-reply"));
        assertThat(application.log())
                .as("the responder does not send the reply")
                .contains("no policy is for it, and the policies reject such messages");
        signet.in("consumer-home", "policy", "unmatched", "pass").ok();
        await().until(() -> answer("ask-acknowledged at last").what().equals("reply"));
    }
}
