/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.Queue;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.client.internal.body.Body;
import org.signetmq.client.internal.message.ReceivedMessage;
import org.signetmq.client.internal.message.ReceivedMessages;
import org.signetmq.client.internal.message.SignetProperties;
import org.signetmq.client.internal.provider.ArtemisLibrary;
import org.signetmq.client.internal.provider.ClientLibrary.ArrivedMessage;
import org.signetmq.client.internal.provider.ProviderSession;
import org.signetmq.envelope.message.BodyKind;

/** Opened bodies, however they are read, behave as a message of the provider with these bodies. */
final class ReceivedBytesIT extends BrokerTest {
    private static final long SEED = 20261122;
    private static final int SCRIPTS = 3_000;
    private static final int STEPS = 6;

    /** Something that is done with a message. */
    private interface Step {
        Object on(BytesMessage message) throws Exception;
    }

    private static List<Step> script(Random random, int length) {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            int size = random.nextInt(length + 3);
            int asked = random.nextInt(size + 1);
            steps.add(
                    switch (random.nextInt(14)) {
                        case 0 -> BytesMessage::getBodyLength;
                        case 1 -> message -> bytes(message.getBody(byte[].class));
                        case 2 -> message -> message.isBodyAssignableTo(byte[].class);
                        case 3 -> message -> message.isBodyAssignableTo(String.class);
                        case 4 ->
                            message -> {
                                byte[] into = new byte[size];
                                return message.readBytes(into) + bytes(into);
                            };
                        case 5 ->
                            message -> {
                                byte[] into = new byte[size];
                                return message.readBytes(into, asked) + bytes(into);
                            };
                        case 6, 7 ->
                            message -> {
                                message.reset();
                                return "reset";
                            };
                        case 8 ->
                            message -> {
                                byte[] into = new byte[length];
                                return message.readBytes(into) + bytes(into);
                            };
                        case 9 -> BytesMessage::readByte;
                        case 10 -> BytesMessage::readInt;
                        case 11 ->
                            message -> {
                                message.writeInt(size);
                                return "written";
                            };
                        case 12 ->
                            message -> {
                                message.clearBody();
                                message.writeInt(size);
                                return "cleared";
                            };
                        default ->
                            message -> message.getBody(Object.class) instanceof byte[] body ? bytes(body) : "no bytes";
                    });
        }
        return steps;
    }

    private static String bytes(byte[] bytes) {
        return Arrays.toString(bytes);
    }

    /** The results of the steps: values, and the kinds of exceptions. */
    private static List<String> outcome(List<Step> steps, BytesMessage message) {
        List<String> outcome = new ArrayList<>();
        for (Step step : steps) {
            try {
                outcome.add(String.valueOf(step.on(message)));
            } catch (JMSException rejected) {
                outcome.add(rejected.getClass().getSimpleName());
            } catch (Exception other) {
                outcome.add(other.getClass().getName());
            }
        }
        return outcome;
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.client.TestBroker$Client#oneOrAll")
    void openedBytes_readInAnyOrder_areAsTheProvidersOwn(Client client) throws Exception {
        Random random = new Random(SEED);
        try (JMSContext context = broker.factory(client).createContext()) {
            for (int i = 0; i < SCRIPTS; i++) {
                byte[] payload = new byte[random.nextInt(12)];
                random.nextBytes(payload);
                List<Step> script = script(random, payload.length);
                BytesMessage own = context.createBytesMessage();
                own.writeBytes(payload);
                own.reset();
                ReceivedMessage.Envelope envelope = new ReceivedMessage.Envelope(
                        new ArrivedMessage(context.createBytesMessage(), new ArtemisLibrary()),
                        SignetProperties.NONE,
                        ReceivedMessage.Acknowledgement.NO_EFFECT);
                BytesMessage opened = (BytesMessage)
                        ReceivedMessages.of(new Body.Bytes(payload.clone()), envelope, ProviderSession.of(context))
                                .shown();

                assertThat(outcome(script, opened))
                        .as("script %s of seed %s", i, SEED)
                        .isEqualTo(outcome(script, own));
            }
        }
    }

    /** The provider's message for the body may be made late, but the session need not live until then. */
    @ParameterizedTest
    @MethodSource("org.signetmq.client.TestBroker$Client#oneOrAll")
    void openedBytes_afterEndOfConnection_areReadInParts(Client client) throws Exception {
        String address = address("confidential");
        byte[] payload = {0, 0, 0, 7, 9};
        BytesMessage received;
        try (JMSContext context = signet(client).createContext()) {
            Queue queue = context.createQueue(address);
            context.createProducer().send(queue, keys.seal(address, BodyKind.JMS_BYTES, payload, Map.of()));
            received = (BytesMessage) context.createConsumer(queue).receive(180_000);
        }

        assertThat(received.readInt()).isEqualTo(7);
        assertThat(received.readByte()).isEqualTo((byte) 9);
        assertThat(received.getBodyLength()).isEqualTo(payload.length);
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.client.TestBroker$Client#oneOrAll")
    void openedText_afterEndOfConnection_isReadAndReplaced(Client client) throws Exception {
        String address = address("confidential");
        TextMessage received;
        try (JMSContext context = signet(client).createContext()) {
            Queue queue = context.createQueue(address);
            context.createProducer().send(queue, keys.sealText(address, "h\u00e9llo"));
            received = (TextMessage) context.createConsumer(queue).receive(180_000);
        }

        assertThat(received.getText()).isEqualTo("h\u00e9llo");
        assertThat(received.getBody(String.class)).isEqualTo("h\u00e9llo");
        assertThat(received.getBody(Object.class)).isEqualTo("h\u00e9llo");
        assertThatThrownBy(() -> received.setText("other")).isInstanceOf(MessageNotWriteableException.class);
        received.clearBody();
        received.setText("other");
        assertThat(received.getText()).isEqualTo("other");
    }
}
