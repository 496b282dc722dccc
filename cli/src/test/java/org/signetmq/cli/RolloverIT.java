/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.cli.RolloverHomes.ALICE;
import static org.signetmq.cli.RolloverHomes.BROKER;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.testkit.Tier;

/**
 * The keys of broker and consumer and their root are replaced while messages flow over three protocols. Each has a home
 * of its own. The run reports the longest pauses, which depend on the machine, in {@code target/rollover.txt}; the goal
 * is one second. The whole form: {@code -Dsignet.rollover=10000}.
 */
final class RolloverIT {
    /** The figures of the last run. */
    private static final Path FIGURES = Path.of("target", "rollover.txt");

    /** How many messages lie in queues before the first renewal. */
    private static final int QUEUED = Integer.getInteger("signet.rollover", Tier.rounds(600));

    private static final int LANES = 3;

    /** The least messages of each protocol after each change. */
    private static final int AFTER_EACH = Math.max(5, QUEUED / 12);

    /** The time between two messages of a producer. The short form saves processor time. */
    private static final Duration PACE = Duration.ofMillis(QUEUED < 10_000 ? 20 : 10);

    private static final Duration PATIENCE = Duration.ofSeconds(300 + QUEUED / 50);

    @TempDir
    private Path folder;

    private final Queue<Throwable> lost = new ConcurrentLinkedQueue<>();
    private final Map<String, RolloverFlow> flows = new LinkedHashMap<>();
    private final List<RolloverFlow> figures = new ArrayList<>();

    @Tag(Tier.LONG)
    @Test
    @Timeout(1800)
    void keysAndRootReplacedUnderLoad_noMessageFails() throws Exception {
        RolloverHomes homes = RolloverHomes.create(folder);
        Home home = homes.home(ALICE);
        try (GuardedBroker broker = GuardedBroker.protecting(folder, homes.home(BROKER));
                ActiveMQConnectionFactory artemis = new ActiveMQConnectionFactory(broker.url());
                RolloverJms core = new RolloverJms("core", broker, artemis, home.root(), lost);
                RolloverJms amqp = new RolloverJms(
                        "amqp",
                        broker,
                        new JmsConnectionFactory("amqp://127.0.0.1:" + broker.port()),
                        home.root(),
                        lost);
                RolloverMqtt mqtt = new RolloverMqtt(
                        broker, home, PolicyFile.read(home.policies(), PartyValidator.acceptAll()), lost)) {
            Map<RolloverLane, Integer> lanes = new LinkedHashMap<>();
            for (RolloverLane lane : List.of(core, amqp, mqtt)) {
                int left = QUEUED
                        - lanes.values().stream().mapToInt(Integer::intValue).sum();
                lanes.put(lane, left / (LANES - lanes.size())); // together exactly the number that was asked for
            }
            for (Map.Entry<RolloverLane, Integer> lane : lanes.entrySet()) {
                queue(lane.getKey(), lane.getValue());
                flow(lane.getKey());
            }
            X509Certificate firstRoot = homes.roots(ALICE).get(0);

            homes.renewRecipient("ec-p256"); // RSA before
            awaitCurrentKeys(mqtt, homes);
            homes.renewSigner("ec-p384");
            awaitCurrentKeys(mqtt, homes);
            homes.renewRoot();
            awaitMore();
            homes.renewRecipient();
            awaitCurrentKeys(mqtt, homes);
            homes.renewSigner();
            awaitCurrentKeys(mqtt, homes);

            List<String> ofAlice = homes.formerKeys(ALICE);
            List<String> ofBroker = homes.formerKeys(BROKER);
            assertThat(ofAlice).hasSize(2);
            assertThat(ofBroker).hasSize(2);
            assertNeeded(homes.retire(ALICE, ofAlice.get(1), broker), lanes);
            drain(lanes);
            for (String key : ofAlice) {
                assertRetired(homes.retire(ALICE, key, broker));
            }
            homes.handOver(ALICE, BROKER);
            for (String key : ofBroker) { // after all others, as the document says
                assertRetired(homes.retire(BROKER, key, broker));
            }
            homes.handOver(BROKER, ALICE);
            assertThat(homes.roots(ALICE)).hasSize(2).last().isEqualTo(firstRoot);
            homes.retireFormerRoot();
            homes.handOverRoot();
            awaitMore();

            assertThat(homes.roots(ALICE)).hasSize(1).doesNotContain(firstRoot).isEqualTo(homes.roots(BROKER));
            finish();
        }
    }

