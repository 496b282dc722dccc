/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.testkit.ByteSearch;
import org.signetmq.testkit.Mqtt3;
import org.signetmq.testkit.Stomp;

/**
 * A broker in a process of its own, whose producers seal. A dump of its heap, with all that no object needs any more,
 * contains no payload: neither while messages lie in queues nor while they flow.
 */
final class BrokerHeapIT {
    private static final int MESSAGES = 20;
    private static final int LARGE = 300_000;

    /** In each payload and each hidden property. */
    private final String secret = "HIDDEN" + UUID.randomUUID();
    /** In properties that travel in clear. If the search finds it, it would find the secret, too. */
    private final String shown = "SHOWN" + UUID.randomUUID();

    @TempDir
    private Path folder;

    /** The broker process: prints its port, then writes a dump for each line that names a file. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws Exception {
            try (DeadLetterBroker broker = new DeadLetterBroker(Path.of(arguments[0]), Path.of(arguments[1]))) {
                System.out.println("port " + broker.port());
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
                for (String file = in.readLine(); file != null; file = in.readLine()) {
                    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                            .dumpHeap(file, false);
                    System.out.println("dumped " + broker.messages("heap.core"));
                }
            }
        }
    }

    /** The process, and its answers line by line. */
    private record BrokerProcess(Process process, BufferedReader answers) implements AutoCloseable {
        static BrokerProcess start(Path data, Path home) throws Exception {
            String libraries = System.getProperty("signet.broker.libraries");
            Stream<String> added = Stream.empty();
            if (libraries != null) {
                try (Stream<Path> files = Files.list(Path.of(libraries))) {
                    added = files.map(Path::toString).toList().stream();
                }
            }
            String classPath = Stream.concat(
                            added,
                            Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                                    .filter(entry -> libraries == null || !entry.contains("activemq-client")))
                    .collect(Collectors.joining(File.pathSeparator));
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx256m",
                            "-cp",
                            classPath,
                            Program.class.getName(),
                            data.toString(),
                            home.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            return new BrokerProcess(process, process.inputReader(UTF_8));
        }

        /** Returns what follows this word in the next line that begins with it. */
        String answer(String word) throws Exception {
            for (String line = answers.readLine(); line != null; line = answers.readLine()) {
                if (line.startsWith(word + ' ')) {
                    return line.substring(word.length() + 1);
                }
            }
            throw new AssertionError("broker: ended without " + word);
        }

        String dump(Path file) throws Exception {
            process.getOutputStream().write((file + "\n").getBytes(UTF_8));
            process.getOutputStream().flush();
            return answer("dumped");
        }

        @Override
        public void close() throws IOException {
            process.getOutputStream().close(); // which ends it
            process.onExit().join();
        }
    }

    @Test
    void producersSeal_payloadsAreNeverInTheHeapOfTheBroker() throws Exception {
        Path home = folder.resolve("home");
        try (Keys keys = new Keys(home).forABroker();
                Password password = Keys.password();
                BrokerProcess broker = started(home)) {
            int port = Integer.parseInt(broker.answer("port"));
            Map<Client, ConnectionFactory> libraries = new TreeMap<>(Map.of(
                    Client.CORE, new ActiveMQConnectionFactory("tcp://127.0.0.1:" + port),
                    Client.AMQP, new JmsConnectionFactory("amqp://127.0.0.1:" + port),
                    Client.OPENWIRE,
                            new org.apache.activemq.ActiveMQConnectionFactory(
                                    "tcp://127.0.0.1:" + port + "?jms.watchTopicAdvisories=false")));
            List<SignetConnectionFactory> factories = new ArrayList<>();
            libraries
                    .values()
                    .forEach(one -> factories.add(SignetConnectionFactory.open(one, home, "alice", password)));
            List<String> addresses = List.of("heap.core", "heap.amqp", "heap.openwire");

            for (int i = 0; i < factories.size(); i++) {
                send(factories.get(i), addresses.get(i), MESSAGES);
            }
            sendByPlainPrograms(keys, policies(), port);
            Path lying = folder.resolve("lying.hprof");
            assertThat(broker.dump(lying)).as("messages that lie").isEqualTo(Integer.toString(4 * MESSAGES + 1));
            assertHidden(lying);

            AtomicBoolean ended = new AtomicBoolean();
            List<CompletableFuture<Integer>> flowing = new ArrayList<>();
            for (int i = 0; i < factories.size(); i++) {
                SignetConnectionFactory factory = factories.get(i);
                String address = addresses.get(i);
                flowing.add(CompletableFuture.supplyAsync(() -> flow(factory, address, ended)));
            }
            Path moving = folder.resolve("moving.hprof");
            broker.dump(moving);
            ended.set(true);
            for (CompletableFuture<Integer> each : flowing) {
                assertThat(each.get())
                        .as("messages that arrived with their secret")
                        .isGreaterThan(4 * MESSAGES);
            }
            assertHidden(moving);
            factories.forEach(SignetConnectionFactory::close);
        }
    }

