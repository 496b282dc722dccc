/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.DeliveryAnnotations;
import org.apache.qpid.proton.amqp.messaging.Header;
import org.apache.qpid.proton.amqp.messaging.MessageAnnotations;
import org.apache.qpid.proton.amqp.messaging.Properties;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Receiver;
import org.apache.qpid.proton.engine.Sender;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.interceptor.internal.parse.BodyContent.ContentTypes;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.RawAmqp;
import org.signetmq.testkit.Tier;

/** AMQP messages with every type and section, beside a broker without the plugin, and on a protected address. */
final class AmqpFidelityIT extends OneBroker {
    private static final Symbol JMS_TYPE = Symbol.valueOf("x-opt-jms-msg-type");

    private final PolicySet policies = LargeBodies.policies(QualityOfProtection.PRIVACY);

    private static List<AmqpSamples.Sample> samples(int length) {
        List<AmqpSamples.Sample> samples = new ArrayList<>(AmqpSamples.padded(length));
        if (length < 1_000_000) {
            samples.addAll(AmqpSamples.scalars(Tier.isLong() ? length : 200));
        }
        return samples;
    }

    private TestBroker plain() throws Exception {
        return new TestBroker.Setup(TestHomes.withoutPolicies(folder), folder.resolve("plain-data"))
                .bare()
                .start();
    }

    private TestBroker.Setup protecting() throws Exception {
        setup.homes().policies(policies);
        return setup;
    }

    /** A client's links to and from one address. */
    private record Road(RawAmqp client, Sender in, Receiver out) implements AutoCloseable {
        static Road through(TestBroker broker, String address) throws Exception {
            RawAmqp client = new RawAmqp(broker.port);
            return new Road(client, client.sender(address), client.receiver(address));
        }

        byte[] pass(byte[] message) throws Exception {
            assertThat(client.send(in, message)).isInstanceOf(Accepted.class);
            return client.receive(out);
        }

        @Override
        public void close() throws IOException {
            client.close();
        }
    }