    /** Sends messages to a queue that has no consumer yet. */
    private static void queue(RolloverLane lane, int count) throws Exception {
        lane.prepare(queued(lane));
        RolloverFlow.Sending producer = lane.producer(queued(lane));
        for (int i = 0; i < count; i++) {
            producer.send(Integer.toString(i));
        }
    }

    /** Consumes all queued messages. */
    private void drain(Map<RolloverLane, Integer> lanes) throws Exception {
        Map<RolloverFlow, Integer> drained = new LinkedHashMap<>();
        for (Map.Entry<RolloverLane, Integer> lane : lanes.entrySet()) {
            RolloverFlow queued = new RolloverFlow(queued(lane.getKey()));
            drained.put(queued, lane.getValue());
            lane.getKey().consume(queued(lane.getKey()), queued);
        }
        await(() -> drained.entrySet().stream().allMatch(flow -> flow.getKey().received() >= flow.getValue()));
        figures.addAll(drained.keySet());
        drained.forEach((flow, count) -> {
            flow.assertNoFailure();
            assertThat(flow.received()).isEqualTo(count);
        });
    }

    private static void assertNeeded(CliRun.Result refused, Map<RolloverLane, Integer> lanes) {
        assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(refused.err()).contains("not retired, messages need it");
        lanes.forEach((lane, count) -> assertThat(refused.err())
                .containsPattern("address \\Q%s\\E, queue .*: %d messages encrypted for it, the oldest of "
                        .formatted(queued(lane), count)));
    }

    private static void assertRetired(CliRun.Result retired) {
        assertThat(retired.exitCode()).as(retired.err()).isEqualTo(ExitCode.OK);
    }

    private static String queued(RolloverLane lane) {
        return "orders.queued." + lane.protocol();
    }

    private void flow(RolloverLane lane) throws Exception {
        String address = "orders.flowing." + lane.protocol();
        RolloverFlow flow = new RolloverFlow(address);
        flows.put(lane.protocol(), flow);
        lane.prepare(address);
        lane.consume(address, flow);
        flow.start(lane.producer(address), PACE);
    }

    /** Stops the producers, and checks what came. */
    private void finish() throws Exception {
        for (RolloverFlow flow : flows.values()) {
            flow.stop();
        }
        await(() -> flows.values().stream().allMatch(RolloverFlow::isDrained));
        figures.addAll(flows.values());
        Files.write(FIGURES, figures.stream().map(RolloverFlow::toString).toList());
        flows.forEach((protocol, flow) -> Tier.report(
                "pause of a consumer in a rollover, " + protocol, flow.longestPause(), Duration.ofSeconds(1)));
        flows.values().forEach(RolloverFlow::assertWhole);
        assertThat(lost).isEmpty();
    }

    private void awaitMore() {
        Map<RolloverFlow, Integer> before = new LinkedHashMap<>();
        flows.values().forEach(flow -> before.put(flow, flow.received()));
        await(() -> before.entrySet().stream()
                .allMatch(entry -> entry.getKey().received() >= entry.getValue() + AFTER_EACH));
    }

    /** Waits until it is so, or a message failed. */
    private void await(BooleanSupplier condition) {
        Awaitility.await().atMost(PATIENCE).until(() -> {
            flows.values().forEach(RolloverFlow::assertNoFailure);
            return condition.getAsBoolean();
        });
    }

    /** Waits until messages are for the current key of the recipient, and of that of the signer. */
    private void awaitCurrentKeys(RolloverMqtt mqtt, RolloverHomes homes) {
        RolloverMqtt.Keys current = new RolloverMqtt.Keys(homes.currentKey(ALICE), homes.currentKey(BROKER));
        await(() -> mqtt.seen().equals(current));
        awaitMore();
    }
}