    private static PolicySet policies() {
        Policy policy = Policy.privacy("heap.#", List.of("alice"));
        return PolicySet.of(
                1,
                UnmatchedAddress.PASS,
                List.of(policy.with(new Policy.Acceptance(Toleration.ENFORCE, SealingPlace.CLIENT))
                        .with(new Policy.Enforcement(
                                policy.enforcement().verify(), false, false, null, List.of("note")))));
    }

    private BrokerProcess started(Path home) throws Exception {
        Files.write(new Home(home).policies(), PolicyFile.bytes(policies()));
        return BrokerProcess.start(folder.resolve("data"), home);
    }

    private void send(ConnectionFactory factory, String address, int rounds) throws Exception {
        try (JMSContext context = factory.createContext()) {
            for (int i = 0; i < rounds; i++) {
                BytesMessage bytes = context.createBytesMessage();
                bytes.writeUTF(secret);
                MapMessage map = context.createMapMessage();
                map.setString("value", secret);
                TextMessage hiding = context.createTextMessage(secret);
                hiding.setStringProperty("note", secret);
                for (Message message : List.of(context.createTextMessage(secret + i), bytes, map, hiding)) {
                    message.setStringProperty("visible", shown);
                    context.createProducer().send(context.createQueue(address), message);
                }
            }
            context.createProducer()
                    .send(context.createQueue(address), context.createTextMessage(secret + "x".repeat(LARGE)));
        }
    }

    private void sendByPlainPrograms(Keys keys, PolicySet policies, int port) throws Exception {
        for (String name : List.of("heap.mqtt", "heap.stomp")) {
            byte[] envelope = keys.sealer()
                    .seal(
                            ClearMessage.of(name, ClearMessage.Body.TEXT, secret.getBytes(UTF_8)),
                            policies.find(name).orElseThrow(),
                            keys.signer());
            if (name.equals("heap.stomp")) {
                try (Stomp stomp = new Stomp(port)) {
                    stomp.sendBytes(name, envelope);
                }
            } else {
                try (MqttClient client = Mqtt3.connect("tcp://127.0.0.1:" + port, "plain", new MqttConnectOptions())) {
                    client.publish(Mqtt3.topic(name), envelope, 1, false);
                    client.disconnect();
                }
            }
        }
    }

    /** Sends and receives until the end, then receives the rest. Returns how many messages had the secret. */
    private int flow(SignetConnectionFactory factory, String address, AtomicBoolean ended) {
        int arrived = 0;
        try (JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(address))) {
            Message last = consumer.receive(Taking.PATIENCE);
            while (last != null) {
                assertThat(secretOf(last)).startsWith(secret);
                arrived++;
                if (!ended.get()) {
                    send(factory, address, 1);
                }
                last = consumer.receive(ended.get() ? 500 : Taking.PATIENCE);
            }
        } catch (Exception e) {
            throw new AssertionError(address, e);
        }
        return arrived;
    }

    private String secretOf(Message message) throws Exception {
        if (message instanceof BytesMessage bytes) {
            return bytes.readUTF();
        }
        if (message instanceof MapMessage map) {
            return map.getString("value");
        }
        if (message.propertyExists("note")) {
            assertThat(message.getStringProperty("note")).isEqualTo(secret);
        }
        return ((TextMessage) message).getText();
    }

    /** Looks for both texts in Latin-1, as most of Java's texts are in memory, and in UTF-16 of either byte order. */
    private void assertHidden(Path dump) throws Exception {
        byte[] heap = Files.readAllBytes(dump);
        Files.delete(dump);
        for (var charset : List.of(UTF_8, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
            assertThat(new ByteSearch(secret.getBytes(charset)).isIn(heap))
                    .as("secret in %s", charset)
                    .isFalse();
        }
        assertThat(new ByteSearch(shown.getBytes(UTF_8)).isIn(heap))
                .as("visible property")
                .isTrue();
    }
}