    static Stream<Integer> lengths() {
        return Tier.cases(1, 600 << 10, 100, 90 << 10, 5_000_000);
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @MethodSource("lengths")
    void addressWithoutAPolicy_messagesAreByteForByteAsFromABrokerWithoutThePlugin(int length) throws Exception {
        try (TestBroker plain = plain();
                TestBroker broker = protecting().start();
                Road expected = Road.through(plain, "open");
                Road road = Road.through(broker, "open")) {
            List<AmqpSamples.Sample> samples = samples(length);
            samples.addAll(AmqpSamples.incomplete(length));
            for (AmqpSamples.Sample sample : samples) {
                byte[] message = sample.encoded();

                byte[] arrived = road.pass(message);

                assertThat(Arrays.equals(arrived, expected.pass(message)))
                        .as("%s: sections as from a broker without the plugin", sample)
                        .isTrue();
                assertThat(endsWith(arrived, sample.rest()))
                        .as("%s: body and footer as sent", sample)
                        .isTrue();
            }
            assertThat(broker.sealed()).isZero();
            assertThat(broker.rejected()).isZero();
            LargeBodies.awaitNothingLeft(broker);
        }
    }

    private static boolean endsWith(byte[] message, byte[] rest) {
        return Arrays.equals(message, message.length - rest.length, message.length, rest, 0, rest.length);
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void protectedAddress_everyTypeAndSectionSurvives(int length) throws Exception {
        try (TestBroker plain = plain();
                TestBroker broker = protecting().start();
                Road expected = Road.through(plain, "orders");
                Road road = Road.through(broker, "orders")) {
            for (AmqpSamples.Sample sample : samples(length)) {
                byte[] message = sample.encoded();

                List<Object> arrived = AmqpSamples.sections(road.pass(message));

                assertHeadsAreAlike(sample, arrived, AmqpSamples.sections(expected.pass(message)));
                Object body = arrived.get(arrived.size() - 1);
                assertThat(body).isInstanceOf(Data.class);
                assertOpens(sample, broker.homes.open(((Data) body).getValue().getArray(), "orders", policies));
            }
            List<AmqpSamples.Sample> incomplete = AmqpSamples.incomplete(length);
            for (AmqpSamples.Sample sample : incomplete) {
                List<Object> arrived = AmqpSamples.sections(road.pass(sample.encoded()));
                Data body = (Data) arrived.get(arrived.size() - 1);
                assertOpens(sample, broker.homes.open(body.getValue().getArray(), "orders", policies));
            }
            assertThat(broker.sealed()).isEqualTo(samples(length).size() + incomplete.size());
        }
    }

    private static void assertHeadsAreAlike(AmqpSamples.Sample sample, List<Object> arrived, List<Object> expected) {
        for (int i = 0; i < arrived.size() - 1; i++) {
            if (expected.get(i) instanceof MessageAnnotations annotations) {
                Map<Symbol, Object> without = new LinkedHashMap<>(((MessageAnnotations) arrived.get(i)).getValue());
                without.remove(JMS_TYPE);
                assertThat(AmqpSamples.text(without)).isEqualTo(AmqpSamples.text(annotations.getValue()));
            } else if (expected.get(i) instanceof DeliveryAnnotations annotations) {
                assertThat(AmqpSamples.text(((DeliveryAnnotations) arrived.get(i)).getValue()))
                        .isEqualTo(AmqpSamples.text(annotations.getValue()));
            } else if (expected.get(i) instanceof ApplicationProperties properties) {
                assertThat(AmqpSamples.text(((ApplicationProperties) arrived.get(i)).getValue()))
                        .isEqualTo(AmqpSamples.text(properties.getValue()));
            } else {
                if (arrived.get(i) instanceof Properties properties) { // those of the body are inside the envelope
                    assertThat(properties.getContentType().toString()).isEqualTo(ContentTypes.BINARY);
                    properties.setContentType(Symbol.valueOf(AmqpSamples.CONTENT_TYPE));
                }
                assertThat(AmqpSamples.encode(List.of((Section) arrived.get(i))))
                        .as("%s: %s", sample, arrived.get(i).getClass())
                        .isEqualTo(AmqpSamples.encode(List.of((Section) expected.get(i))));
            }
        }
        assertThat(arrived.size() - 1)
                .as("%s: sections before the body", sample)
                .isEqualTo(expected.size() - AmqpSamples.sections(sample.rest()).size());
    }

    private static void assertOpens(AmqpSamples.Sample sample, OpenedMessage opened) {
        BodyKind kind = opened.entityIfProtected().orElseThrow().bodyKind().orElseThrow();
        List<Object> sent = AmqpSamples.sections(sample.rest());
        if (sample.head().length > 0) {
            assertThat(opened.entityIfProtected().orElseThrow().properties())
                    .containsEntry(ContentTypes.PROPERTY, AmqpSamples.CONTENT_TYPE);
        }
        byte[] content = switch (kind) {
            case JMS_TEXT -> ((String) ((AmqpValue) sent.get(0)).getValue()).getBytes(StandardCharsets.UTF_8);
            case JMS_BYTES -> ((Data) sent.get(0)).getValue().getArray();
            default -> sample.rest();
        };
        assertThat(kind).isIn(BodyKind.JMS_TEXT, BodyKind.JMS_BYTES, BodyKind.AMQP_SECTIONS);
        assertThat(kind == BodyKind.AMQP_SECTIONS || sent.size() == 1).isTrue();
        assertThat(Arrays.equals(opened.payload(), content))
                .as(sample.toString())
                .isTrue();
    }

    private static byte[] marked(int length) {
        return AmqpSamples.encode(List.of(new AmqpValue(LargeBodies.text(length))));
    }

    /** Each comes in parts. The waiting bytes are bounded in memory, and encrypted on disk. */
    @Test
    void messagesThatNeverEnd_takeBoundedMemory_andLeaveNothing() throws Exception {
        Header durable = new Header(); // so that the messages' own files have other names than those in which they wait
        durable.setDurable(true);
        byte[] beginning =
                Arrays.copyOf(AmqpSamples.encode(List.of(durable, new AmqpValue(LargeBodies.text(900_000)))), 800_000);
        TestBroker broker = start(protecting());
        DiskWatch watch = closing(new DiskWatch(broker.disk(), LargeBodies.MARK));
        try (RawAmqp client = new RawAmqp(broker.port)) {
            int messages = (int) (Runtime.getRuntime().maxMemory() / 32 / beginning.length) + 4;
            for (int i = 0; i < messages; i++) {
                client.begin(client.sender("orders"), beginning);
            }
            Awaitility.await().until(() -> LargeBodies.openMessages(broker) == messages);
            Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(broker.disk().scratchFiles()).isPositive());
            assertThat(watch.seen()).isEmpty();
        }
        LargeBodies.awaitNothingLeft(broker);
        assertThat(watch.seen()).isEmpty();
    }

    @Test
    void messageThatIsOnItsWay_whenAPolicyComes_isRejected_andLeavesNothing() throws Exception {
        homes.policies(1);
        byte[] message = marked(LargeBodies.LENGTH);
        TestBroker broker = start();
        RawAmqp client = closing(new RawAmqp(broker.port));
        Sender sender = client.sender("orders");
        Delivery delivery = client.begin(sender, Arrays.copyOf(message, message.length / 2));
        Awaitility.await().until(() -> !broker.disk().largeFiles().isEmpty());
        assertThat(LargeBodies.openMessages(broker)).isZero();
        homes.policies(PolicySet.of(2, policies.unmatched(), policies.policies()));
        Awaitility.await().until(() -> broker.state().policies().version() == 2);

        assertThat(client.end(sender, delivery, Arrays.copyOfRange(message, message.length / 2, message.length)))
                .isInstanceOf(Rejected.class);

        LargeBodies.awaitNothingLeft(broker);
    }

    @Test
    void messageThatIsOnItsWay_whenItsPolicyGoes_passesAsItIs() throws Exception {
        homes.policies(policies);
        byte[] message = marked(LargeBodies.LENGTH);
        TestBroker broker = start();
        RawAmqp client = closing(new RawAmqp(broker.port));
        Sender sender = client.sender("orders");
        Delivery delivery = client.begin(sender, Arrays.copyOf(message, message.length / 2));
        Awaitility.await().until(() -> LargeBodies.openMessages(broker) == 1);
        homes.policies(2);
        Awaitility.await().until(() -> broker.state().policies().version() == 2);

        assertThat(client.end(sender, delivery, Arrays.copyOfRange(message, message.length / 2, message.length)))
                .isInstanceOf(Accepted.class);

        assertThat(endsWith(client.receive(client.receiver("orders")), message)).isTrue();
        LargeBodies.awaitNothingLeft(broker);
    }
}
