/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.file.PolicyFile;

/**
 * The keys of broker and consumer and their root are replaced while messages flow over three protocols. The whole form:
 * {@code -Dsignet.rollover=10000}.
 */
final class RolloverIT {
    /** The figures of the last run. */
    private static final Path FIGURES = Path.of("target", "rollover.txt");

    /** How many messages lie in queues before the first renewal. */
    private static final int QUEUED = Integer.getInteger("signet.rollover", 300);

    /** The least messages of each protocol after each change. */
    private static final int AFTER_EACH = QUEUED / 12;

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(60 + QUEUED / 50);

    @TempDir
    private Path folder;

    private final Queue<Throwable> lost = new ConcurrentLinkedQueue<>();
    private final Map<String, RolloverFlow> flows = new LinkedHashMap<>();

    @Test
    @Timeout(900)
    void keysAndRootReplacedUnderLoad_noMessageFails_andNoneWaitsASecond() throws Exception {
        Path place = folder.resolve("signet-home");
        Home home = new Home(place);
        CliRun cli = new CliRun(folder);
        try (GuardedBroker broker = GuardedBroker.protectingUnderRoot(folder);
                ActiveMQConnectionFactory artemis = new ActiveMQConnectionFactory(broker.url());
                RolloverJms core = new RolloverJms("core", broker, artemis, place, lost);
                RolloverJms amqp = new RolloverJms(
                        "amqp", broker, new JmsConnectionFactory("amqp://127.0.0.1:" + broker.port()), place, lost);
                RolloverMqtt mqtt = new RolloverMqtt(
                        broker, home, PolicyFile.read(home.policies(), PartyValidator.acceptAll()), lost)) {
            List<RolloverLane> lanes = List.of(core, amqp, mqtt);
            for (RolloverLane lane : lanes) {
                lane.prepare(queued(lane));
                RolloverFlow.Sending producer = lane.producer(queued(lane));
                for (int i = 0; i < QUEUED / lanes.size(); i++) {
                    producer.send(Integer.toString(i));
                }
                flow(lane);
            }
            RecipientDirectory directory = home.recipientDirectory();
            X509Certificate firstRoot = roots(home).get(0);
            List<String> former = new ArrayList<>();

            for (String renewal : List.of(
                    "alice --key-algorithm ec-p256", // RSA before
                    "broker --key-algorithm ec-p384",
                    "root",
                    "alice",
                    "broker")) {
                cli.ok(("identity renew " + renewal).split(" "));
                await(() -> mqtt.seen().equals(keys(directory)));
                awaitMore();
            }
            assertThat(roots(home)).hasSize(2).last().isEqualTo(firstRoot);
            List<RolloverFlow> drained = new ArrayList<>();
            for (RolloverLane lane : lanes) {
                RolloverFlow queued = new RolloverFlow(queued(lane));
                drained.add(queued);
                lane.consume(queued(lane), queued);
            }
            await(() -> drained.stream().allMatch(flow -> flow.received() >= QUEUED / lanes.size()));
            for (String name : List.of("alice", "broker", "root")) {
                for (String key : home.identityStore().formerKeys(name)) {
                    cli.ok("identity", "retire", name, "--key", key, "--force");
                    former.add(key);
                }
            }
            awaitMore();

            assertThat(former).hasSize(5);
            assertThat(roots(home)).hasSize(1).doesNotContain(firstRoot);
            drained.forEach(RolloverFlow::assertNoFailure);
            finish();
        }
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
        flow.start(lane.producer(address));
    }

    /** Stops the producers, and checks what came. */
    private void finish() throws Exception {
        for (RolloverFlow flow : flows.values()) {
            flow.stop();
        }
        await(() -> flows.values().stream().allMatch(RolloverFlow::isDrained));
        Files.write(FIGURES, flows.values().stream().map(RolloverFlow::toString).toList());
        flows.values().forEach(flow -> flow.assertWhole(LONGEST_PAUSE));
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

    private static RolloverMqtt.Keys keys(RecipientDirectory directory) {
        return new RolloverMqtt.Keys(
                RolloverMqtt.idOf(directory.find("alice").orElseThrow().certificate()),
                RolloverMqtt.idOf(directory.find("broker").orElseThrow().certificate()));
    }

    /** Returns the current and former certificates of the root, in this order. */
    private static List<X509Certificate> roots(Home home) {
        return home.certificateTrust().trusted().stream()
                .filter(entry -> entry.name().equals("root"))
                .map(Recipient::certificate)
                .toList();
    }
}
