/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.body;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.utils.collections.TypedProperties;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.body.AmqpBody.AmqpProperties;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/**
 * Removes the properties whose names begin with {@code JMS_Signet_} or {@code signet_} from messages to protected
 * addresses. The client library sets the former on the messages that it opens. A producer's value under such a name
 * proves nothing, but selectors of queues and consumers would see it.
 */
public final class ProducerProperties {
    private static final String RESERVED = "signet_";

    /** JMS reserves names with this beginning for providers. */
    private static final String OF_PROVIDERS = "jms_";

    /** The prefix of the classes of AMQP messages, compared by name: a broker may run without the AMQP protocol. */
    private static final String AMQP = "org.apache.activemq.artemis.protocol.amqp.broker.AMQP";

    private ProducerProperties() {}

    /** Returns whether the name is reserved for the client library, in upper or lower case. */
    public static boolean isReserved(CharSequence name) {
        return isReserved(name, 0);
    }

    /** Returns whether the rest of the name from this index on is reserved. */
    static boolean isReserved(CharSequence name, int from) {
        int start = continues(name, from, OF_PROVIDERS) ? from + OF_PROVIDERS.length() : from;
        return continues(name, start, RESERVED);
    }

    private static boolean continues(CharSequence name, int from, String expected) {
        if (name.length() - from < expected.length()) {
            return false;
        }
        for (int i = 0; i < expected.length(); i++) {
            if (lowerCase(name.charAt(from + i)) != expected.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Converts ASCII letters only, because other letters make other names. */
    private static char lowerCase(char letter) {
        return letter >= 'A' && letter <= 'Z' ? (char) (letter + 'a' - 'A') : letter;
    }

    /**
     * Removes the reserved properties of a message. It allocates little if there are none.
     *
     * @throws MessageRejectedException if reserved properties cannot be removed
     */
    public static void remove(Message message) throws MessageRejectedException {
        if (message instanceof CoreMessage core) {
            Found found = Found.in(core.getProperties());
            if (found.hasMqtt) {
                MqttUserProperties.remove(core, ProducerProperties::isReserved);
            }
            if (found.removeFrom(core.getProperties())) {
                core.messageChanged();
            }
        } else if (message.getClass().getName().startsWith(AMQP)) {
            AmqpProperties.removeReserved(message);
        }
    }

    /** Adds a property that occurs once. */
    static void putOnce(Map<String, @Nullable Object> found, String name, @Nullable Object value)
            throws MessageRejectedException {
        if (found.containsKey(name)) {
            throw new MessageRejectedException("property '" + name + "' is hidden, and occurs twice; send it once");
        }
        found.put(name, value);
    }

    /** Removes the reserved properties. */
    static void removeFrom(TypedProperties properties) {
        boolean unused = Found.in(properties).removeFrom(properties);
    }

    /** Collects the reserved names among the properties of a message, in one walk under their lock. */
    private static final class Found implements Consumer<SimpleString> {
        private List<SimpleString> names = List.of();
        private boolean hasMqtt;

        static Found in(TypedProperties properties) {
            Found found = new Found();
            properties.forEachKey(found);
            return found;
        }

        @Override
        public void accept(SimpleString name) {
            if (isReserved(name)) {
                if (names.isEmpty()) {
                    names = new ArrayList<>();
                }
                names.add(name);
            } else if (MqttUserProperties.COUNT.equals(name)) {
                hasMqtt = true;
            }
        }

        /** Removes these properties, and returns whether there were any. */
        boolean removeFrom(TypedProperties properties) {
            if (names.isEmpty()) {
                return false;
            }
            names.forEach(properties::removeProperty);
            return true;
        }
    }

    /**
     * Finds and removes user properties of MQTT 5. The broker stores each as a property whose name contains its
     * position, and sends them in this order. So the properties after a removed one move up.
     */
    static final class MqttUserProperties {
        private static final SimpleString COUNT = SimpleString.of("mqtt.user.property.exists");
        private static final Pattern NAME =
                Pattern.compile("(mqtt\\.ordered\\.user\\.property\\.)([0-9]{1,9})\\.(.*)", Pattern.DOTALL);

        private MqttUserProperties() {}

        private record Stored(SimpleString name, int place, String key) {}

        /** Returns the user properties that have one of these names. */
        static Map<String, @Nullable Object> named(ICoreMessage message, List<String> names)
                throws MessageRejectedException {
            Map<String, @Nullable Object> found = new HashMap<>();
            if (message.containsProperty(COUNT)) {
                for (Stored property : all(message)) {
                    if (names.contains(property.key())) {
                        putOnce(found, property.key(), message.getStringProperty(property.name()));
                    }
                }
            }
            return found;
        }

        /** Removes user properties of a message. Of a message without any it reads one property. */
        static void remove(ICoreMessage message, Predicate<String> isRemoved) {
            if (!message.containsProperty(COUNT)) {
                return;
            }
            List<Stored> all = all(message);
            List<Stored> kept = all.stream()
                    .filter(property -> !isRemoved.test(property.key()))
                    .toList();
            if (kept.size() == all.size()) {
                return;
            }
            List<Object> values = new ArrayList<>();
            kept.forEach(property -> values.add(message.getObjectProperty(property.name())));
            all.forEach(property -> message.removeProperty(property.name()));
            message.removeProperty(COUNT);
            for (int i = 0; i < kept.size(); i++) {
                message.putObjectProperty(
                        "mqtt.ordered.user.property." + i + "." + kept.get(i).key(), values.get(i));
            }
            if (!kept.isEmpty()) {
                message.putIntProperty(COUNT, kept.size());
            }
        }

        private static List<Stored> all(ICoreMessage message) {
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
}
