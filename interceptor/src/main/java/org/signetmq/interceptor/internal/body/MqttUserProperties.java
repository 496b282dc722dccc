/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.body;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;

/**
 * Removes reserved names from the user properties of MQTT 5. The broker stores each as a property whose name contains
 * its position, and sends them in this order. So the properties after a removed one move up.
 */
final class MqttUserProperties {
    private static final SimpleString COUNT = SimpleString.of("mqtt.user.property.exists");
    private static final Pattern NAME =
            Pattern.compile("(mqtt\\.ordered\\.user\\.property\\.)([0-9]{1,9})\\.(.*)", Pattern.DOTALL);

    private MqttUserProperties() {}

    private record Stored(SimpleString name, int place, String key) {}

    /**
     * Removes the reserved user properties of a message. Of a message without user properties it reads one property.
     */
    static void removeReserved(CoreMessage message) {
        if (!message.containsProperty(COUNT)) {
            return;
        }
        List<Stored> all = all(message);
        if (all.stream().noneMatch(property -> ProducerProperties.isReserved(property.key()))) {
            return;
        }
        List<String> keys = new ArrayList<>();
        List<Object> values = new ArrayList<>();
        for (Stored property : all) {
            Object value = message.removeProperty(property.name());
            if (!ProducerProperties.isReserved(property.key())) {
                keys.add(property.key());
                values.add(value);
            }
        }
        message.removeProperty(COUNT);
        for (int i = 0; i < keys.size(); i++) {
            message.putObjectProperty("mqtt.ordered.user.property." + i + "." + keys.get(i), values.get(i));
        }
        if (!keys.isEmpty()) {
            message.putIntProperty(COUNT, keys.size());
        }
    }

    private static List<Stored> all(CoreMessage message) {
        List<Stored> all = new ArrayList<>();
        for (SimpleString name : message.getPropertyNames()) {
            Matcher matcher = NAME.matcher(name);
            if (matcher.matches()) {
                all.add(new Stored(name, Integer.parseInt(matcher.group(2)), matcher.group(3)));
            }
        }
        all.sort(Comparator.comparingInt(Stored::place));
        return all;
    }
}
