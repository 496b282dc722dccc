/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;
import org.eclipse.paho.mqttv5.common.packet.UserProperty;
import org.signetmq.client.Letter.Routing;
import org.signetmq.testkit.Mqtt3;
import org.signetmq.testkit.Mqtt5;
import org.signetmq.testkit.Stomp;

/** Messages of MQTT and STOMP producers. */
final class OtherLetters {
    private static final int[] SIZES = {0, 7, 90 << 10, 101 << 10, 600 << 10};

    private OtherLetters() {}

    static Stream<Letter> all() {
        return Stream.of(mqtt3(), mqtt5(), stomp()).flatMap(List::stream);
    }

    private static List<Letter> mqtt3() {
        List<Letter> letters = new ArrayList<>();
        for (int size : SIZES) {
            letters.add(mqtt3("MQTT 3.1.1 of " + size + " bytes", Kind.bytes(size), false));
        }
        letters.add(mqtt3("MQTT 3.1.1 retained", Kind.bytes(7), true));
        return letters;
    }

    private static Letter mqtt3(String name, byte[] payload, boolean retained) {
        return new Letter(name, Routing.TOPIC, (broker, addresses) -> {
            var message = new org.eclipse.paho.client.mqttv3.MqttMessage(payload);
            message.setRetained(retained);
            Mqtt3.publish(broker.url(), new MqttConnectOptions(), message, addresses);
        });
    }

    private static List<Letter> mqtt5() {
        Map<String, Consumer<MqttMessage>> all = new LinkedHashMap<>();
        for (int size : SIZES) {
            all.put("of " + size + " bytes", message -> message.setPayload(Kind.bytes(size)));
        }
        all.put("with content type", message -> message.getProperties().setContentType("text/plain"));
        all.put("with an odd content type", message -> message.getProperties().setContentType("gr\u00fc\u00df"));
        all.put("of text", message -> message.getProperties().setPayloadFormat(true));
        all.put("of bytes", message -> message.getProperties().setPayloadFormat(false));
        all.put("large, with content type", message -> {
            message.setPayload(Kind.bytes(600 << 10));
            message.getProperties().setContentType("text/plain");
            message.getProperties().setPayloadFormat(true);
        });
        all.put("with reply", message -> {
            message.getProperties().setResponseTopic("replies/here");
            message.getProperties().setCorrelationData("a correlation".getBytes(UTF_8));
        });
        all.put(
                "with user properties",
                message -> message.getProperties()
                        .setUserProperties(List.of(new UserProperty("a", "1"), new UserProperty("a", "2"))));
        all.put("with expiry", message -> message.getProperties().setMessageExpiryInterval(600L));
        all.put("retained", message -> message.setRetained(true));
        all.put("QoS 0", message -> message.setQos(0));
        List<Letter> letters = new ArrayList<>();
        all.forEach((name, change) -> letters.add(mqtt5("MQTT 5 " + name, change)));
        return letters;
    }

    private static Letter mqtt5(String name, Consumer<MqttMessage> change) {
        return new Letter(name, Routing.TOPIC, (broker, addresses) -> {
            MqttMessage message = new MqttMessage("a payload".getBytes(UTF_8));
            message.setQos(1);
            message.setProperties(new MqttProperties());
            change.accept(message);
            Mqtt5.publish(broker.url(), new MqttConnectionOptions(), message, addresses);
        });
    }

    private static List<Letter> stomp() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("plain", "");
        headers.put("persistent", "\npersistent:true");
        headers.put("with headers", "\na:1\nb:gr\u00fc\u00df");
        headers.put("with correlation", "\ncorrelation-id:a correlation");
        headers.put("with reply", "\nreply-to:/queue/replies");
        headers.put("with type", "\ntype:order");
        headers.put("with priority", "\npriority:9");
        headers.put("with content type", "\ncontent-type:text/plain");
        headers.put("with expiry", "\nexpires:" + (System.currentTimeMillis() + 600_000));
        List<Letter> letters = new ArrayList<>();
        headers.forEach((name, lines) -> {
            byte[] body = "gr\u00fc\u00df".getBytes(UTF_8);
            letters.add(stomp("STOMP text " + name, lines, body));
            letters.add(stomp("STOMP bytes " + name, lines + "\ncontent-length:" + body.length, body));
        });
        for (int size : SIZES) {
            letters.add(stomp(
                    "STOMP text of " + size + " bytes", "", Kind.text(size).getBytes(UTF_8)));
            letters.add(stomp("STOMP of " + size + " bytes", "\ncontent-length:" + size, Kind.bytes(size)));
        }
        return letters;
    }

    private static Letter stomp(String name, String headers, byte[] body) {
        return new Letter(name, Routing.QUEUE, (broker, addresses) -> {
            try (Stomp stomp = new Stomp(broker.port())) {
                for (String address : addresses) {
                    stomp.send(address + "\ndestination-type:ANYCAST" + headers, body);
                }
            }
        });
    }
}
